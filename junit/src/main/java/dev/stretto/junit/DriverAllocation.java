package dev.stretto.junit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Counts the bytes that each thread has allocated, and those of them that were the driver's. On a
 * virtual device the driver is a model in Java, which allocates much; a GPU's does not.
 */
final class DriverAllocation {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final ThreadLocal<Count> COUNTS = ThreadLocal.withInitial(Count::new);

  /** Of one thread. */
  private static final class Count {
    private long bytes;
    private int depth;
    private boolean isMeasured;
  }

  private DriverAllocation() {}

  /** {@return the bytes that the calling thread has allocated so far, without the driver's} */
  static long othersBytes() {
    Count count = COUNTS.get();
    return THREADS.getCurrentThreadAllocatedBytes() - count.bytes;
  }

  /** Is told whether an assertion measures the calling thread. */
  static void measured(boolean now) {
    COUNTS.get().isMeasured = now;
  }

  /** {@return whether an assertion measures the calling thread} */
  static boolean isMeasured() {
    return COUNTS.get().isMeasured;
  }

  /** Begins a call of the driver. {@return what {@link #end} takes} */
  static long begin() {
    COUNTS.get().depth++;
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  /** Ends a call of the driver, which may lie within another one. */
  static void end(long begun) {
    Count count = COUNTS.get();
    if (--count.depth == 0) {
      count.bytes += THREADS.getCurrentThreadAllocatedBytes() - begun;
    }
  }
}
