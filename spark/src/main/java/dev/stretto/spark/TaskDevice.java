package dev.stretto.spark;

import dev.stretto.Device;
import dev.stretto.LimitedPool;
import dev.stretto.Stream;
import dev.stretto.fault.AwaitInterruptedException;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.OutOfDeviceMemoryException;
import dev.stretto.fault.PinnedBudgetException;
import dev.stretto.flow.Flow;
import dev.stretto.flow.FlowPlan;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task's part of a device: streams of its own, and its part of the device's and of the pinned
 * memory. {@link SparkDevices#ofTask()} gives it.
 *
 * <p>It ends with the task, however that ends: flows are cancelled, then its streams are awaited,
 * and only then its memory is freed, so nothing that a killed task has enqueued touches freed
 * memory, Spark's own memory included. A failure on a stream that the task has not noticed fails
 * the task. Use the streams of this object, and not those of {@link #device()}, which the task's
 * end does not await.
 *
 * <p>Any thread may use it until the task has ended; after that, every method but {@link
 * #toString()} throws {@link ClosedException}.
 */
public final class TaskDevice {
  private static final Logger LOG = LoggerFactory.getLogger(StrettoPlugin.class);
  private static final Duration SLOW_END = Duration.ofSeconds(30);

  private final OpenedDevice opened;
  private final String task;
  private final double amount;
  private final HostMemory hostMemory;
  private final Duration memoryWait;

  // Guarded by this.
  private final List<Stream> streams = new ArrayList<>();
  private final List<TaskFlow> flows = new ArrayList<>();
  private @Nullable Stream stream;
  private @Nullable LimitedPool memory;
  private @Nullable TaskArena pinned;
  private boolean ended;

  /** Of the thread that ends the task. */
  private boolean interrupted;

  TaskDevice(
      OpenedDevice opened, String task, double amount, HostMemory hostMemory, Duration memoryWait) {
    this.opened = opened;
    this.task = task;
    this.amount = amount;
    this.hostMemory = hostMemory;
    this.memoryWait = memoryWait;
    opened.taskBegins();
  }

  /** {@return the device, which other tasks use too, and the plugin closes} */
  public synchronized Device device() {
    requireTask();
    return opened.device();
  }

  /** {@return the address by which Spark knows the device} */
  public String address() {
    return opened.address();
  }

  /** {@return how much of the device the task has: more than 0, at most 1} */
  public double amount() {
    return amount;
  }

  /**
   * {@return the task's stream, the same one each time; the task's end awaits and closes it}
   *
   * @throws ClosedException if the task has ended
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public synchronized Stream stream() {
    Stream own = stream;
    if (own == null) {
      own = newStream();
      stream = own;
    }
    return own;
  }

  /**
   * {@return one more stream of the task; the task's end awaits and closes it}
   *
   * @throws ClosedException if the task has ended
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public synchronized Stream newStream() {
    requireTask();
    Stream made = opened.device().stream(task);
    streams.add(made);
    return made;
  }

  /** {@return how many bytes of the device's memory the task may have} */
  public long memoryBytes() {
    return Math.max(1, (long) (opened.device().properties().totalBytes() * amount));
  }

  /**
   * {@return the task's part of the device's memory, the same pool each time} Arrays out of it,
   * such as {@code stream().allocateFloats(memory(), length)}, need not be closed: the task's end
   * frees them.
   *
   * @throws ClosedException if the task has ended
   * @throws dev.stretto.fault.NoMemoryPoolException if the device has no memory pools
   */
  public synchronized LimitedPool memory() {
    requireTask();
    LimitedPool own = memory;
    if (own == null) {
      own = opened.device().memoryPool(memoryBytes());
      memory = own;
    }
    return own;
  }

  /** {@return how many bytes of pinned memory the task may have} */
  public long pinnedBytes() {
    return (long) (opened.pinnedBytes() * amount);
  }

  /**
   * {@return the task's part of the pinned memory, the same arena each time; the task's end closes
   * it} An allocation throws {@link TaskMemoryException} if the task would have more than {@link
   * #pinnedBytes()}, or if {@code spark.memory.offHeap.enabled} is set and Spark grants less than
   * that, after others of the task have spilled; it throws {@link PinnedBudgetException} if the
   * staging of copies has taken what is left of the device's budget.
   *
   * @throws ClosedException if the task has ended
   */
  public synchronized Arena pinned() {
    requireTask();
    TaskArena own = pinned;
    if (own == null) {
      own = new TaskArena(opened.device().pinnedArena(), pinnedBytes(), hostMemory);
      pinned = own;
    }
    return own;
  }

  /**
   * Allocates, and waits for other tasks if their memory is missing. The allocation is tried again
   * as they end or free, until {@code spark.stretto.memoryWait} is over. If no other task uses the
   * device, it is not tried again.
   *
   * @param allocation is called again after an {@link OutOfDeviceMemoryException} or a {@link
   *     PinnedBudgetException}; it must leave nothing behind when it throws
   * @param <T> what it allocates
   * @return what it returns
   * @throws TaskMemoryException if there is no memory in time, or none to wait for; with the
   *     numbers, and the last failure as its cause
   * @throws AwaitInterruptedException if the thread is interrupted meanwhile, as Spark does with a
   *     task that it kills
   * @throws ClosedException if the task has ended
   */
  public <T> T allocate(Supplier<T> allocation) {
    Objects.requireNonNull(allocation, "allocation");
    long left = memoryWait.toNanos();
    while (true) {
      Device _ = device();
      try {
        return allocation.get();
      } catch (OutOfDeviceMemoryException | PinnedBudgetException e) {
        if (left <= 0 || opened.tasks() < 2) {
          throw new TaskMemoryException(missing(left), e);
        }
      }
      try {
        left = opened.awaitRelease(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AwaitInterruptedException(
            "interrupted while waiting for memory of other tasks on " + opened, e);
      }
    }
  }

  private String missing(long left) {
    int others = opened.tasks() - 1;
    return "%s has %d bytes free; this task may have %d of its memory and %d of pinned memory; %s;"
        .concat(" let fewer tasks share a GPU by a larger %s, or set %s")
        .formatted(
            opened,
            opened.device().freeBytes(),
            memoryBytes(),
            pinnedBytes(),
            left > 0
                ? "no other task uses the device, so none was waited for"
                : "%d other tasks did not release enough within %d s"
                    .formatted(others, memoryWait.toSeconds()),
            SparkSettings.SPARK_AMOUNT,
            SparkSettings.MEMORY_WAIT);
  }

  /**
   * {@return a flow that ends with the task at the latest}
   *
   * @param pinnedBytes what its buffers take from Spark's account
   * @param exchange is told of its end, and stops it
   * @param plan is asked again while memory is missing
   */
  TaskFlow flow(long pinnedBytes, Exchange exchange, Function<Device, FlowPlan> plan) {
    Flow flow =
        hostMemory.take(pinnedBytes, _ -> allocate(() -> plan.apply(opened.device()).start()));
    CompletableFuture<?> _ = flow.toCompletableFuture().whenComplete((_, _) -> exchange.end());
    TaskFlow owned = new TaskFlow(flow, exchange::end, () -> hostMemory.giveBack(pinnedBytes));
    synchronized (this) {
      if (!ended) {
        flows.removeIf(TaskFlow::isClosed);
        flows.add(owned);
        return owned;
      }
    }
    owned.close();
    throw hasEnded();
  }

  private void requireTask() {
    if (ended) {
      throw hasEnded();
    }
  }

  private ClosedException hasEnded() {
    return new ClosedException(
        task + " has ended, and its part of " + opened + " with it: await its work in the task");
  }

  // --- the end
  // ----------------------------------------------------------------------------------------------------------------

  /**
   * {@return the first failure that nobody has noticed; null if there is none} Again: no effect.
   */
  @Nullable RuntimeException end() {
    synchronized (this) {
      if (ended) {
        return null;
      }
      ended = true;
    }
    // A killed task is interrupted. Its memory must not be freed under the device's hands for that.
    interrupted = Thread.interrupted();
    RuntimeException failure = null;
    try {
      flows.forEach(this::closeQuietly);
      for (Stream each : streams) {
        RuntimeException own = awaited(each);
        failure = failure == null ? own : failure;
      }
    } finally {
      streams.forEach(this::closeQuietly);
      closeQuietly(pinned);
      closeQuietly(memory);
      opened.taskEnds();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return failure;
  }

  private @Nullable RuntimeException awaited(Stream each) {
    while (true) {
      try {
        if (each.await(SLOW_END)) {
          return null;
        }
        LOG.warn(
            "{} has ended, but its work on {} still runs: its memory stays until that is over",
            task,
            opened);
      } catch (AwaitInterruptedException e) {
        interrupted |= Thread.interrupted(); // again, as the one does who kills the task
      } catch (RuntimeException e) {
        return e;
      }
    }
  }

  private void closeQuietly(@Nullable AutoCloseable part) {
    try {
      if (part != null) {
        part.close();
      }
    } catch (Exception e) {
      LOG.warn("{} has ended, but a part of what it has on {} cannot be closed", task, opened, e);
    }
  }

  @Override
  public String toString() {
    return task + " on " + opened;
  }
}
