package dev.stretto.spark;

import java.util.function.LongFunction;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;

/**
 * Takes the host memory of a task from Spark's account, if Spark accounts for memory outside of the
 * heap: then others of the task spill, and Spark waits for other tasks by its own rules.
 */
final class HostMemory {
  private final Account account;
  private final boolean isAccounted;

  HostMemory(TaskMemoryManager spark, boolean isAccounted) {
    this.account = new Account(spark);
    this.isAccounted = isAccounted;
  }

  /**
   * Makes something of so many bytes, which Spark grants first.
   *
   * @throws TaskMemoryException if Spark grants less
   */
  <T> T take(long bytes, LongFunction<T> making) {
    if (!isAccounted) {
      return making.apply(bytes);
    }
    long granted = account.acquireMemory(bytes);
    if (granted < bytes) {
      account.freeMemory(granted);
      throw new TaskMemoryException(
          "a task needs %d bytes of host memory, but Spark grants %d, after others have spilled: raise spark.memory.offHeap.size, or let fewer tasks run at a time"
              .formatted(bytes, granted));
    }
    try {
      return making.apply(bytes);
    } catch (RuntimeException | Error e) {
      account.freeMemory(bytes);
      throw e;
    }
  }

  void giveBack(long bytes) {
    if (isAccounted) {
      account.freeMemory(bytes);
    }
  }

  /** What the device may be copying cannot be spilled. */
  private static final class Account extends MemoryConsumer {
    Account(TaskMemoryManager spark) {
      super(spark, spark.pageSizeBytes(), MemoryMode.OFF_HEAP);
    }

    @Override
    public long spill(long bytes, MemoryConsumer trigger) {
      return 0;
    }
  }
}
