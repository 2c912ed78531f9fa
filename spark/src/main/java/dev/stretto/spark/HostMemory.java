package dev.stretto.spark;

import java.util.function.LongFunction;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;
import org.jspecify.annotations.Nullable;

/**
 * Takes the host memory of a task from Spark's account, if Spark accounts for memory outside of the
 * heap: then others of the task spill, and Spark waits for other tasks by its own rules.
 */
final class HostMemory {
  /** Takes memory without asking. */
  static final HostMemory WITHOUT_ACCOUNT = new HostMemory(null);

  private final @Nullable Account account;

  private HostMemory(@Nullable Account account) {
    this.account = account;
  }

  static HostMemory of(TaskMemoryManager spark) {
    return new HostMemory(new Account(spark));
  }

  /**
   * Makes something of so many bytes, which Spark grants first.
   *
   * @throws TaskMemoryException if Spark grants less
   */
  <T> T take(long bytes, LongFunction<T> making) {
    Account from = account;
    if (from == null) {
      return making.apply(bytes);
    }
    long granted = from.acquireMemory(bytes);
    if (granted < bytes) {
      from.freeMemory(granted);
      throw new TaskMemoryException(
          "a task needs %d bytes of host memory, but Spark grants %d, after others have spilled:"
                  .formatted(bytes, granted)
              + " raise spark.memory.offHeap.size, or let fewer tasks run at a time");
    }
    try {
      return making.apply(bytes);
    } catch (RuntimeException | Error e) {
      from.freeMemory(bytes);
      throw e;
    }
  }

  void giveBack(long bytes) {
    Account from = account;
    if (from != null) {
      from.freeMemory(bytes);
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
