// Generated from tools/families/Histogram.template by tools/Families.java. Do not edit.
package dev.stretto.kernels;

import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.kernels.argument.Arguments;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;

/**
 * Counts elements in bins on a GPU.
 *
 * <p>Each method sets all counts, enqueues a fill and a kernel on a stream, and returns at once.
 * Each element is read once. Up to 8,192 bins are counted in shared memory, with several copies of
 * each as long as there is room: up to 256 bins it takes equally long whether elements are spread
 * or all in one bin. More bins are counted in global memory.
 *
 * {@snippet class="dev.stretto.kernels.PrimitivesTest" region="histogram"}
 */
public final class Histogram {
  private Histogram() {}

  /**
   * Counts how often each byte occurs.
   *
   * @param stream the operation's place among others
   * @param in the bytes
   * @param counts 256 counts; byte {@code b} is counted in number {@code b & 0xff}
   * @return an event that stands for the result
   * @throws IllegalArgumentException if there are not 256 counts, the arrays overlap, or one lies
   *     on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event ofBytes(Stream stream, GlobalBytes in, GlobalLongs counts) {
    Arguments.on(stream, in, "in");
    Arguments.on(stream, counts, "counts");
    Arguments.apart(in, "in", counts, "counts");
    if (counts.length() != ByteHistogram.BINS) {
      throw new IllegalArgumentException(
          "counts has %d elements, and not 256".formatted(counts.length()));
    }
    stream.fill(counts, 0);
    long length = in.length();
    if (length == 0) {
      return stream.record();
    }
    // The same bytes as words, if they begin at one of 16 bytes.
    boolean aligned = Arguments.aligned(in) && in.byteOffset() % Integer.BYTES == 0;
    long whole = aligned ? length & -16L : 0;
    GlobalInts words =
        whole == 0
            ? GlobalInts.of(counts.allocation()).slice(0, 0)
            : GlobalInts.of(in.allocation())
                .slice(in.byteOffset() / Integer.BYTES, whole / Integer.BYTES);
    int copies = BlockCounts.copies(ByteHistogram.BINS);
    stream.launch(
        BlockCounts.grid(stream, length, ByteHistogram.TILE, ByteHistogram.BINS),
        ByteHistogram::count,
        words,
        in,
        whole,
        counts,
        copies);
    return stream.record();
  }

  /**
   * Counts ints in bins of one width. There are as many bins as counts; together they are for the
   * numbers from {@code lower}, and below {@code upper}. {@code x} is counted in bin {@code (x -
   * lower) * bins / (upper - lower)}, computed exactly and rounded down. Others are not counted.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param counts one for each bin, fewer than 2<sup>31</sup>
   * @param lower the first bin's lower end
   * @param upper the last bin's upper end, which is in no bin
   * @return an event that stands for the result
   * @throws IllegalArgumentException if there is no bin or there are too many, {@code lower} is not
   *     less than {@code upper}, the arrays overlap, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event even(Stream stream, GlobalInts in, GlobalLongs counts, int lower, int upper) {
    Arguments.on(stream, in, "in");
    Arguments.on(stream, counts, "counts");
    Arguments.hasRoom(counts, "counts", 1);
    Arguments.apart(in, "in", counts, "counts");
    int bins = Math.toIntExact(counts.length());
    if (lower >= upper) {
      throw new IllegalArgumentException(
          "the bins begin at %s and end at %s".formatted(lower, upper));
    }
    stream.fill(counts, 0);
    int copies = BlockCounts.copies(bins);
    long range = (long) upper - lower;
    long factor = Long.divideUnsigned(-1L, range);
    if (in.length() > 0) {
      stream.launch(
          BlockCounts.grid(stream, in.length(), IntHistogram.TILE, bins),
          IntHistogram::count,
          in,
          counts,
          lower,
          range,
          factor,
          copies,
          Arguments.aligned(in));
    }
    return stream.record();
  }

  /**
   * Counts floats in bins of one width. There are as many bins as counts; together they are for the
   * numbers from {@code lower}, and below {@code upper}. {@code x} is counted in bin {@code (x -
   * lower) * (bins / (upper - lower))}, computed in floats and rounded down, or in the last one if
   * the result is greater. Others, and NaN, are not counted.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param counts one for each bin, fewer than 2<sup>31</sup>
   * @param lower the first bin's lower end
   * @param upper the last bin's upper end, which is in no bin
   * @return an event that stands for the result
   * @throws IllegalArgumentException if there is no bin or there are too many, {@code lower} is not
   *     less than {@code upper}, the arrays overlap, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event even(
      Stream stream, GlobalFloats in, GlobalLongs counts, float lower, float upper) {
    Arguments.on(stream, in, "in");
    Arguments.on(stream, counts, "counts");
    Arguments.hasRoom(counts, "counts", 1);
    Arguments.apart(in, "in", counts, "counts");
    int bins = Math.toIntExact(counts.length());
    if (!(lower < upper) || Float.isInfinite(upper - lower)) {
      throw new IllegalArgumentException(
          "the bins begin at %s and end at %s".formatted(lower, upper));
    }
    stream.fill(counts, 0);
    int copies = BlockCounts.copies(bins);
    float factor = bins / (upper - lower);
    if (in.length() > 0) {
      stream.launch(
          BlockCounts.grid(stream, in.length(), FloatHistogram.TILE, bins),
          FloatHistogram::count,
          in,
          counts,
          lower,
          upper,
          factor,
          copies,
          Arguments.aligned(in));
    }
    return stream.record();
  }

  /**
   * Counts doubles in bins of one width. There are as many bins as counts; together they are for
   * the numbers from {@code lower}, and below {@code upper}. {@code x} is counted in bin {@code (x
   * - lower) * (bins / (upper - lower))}, computed in doubles and rounded down, or in the last one
   * if the result is greater. Others, and NaN, are not counted.
   *
   * @param stream the operation's place among others
   * @param in the numbers
   * @param counts one for each bin, fewer than 2<sup>31</sup>
   * @param lower the first bin's lower end
   * @param upper the last bin's upper end, which is in no bin
   * @return an event that stands for the result
   * @throws IllegalArgumentException if there is no bin or there are too many, {@code lower} is not
   *     less than {@code upper}, the arrays overlap, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event even(
      Stream stream, GlobalDoubles in, GlobalLongs counts, double lower, double upper) {
    Arguments.on(stream, in, "in");
    Arguments.on(stream, counts, "counts");
    Arguments.hasRoom(counts, "counts", 1);
    Arguments.apart(in, "in", counts, "counts");
    int bins = Math.toIntExact(counts.length());
    if (!(lower < upper) || Double.isInfinite(upper - lower)) {
      throw new IllegalArgumentException(
          "the bins begin at %s and end at %s".formatted(lower, upper));
    }
    stream.fill(counts, 0);
    int copies = BlockCounts.copies(bins);
    double factor = bins / (upper - lower);
    if (in.length() > 0) {
      stream.launch(
          BlockCounts.grid(stream, in.length(), DoubleHistogram.TILE, bins),
          DoubleHistogram::count,
          in,
          counts,
          lower,
          upper,
          factor,
          copies,
          Arguments.aligned(in));
    }
    return stream.record();
  }
}
