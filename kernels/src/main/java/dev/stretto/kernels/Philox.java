package dev.stretto.kernels;

import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernels.argument.Arguments;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;

/**
 * Random numbers on a GPU: Philox4x32-10, of J. Salmon and others, "Parallel Random Numbers: As
 * Easy as 1, 2, 3" (2011).
 *
 * <p>A seed names a sequence. Its element {@code i} depends on the seed and {@code i} alone, so the
 * same elements come in one call or in several, and on every device. Element {@code i} of {@code
 * out} is element {@code offset + i} of the sequence. The generator's key is the seed, its counter
 * {@code (offset + i) / 4}, for doubles {@code (offset + i) / 2}; so sequences of floats and of
 * doubles with one seed are made of the same bits.
 *
 * <p>Each method enqueues one kernel on a stream and returns at once. It is fastest if {@code
 * offset} is a multiple of 4.
 *
 * {@snippet class="dev.stretto.kernels.PrimitivesTest" region="philox"}
 */
public final class Philox {
  private Philox() {}

  /**
   * Sets ints to random bits.
   *
   * @param stream the operation's place among others
   * @param out what is set
   * @param seed names the sequence
   * @param offset which element of the sequence is the first; 0 or more
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code offset} is negative, or the array lies on another
   *     device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or the array is closed
   */
  public static Event bits(Stream stream, GlobalInts out, long seed, long offset) {
    int wide = wide(stream, out, offset, 4);
    if (out.length() > 0) {
      stream.launch(grid(out, offset, 4), PhiloxKernels::bits, out, seed, offset, wide);
    }
    return stream.record();
  }

  /**
   * Sets floats to numbers in [0, 1), each a multiple of 2<sup>-24</sup> and as likely as the
   * others.
   *
   * @param stream the operation's place among others
   * @param out what is set
   * @param seed names the sequence
   * @param offset which element of the sequence is the first; 0 or more
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code offset} is negative, or the array lies on another
   *     device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or the array is closed
   */
  public static Event uniform(Stream stream, GlobalFloats out, long seed, long offset) {
    int wide = wide(stream, out, offset, 4);
    if (out.length() > 0) {
      stream.launch(grid(out, offset, 4), PhiloxKernels::uniform, out, seed, offset, wide);
    }
    return stream.record();
  }

  /**
   * Sets doubles to numbers in [0, 1), each a multiple of 2<sup>-53</sup> and as likely as the
   * others.
   *
   * @param stream the operation's place among others
   * @param out what is set
   * @param seed names the sequence
   * @param offset which element of the sequence is the first; 0 or more
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code offset} is negative, or the array lies on another
   *     device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or the array is closed
   */
  public static Event uniform(Stream stream, GlobalDoubles out, long seed, long offset) {
    int wide = wide(stream, out, offset, 2);
    if (out.length() > 0) {
      stream.launch(grid(out, offset, 2), PhiloxKernels::uniform, out, seed, offset, wide);
    }
    return stream.record();
  }

  /**
   * Sets floats to numbers of the normal distribution with mean 0 and standard deviation 1, by the
   * method of Box and Muller. None is farther from 0 than 5.8.
   *
   * @param stream the operation's place among others
   * @param out what is set
   * @param seed names the sequence
   * @param offset which element of the sequence is the first; 0 or more
   * @return an event that stands for the result
   * @throws IllegalArgumentException if {@code offset} is negative, or the array lies on another
   *     device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or the array is closed
   */
  public static Event normal(Stream stream, GlobalFloats out, long seed, long offset) {
    int wide = wide(stream, out, offset, 4);
    if (out.length() > 0) {
      stream.launch(grid(out, offset, 4), PhiloxKernels::normal, out, seed, offset, wide);
    }
    return stream.record();
  }

  /** Checks the arguments, and says whether 16 bytes can be written at once. */
  private static int wide(Stream stream, GlobalArray out, long offset, int ofBlock) {
    Arguments.on(stream, out, "out");
    Arguments.notNegative(offset, "offset");
    return Arguments.aligned(out) && offset % ofBlock == 0 ? 1 : 0;
  }

  private static Grid grid(GlobalArray out, long offset, int ofBlock) {
    long numbers = Math.ceilDiv(out.length() + offset % ofBlock, ofBlock);
    return Grid.covering(numbers, PhiloxKernels.THREADS);
  }
}
