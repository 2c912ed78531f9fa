package dev.stretto.examples.kmeans;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernels.RadixSort;
import dev.stretto.kernels.Reduce;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;

/**
 * One iteration on one device: takes points chunk by chunk and keeps only centres and sums. Chunks
 * come one after the other, on one stream or in the order of streams.
 *
 * <p>Of a chunk, the nearest centres are found ({@link Assignment}), the points sorted by them, and
 * added up ({@link Sums}).
 */
public final class KMeansStep {
  /** As many pieces of sorted points fill a device. */
  private static final int PIECES = 1024;

  private static final int LEAST_PIECE = 64;

  private static final long ALIGNMENT = 256;

  private final int width;
  private final int count;
  private final int most;
  private final GlobalFloats mean;
  private final GlobalFloats rounded;
  private final GlobalFloats ranges;
  private final GlobalDoubles centres;
  private final GlobalDoubles totals;
  private final GlobalDoubles carries;
  private final GlobalDoubles costs;
  private final GlobalLongs strange;
  private final GlobalInts numbers;
  private final GlobalInts labels;
  private final GlobalInts sorted;
  private final GlobalInts order;

  private boolean isBounded;
  private boolean isNumbered;

  /**
   * @param memory on the device, {@link #bytes} of it or more; it belongs to this object until it
   *     is no longer used
   * @param width the coordinates of a point
   * @param count how many centres there are
   * @param most how many points a chunk has at most
   */
  public KMeansStep(GlobalBytes memory, int width, int count, int most) {
    this.width = width;
    this.count = count;
    this.most = most;
    Shape shape = new Shape(most, width, count, true);
    Parts parts = new Parts(memory);
    mean = parts.next(4L * shape.paddedWidth()).asFloats();
    rounded = parts.next(4L * shape.paddedWidth() * shape.paddedCentres()).asFloats();
    ranges = parts.next(16L * shape.paddedCentres()).asFloats();
    centres = parts.next(8L * width * count).asDoubles();
    totals = parts.next(8L * totals(width, count)).asDoubles();
    carries = parts.next(8L * PIECES * width).asDoubles();
    costs = parts.next(8L * PIECES * slabs(width)).asDoubles();
    strange = parts.next(8).asLongs();
    numbers = parts.next(4L * most).asInts();
    labels = parts.next(4L * most).asInts();
    sorted = parts.next(4L * most).asInts();
    order = parts.next(4L * most).asInts();
  }

  /** Cuts memory into parts. */
  private static final class Parts {
    private final GlobalBytes memory;
    private long begin;

    Parts(GlobalBytes memory) {
      this.memory = memory;
    }

    GlobalBytes next(long bytes) {
      GlobalBytes part = memory.slice(begin, bytes);
      begin += rounded(bytes);
      return part;
    }

    static long rounded(long bytes) {
      return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
    }
  }

  /**
   * {@return how many bytes of a device's memory it takes}
   *
   * @param width the coordinates of a point
   * @param count how many centres there are
   * @param most how many points a chunk has at most
   * @throws IllegalArgumentException if there cannot be such centres
   */
  public static long bytes(int width, int count, int most) {
    Centres.requireSizes(width, count);
    Shape shape = new Shape(most, width, count, true);
    long numbers = shape.paddedWidth() * (1L + shape.paddedCentres()) + 4L * shape.paddedCentres();
    long doubles =
        (long) width * count + totals(width, count) + PIECES * (long) (width + slabs(width));
    return 4 * numbers + 8 * doubles + 16L * most + 16 * ALIGNMENT;
  }

  /**
   * Requires a device whose tensor cores take floats.
   *
   * @throws UnsupportedOperationException if it has none, with the device's compute capability
   */
  public static void requireTensorCores(Device device) {
    int major = device.properties().computeMajor();
    if (major < 8) {
      throw new UnsupportedOperationException(
          "%s has compute capability %d.%d: the tensor cores take floats (TF32) from 8.0 on"
              .formatted(device, major, device.properties().computeMinor()));
    }
  }

  /** {@return how many numbers {@link #totals(Stream)} has: sums, counts and the cost} */
  static int totals(int width, int count) {
    return width * count + count + 1;
  }

  private static int slabs(int width) {
    return Math.ceilDiv(width, Sums.THREADS);
  }

  /**
   * Begins an iteration, and waits until the device has its centres.
   *
   * @param stream the place of this among other work
   * @param next where the centres are
   */
  public void begin(Stream stream, Centres next) {
    if (next.width() != width || next.count() != count) {
      throw new IllegalArgumentException(
          "%s, but this step is for %d of %d coordinates".formatted(next, count, width));
    }
    Bounds bounds = Bounds.of(next);
    isBounded = bounds.isTrue();
    stream.copy(bounds.mean(), mean);
    stream.copy(bounds.rounded(), rounded);
    stream.copy(bounds.ranges(), ranges);
    stream.copy(next.values(), centres);
    stream.fill(totals, 0);
    stream.fill(costs, 0);
    stream.fill(strange, Long.MAX_VALUE);
    if (!isNumbered) {
      stream.launch(Grid.covering(most, Sums.THREADS), Sums::number, numbers);
      isNumbered = true;
    }
    stream.await();
  }

  /**
   * Enqueues what adds a chunk of points.
   *
   * @param stream the place of this among other work
   * @param points one after the other
   * @param first the number of the first one
   * @throws IllegalArgumentException if they are too many, or one is not whole
   */
  public void add(Stream stream, GlobalFloats points, long first) {
    if (points.length() % width != 0 || points.length() / width > most) {
      throw new IllegalArgumentException(
          "a chunk of %d floats: it may have %d points of %d coordinates"
              .formatted(points.length(), most, width));
    }
    int n = (int) (points.length() / width);
    if (n == 0) {
      return;
    }
    Shape shape = new Shape(n, width, count, isBounded);
    int copied = width % 4 == 0 ? 4 : width % 2 == 0 ? 2 : 1;
    GlobalInts own = labels.slice(0, n);
    stream.launch(
        Grid.of(Math.ceilDiv(n, Assignment.POINTS), Assignment.THREADS),
        Assignment::assign,
        points,
        mean,
        rounded,
        ranges,
        centres,
        own,
        strange,
        first,
        shape,
        copied);
    GlobalInts inOrder = sorted.slice(0, n);
    GlobalInts places = order.slice(0, n);
    RadixSort.pairs(stream, own, inOrder, numbers.slice(0, n), places);
    int length = Math.max(LEAST_PIECE, Math.ceilDiv(n, PIECES));
    int slabs = slabs(width);
    stream.launch(
        Grid.of(Math.ceilDiv(n, length), slabs, Sums.THREADS, 1),
        Sums::add,
        points,
        inOrder,
        places,
        centres,
        totals,
        carries,
        costs,
        shape,
        length);
    stream.launch(
        Grid.of(count, slabs, Sums.THREADS, 1),
        Sums::carry,
        inOrder,
        totals,
        carries,
        shape,
        length);
  }

  /**
   * Enqueues what completes the totals.
   *
   * @param stream the place of this among other work, after all chunks
   * @return the sums of each centre, the counts, and the cost: the sum of squared distances
   */
  public GlobalDoubles totals(Stream stream) {
    Reduce.sum(stream, costs, totals.slice(totals.length() - 1, 1));
    return totals;
  }

  /**
   * {@return the least number of a point with NaN or infinity; {@link Long#MAX_VALUE} if there is
   * none} Waits for the stream.
   *
   * @param stream the place of this among other work, after all chunks
   */
  public long strangePoint(Stream stream) {
    long[] number = new long[1];
    stream.copy(strange, number).await();
    return number[0];
  }
}
