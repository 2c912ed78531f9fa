package dev.stretto.kernel.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A product of matrices that the threads of a warp group have begun, on a virtual device. It reads
 * shared memory as late as a GPU may: when the first thread waits for it and all threads have begun
 * it.
 */
final class WarpGroupProduct implements SharedRaceDetector.Product {
  private static final int WARPS = 4;
  private static final int LANES = 32;

  /** The part of one thread. */
  private static final class Part {
    private final Accumulators sum;
    private final LeftMatrix left;
    private @Nullable WarpGroupProduct before;
    private final int[] given;
    private int[] result = {};

    Part(Accumulators sum, LeftMatrix left, @Nullable WarpGroupProduct before) {
      this.sum = sum;
      this.left = left;
      this.before = before;
      this.given = before == null ? sum.bits() : new int[0];
    }
  }

  private final ProductShape shape;
  private final @Nullable Long left;
  private final long right;
  private final boolean add;
  private final @Nullable CallPath line;
  private final @Nullable Part[] parts = new @Nullable Part[ProductShape.THREADS];
  private final List<Coroutine> waiting = new ArrayList<>();

  /** When each thread waited, by its own clock; 0 if it has not. */
  private final int[] waited = new int[ProductShape.THREADS];

  private int firstRank;
  private int begun;
  private int landed;
  private float @Nullable [] leftNumbers;
  private float @Nullable [] rightNumbers;

  WarpGroupProduct(
      ProductShape shape, LeftMatrix left, long right, boolean add, @Nullable CallPath line) {
    this.shape = shape;
    this.left = left instanceof LeftMatrix.Shared it ? it.descriptor() : null;
    this.right = right;
    this.add = add;
    this.line = line;
  }

  private static int rank(Coroutine thread) {
    return thread.rankInBlock() % ProductShape.THREADS;
  }

  /** Called when a thread of the group begins the product. */
  void begin(
      Coroutine thread,
      WarpGroupProduct same,
      Accumulators sum,
      LeftMatrix from,
      @Nullable WarpGroupProduct before) {
    requireSame(thread, same);
    if (isFirstOfWarp(thread)) {
      watch(thread);
    }
    parts[rank(thread)] = new Part(sum, from, before);
    sum.poison();
    begun++;
    if (begun == ProductShape.THREADS) {
      waiting.forEach(Coroutine::goOn);
      waiting.clear();
    }
  }

  private void requireSame(Coroutine thread, WarpGroupProduct same) {
    if (!shape.equals(same.shape)
        || !Objects.equals(left, same.left)
        || right != same.right
        || add != same.add) {
      throw new IllegalStateException(
          "thread "
              + thread.rank()
              + " begins "
              + same.described()
              + " where another thread of its warp group has begun "
              + described()
              + ": all 128 have to begin the same products in the same order");
    }
  }

  private String described() {
    return shape.what()
        + " of "
        + shape.columns()
        + " columns of "
        + (left == null ? "registers" : Long.toHexString(left))
        + " and "
        + Long.toHexString(right)
        + (add ? ", added" : "");
  }

  private boolean isFirstOfWarp(Coroutine thread) {
    int first = rank(thread) / LANES * LANES;
    for (int i = first; i < first + LANES; i++) {
      if (parts[i] != null) {
        return false;
      }
    }
    return true;
  }

  private MatrixDescriptor leftMatrix(Coroutine thread, long descriptor) {
    return new MatrixDescriptor(thread.memory(), descriptor, shape.transposedA(), shape.type());
  }

  private MatrixDescriptor rightMatrix(Coroutine thread) {
    return new MatrixDescriptor(thread.memory(), right, shape.transposedB(), shape.type());
  }

  /** Checks that the matrices are there, and notes that the product reads them. */
  private void watch(Coroutine thread) {
    if (left != null) {
      watch(thread, leftMatrix(thread, left), ProductShape.ROWS);
    }
    watch(thread, rightMatrix(thread), shape.columns());
  }

  private void watch(Coroutine thread, MatrixDescriptor matrix, int rows) {
    matrix.pieces(rows, from -> thread.races().begins(this, matrix.storage(), from, 16));
  }

  /** The accumulators of a thread. */
  Accumulators sum(Coroutine thread) {
    return part(rank(thread)).sum;
  }

  private Part part(int rank) {
    return Objects.requireNonNull(parts[rank], "a product that a thread has begun");
  }

  /**
   * Makes a thread wait until all others have begun the product.
   *
   * @return whether they have; if not, the thread has left off
   */
  boolean isBegunByAll(Coroutine thread) {
    while (begun < ProductShape.THREADS) {
      waiting.add(thread);
      boolean leaves =
          thread.leavesOff(
              this,
              () ->
                  this
                      + ", which "
                      + (ProductShape.THREADS - begun)
                      + " threads of the warp group have not begun");
      if (leaves) {
        return false;
      }
    }
    return true;
  }

  /** Computes the thread's sum. All threads have begun the product. */
  void land(Coroutine thread) {
    compute(thread);
    Part part = part(rank(thread));
    if (part.left instanceof LeftMatrix.Registers registers) {
      registers.requireUntouched(toString());
    }
    part.result = sums(part, rank(thread));
    part.before = null;
    firstRank = thread.rank() - rank(thread);
    waited[rank(thread)] = thread.order().now(thread);
    landed++;
    if (landed == ProductShape.THREADS) {
      leftNumbers = null;
      rightNumbers = null;
    }
  }

  /** Gives the registers back to the thread. No other product in flight adds to them. */
  void give(Coroutine thread) {
    Part part = part(rank(thread));
    if (!part.sum.isPoisoned()) {
      throw new IllegalStateException(
          "accumulators of "
              + this
              + " have been written before it was waited for: call wgmmaWaitGroup before");
    }
    part.sum.set(part.result);
  }

  private void compute(Coroutine thread) {
    if (rightNumbers == null) {
      rightNumbers = rightMatrix(thread).numbers(shape.columns());
      leftNumbers =
          left == null ? fromRegisters() : leftMatrix(thread, left).numbers(ProductShape.ROWS);
    }
  }

  private float[] fromRegisters() {
    int depth = shape.type().depth();
    float[] numbers = new float[ProductShape.ROWS * depth];
    for (int thread = 0; thread < ProductShape.THREADS; thread++) {
      LeftMatrix.Registers registers = (LeftMatrix.Registers) part(thread).left;
      for (int register = 0; register < 4; register++) {
        int row = thread / LANES * 16 + thread % LANES / 4 + register % 2 * 8;
        int column = thread % 4 * 2 + register / 2 * 8;
        int bits = registers.value(register);
        numbers[row * depth + column] = shape.type().number(bits);
        numbers[row * depth + column + 1] = shape.type().number(bits >>> 16);
      }
    }
    return numbers;
  }

  private int[] sums(Part part, int rank) {
    float[] a = Objects.requireNonNull(leftNumbers, "numbers");
    float[] b = Objects.requireNonNull(rightNumbers, "numbers");
    int depth = shape.type().depth();
    int[] before = part.before == null ? part.given : part.before.part(rank).result;
    int[] sums = new int[shape.columns() / 2];
    for (int i = 0; i < sums.length; i++) {
      int atA = ProductShape.row(rank, i) * depth;
      int atB = ProductShape.column(rank, i) * depth;
      if (shape.type() == ProductType.S8) {
        int sum = add ? before[i] : 0;
        for (int k = 0; k < depth; k++) {
          int one = (int) a[atA + k];
          int other = (int) b[atB + k];
          sum += one * other;
        }
        sums[i] = sum;
      } else {
        float sum = add ? Float.intBitsToFloat(before[i]) : 0;
        for (int k = 0; k < depth; k++) {
          sum += a[atA + k] * b[atB + k];
        }
        sums[i] = Float.floatToRawIntBits(sum);
      }
    }
    return sums;
  }

  /** One lane of each warp is enough. */
  @Override
  public boolean isReadKnownTo(HappensBefore order, Coroutine thread) {
    for (int warp = 0; warp < WARPS; warp++) {
      boolean known = false;
      for (int lane = 0; lane < LANES && !known; lane++) {
        int number = warp * LANES + lane;
        known = waited[number] != 0 && order.knows(thread, firstRank + number, waited[number]);
      }
      if (!known) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean isRead() {
    return landed == ProductShape.THREADS;
  }

  @Override
  public String toString() {
    return shape.what() + CallPath.inBrackets(line);
  }
}
