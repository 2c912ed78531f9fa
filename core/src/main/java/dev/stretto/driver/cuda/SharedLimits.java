package dev.stretto.driver.cuda;

import java.util.Arrays;

/**
 * How much dynamic shared memory each kernel is allowed. CUDA refuses a launch with more than 48
 * KiB of dynamic and static shared memory together, unless the kernel's limit has been raised. The
 * first launch that needs more raises it.
 */
final class SharedLimits {
  private static final int MAX_DYNAMIC_SHARED_BYTES = 8;
  private static final int UNASKED_BYTES = 48 << 10;

  /** Functions in ascending order with their limits; read without a lock, replaced as a whole. */
  private static final class Raised {
    static final Raised NONE = new Raised(new long[0], new int[0]);

    private final long[] functions;
    private final int[] limits;

    Raised(long[] functions, int[] limits) {
      this.functions = functions;
      this.limits = limits;
    }

    boolean covers(long function, int bytes) {
      int at = Arrays.binarySearch(functions, function);
      return at >= 0 && limits[at] >= bytes;
    }

    Raised with(long function, int bytes) {
      int at = Arrays.binarySearch(functions, function);
      if (at >= 0) {
        int[] raised = limits.clone();
        raised[at] = bytes;
        return new Raised(functions, raised);
      }
      int insertion = -at - 1;
      long[] moreFunctions = new long[functions.length + 1];
      int[] moreLimits = new int[limits.length + 1];
      System.arraycopy(functions, 0, moreFunctions, 0, insertion);
      System.arraycopy(limits, 0, moreLimits, 0, insertion);
      moreFunctions[insertion] = function;
      moreLimits[insertion] = bytes;
      int rest = functions.length - insertion;
      System.arraycopy(functions, insertion, moreFunctions, insertion + 1, rest);
      System.arraycopy(limits, insertion, moreLimits, insertion + 1, rest);
      return new Raised(moreFunctions, moreLimits);
    }
  }

  private final Context context;
  private final Health health;
  private final int mostBytes;
  private volatile Raised raised = Raised.NONE;

  /**
   * Creates a table without raised limits.
   *
   * @param mostBytes the most shared memory that a block of this device can opt in to
   */
  SharedLimits(Context context, Health health, int mostBytes) {
    this.context = context;
    this.health = health;
    this.mostBytes = mostBytes;
  }

  /**
   * Lets a kernel with static shared memory use 48 KiB of dynamic shared memory in addition, so
   * that launches that need no more can skip the check.
   */
  void openUp(long function, int staticBytes) {
    if (staticBytes > 0) {
      raise(function, Math.min(UNASKED_BYTES, mostBytes - staticBytes));
    }
  }

  /** Allows a launch with this much dynamic shared memory. */
  void allow(long function, int bytes) {
    Context.assertMayBlock("looking at a limit of shared memory");
    if (bytes > UNASKED_BYTES && !raised.covers(function, bytes)) {
      raise(function, bytes);
    }
  }

  // Locked, so that a smaller limit never replaces a larger one that another thread has set.
  private synchronized void raise(long function, int bytes) {
    Context.assertMayBlock("raising a limit of shared memory");
    if (!raised.covers(function, bytes)) {
      context.run(
          _ -> KernelCalls.setAttribute(function, MAX_DYNAMIC_SHARED_BYTES, bytes),
          code ->
              health.failure(
                  code,
                  "cuFuncSetAttribute",
                  bytes + " bytes of dynamic shared memory; a block has " + mostBytes));
      raised = raised.with(function, bytes);
    }
  }

  /** Forgets all kernels, because the driver may give the handle of an unloaded one to another. */
  synchronized void forget() {
    raised = Raised.NONE;
  }
}
