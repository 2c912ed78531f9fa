package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
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
  private final boolean isLeftShared;
  private final long left;
  private final long right;
  private final boolean add;
  private final @Nullable CallPath line;
  private final @Nullable Part[] parts = new @Nullable Part[ProductShape.THREADS];
  private final List<Coroutine> waiting = new ArrayList<>(0);

  /** When each thread began it, by its own clock. */
  private final int[] since = new int[ProductShape.THREADS];

  /** When each thread waited, by its own clock; 0 if it has not. */
  private final int[] waited = new int[ProductShape.THREADS];

  private int firstRank;
  private int begun;
  private int landed;
  private @Nullable MatrixNumbers numbers;

  WarpGroupProduct(
      ProductShape shape, LeftMatrix left, long right, boolean add, @Nullable CallPath line) {
    this.shape = shape;
    this.isLeftShared = left instanceof LeftMatrix.Shared;
    this.left = descriptor(left);
    this.right = right;
    this.add = add;
    this.line = line;
  }

  private static long descriptor(LeftMatrix left) {
    return left instanceof LeftMatrix.Shared it ? it.descriptor() : 0;
  }

  private static int rank(Coroutine thread) {
    return thread.rankInBlock() % ProductShape.THREADS;
  }

  /**
   * Called when a thread of the group begins the product.
   *
   * @param its the shape of the product that the thread begins
   * @param toRight its right matrix
   * @param adds whether it adds to the sum
   * @param before the product in flight that adds to the same sum before
   */
  void begin(
      Coroutine thread,
      ProductShape its,
      Accumulators sum,
      LeftMatrix from,
      long toRight,
      boolean adds,
      @Nullable WarpGroupProduct before) {
    boolean same =
        shape.equals(its)
            && isLeftShared == from instanceof LeftMatrix.Shared
            && left == descriptor(from)
            && right == toRight
            && add == adds;
    if (!same) {
      throw new IllegalStateException(
          "thread "
              + thread.rank()
              + " begins "
              + new WarpGroupProduct(its, from, toRight, adds, null).described()
              + " where another thread of its warp group has begun "
              + described()
              + ": all 128 have to begin the same products in the same order");
    }
    if (isFirstOfWarp(thread)) {
      watch(thread);
    }
    parts[rank(thread)] = new Part(sum, from, before);
    since[rank(thread)] = thread.order().now(thread);
    firstRank = thread.rank() - rank(thread);
    sum.poison();
    begun++;
    if (begun == ProductShape.THREADS) {
      waiting.forEach(Coroutine::goOn);
      waiting.clear();
    }
  }

  private String described() {
    return shape.what()
        + " of "
        + shape.columns()
        + " columns of "
        + (isLeftShared ? Long.toHexString(left) : "registers")
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

  private MatrixDescriptor leftMatrix(Coroutine thread) {
    return new MatrixDescriptor(thread.memory(), left, shape.transposedA(), shape.type());
  }

  private MatrixDescriptor rightMatrix(Coroutine thread) {
    return new MatrixDescriptor(thread.memory(), right, shape.transposedB(), shape.type());
  }

  /** Checks that the matrices are there, and notes that the product reads them. */
  private void watch(Coroutine thread) {
    if (isLeftShared) {
      watch(thread, leftMatrix(thread), ProductShape.ROWS);
    }
    watch(thread, rightMatrix(thread), shape.columns());
  }

  private void watch(Coroutine thread, MatrixDescriptor matrix, int rows) {
    matrix.pieces(rows, from -> thread.races().begins(this, matrix.storage(), from, 16));
  }

  /** What a register of a thread is of the product; empty if the product has nothing of it. */
  String owns(Coroutine thread, Object array, int index) {
    Part part = part(rank(thread));
    if (part.sum.has(array, index)) {
      return "accumulators of ";
    }
    return part.left instanceof LeftMatrix.Registers registers && registers.has(array, index)
        ? "registers of the left matrix of "
        : "";
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
    MatrixNumbers known = numbers;
    if (known == null) {
      known = numbers(thread);
      numbers = known;
    }
    int rank = rank(thread);
    Part part = part(rank);
    if (part.left instanceof LeftMatrix.Registers registers) {
      registers.requireUntouched(toString());
    }
    WarpGroupProduct before = part.before;
    part.result = known.sums(rank, before == null ? part.given : before.part(rank).result, add);
    part.before = null;
    waited[rank] = thread.order().now(thread);
    landed++;
    if (landed == ProductShape.THREADS) {
      numbers = null;
    }
  }

  /** Gives the registers back to the thread. No other product in flight adds to them. */
  void give(Coroutine thread) {
    Part part = part(rank(thread));
    if (!part.sum.isPoisoned()) {
      throw new CopyMisuse(
          CopyRule.MISSING_WAIT,
          "accumulators of "
              + this
              + " have been written before it was waited for: call wgmmaWaitGroup before");
    }
    part.sum.set(part.result);
  }

  private MatrixNumbers numbers(Coroutine thread) {
    float[] first = isLeftShared ? leftMatrix(thread).numbers(ProductShape.ROWS) : fromRegisters();
    return new MatrixNumbers(shape, first, rightMatrix(thread).numbers(shape.columns()));
  }

  private float[] fromRegisters() {
    int depth = shape.type().depth();
    int bytes = shape.type().bytes();
    int packed = Integer.BYTES / bytes;
    float[] all = new float[ProductShape.ROWS * depth];
    for (int thread = 0; thread < ProductShape.THREADS; thread++) {
      LeftMatrix.Registers registers = (LeftMatrix.Registers) part(thread).left;
      for (int register = 0; register < 4; register++) {
        int row = thread / LANES * 16 + thread % LANES / 4 + register % 2 * 8;
        int column = thread % 4 * packed + register / 2 * 4 * packed;
        int bits = registers.value(register);
        for (int i = 0; i < packed; i++) {
          all[row * depth + column + i] = shape.type().number(bits >>> (i * 8 * bytes));
        }
      }
    }
    return all;
  }

  /** One lane of each warp is enough. */
  @Override
  public boolean isReadKnownTo(HappensBefore order, Coroutine thread) {
    return isKnownOfEachWarp(waited, order, thread);
  }

  @Override
  public boolean isBegunKnownTo(HappensBefore order, Coroutine thread) {
    return isKnownOfEachWarp(since, order, thread);
  }

  /** Whether a thread knows that one lane of each warp has come so far. */
  private boolean isKnownOfEachWarp(int[] clocks, HappensBefore order, Coroutine thread) {
    for (int warp = 0; warp < WARPS; warp++) {
      boolean known = false;
      for (int lane = 0; lane < LANES && !known; lane++) {
        int number = warp * LANES + lane;
        known = clocks[number] != 0 && order.knows(thread, firstRank + number, clocks[number]);
      }
      if (!known) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean isMultipliedBy(Coroutine thread) {
    int number = thread.rank() - firstRank;
    return number >= 0 && number < ProductShape.THREADS;
  }

  @Override
  public boolean isPendingIn(Coroutine thread) {
    int number = thread.rank() - firstRank;
    return isMultipliedBy(thread) && parts[number] != null && waited[number] == 0;
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
