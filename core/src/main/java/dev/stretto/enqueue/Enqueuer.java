package dev.stretto.enqueue;

import dev.stretto.memory.GlobalArray;
import dev.stretto.observe.Counts;
import dev.stretto.observe.Observation;
import dev.stretto.observe.Observers;
import dev.stretto.observe.Work;
import dev.stretto.observe.WorkKind;
import dev.stretto.order.Issue;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.OpenStream;
import dev.stretto.route.Outcome;
import dev.stretto.route.StreamQueue;
import dev.stretto.route.Way;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything that enqueuing a copy needs: the stream, its observers, and the form in which the
 * program gets the copy.
 *
 * @param <C> the form
 * @param stream the stream
 * @param observers the observers of the stream's device
 * @param form makes the copies that the program gets
 */
public record Enqueuer<C>(OpenStream stream, Observers observers, CopyForm<C> form) {
  DeviceRuntime engine() {
    return stream.engine();
  }

  StreamQueue queue() {
    return stream.queue();
  }

  /** {@return whether the order of the stream's operations is checked} */
  public boolean isOrdered() {
    return queue().isOrdered();
  }

  /** {@return an operation that is about to be enqueued on a stream whose order is checked} */
  Issue issue(String name) {
    return Objects.requireNonNull(queue().issue(name, Observers::trail));
  }

  /** {@return operations that are about to be enqueued together, one after the other} */
  List<Issue> issues(String name, int count) {
    return queue().issues(name, Observers.trail(), count);
  }

  /** Enqueues an operation whose order was checked. */
  C enqueue(Issue issue, Supplier<C> operation) {
    boolean isEnqueued = false;
    try {
      C copy = operation.get();
      Way way = form.way(copy);
      if (way == Way.READ_AT_CALL) {
        issue.hasRead();
      } else if (way == Way.INLINE) {
        issue.mayTellThatItHasRead();
      }
      issue.enqueued(form.sequence(copy));
      isEnqueued = true;
      return copy;
    } finally {
      if (!isEnqueued) {
        issue.failed();
      }
    }
  }

  C copied(Way way, long sequence, @Nullable Outcome outcome) {
    return form.copy(way, sequence, outcome);
  }

  /**
   * {@return the memory of an array, which lies on the stream's device}
   *
   * @throws IllegalArgumentException if it lies on another device
   */
  DeviceBlock block(GlobalArray array) {
    return ArrayMemory.block(array, engine(), stream);
  }

  /**
   * {@return the beginning of what observers see of an operation, behind the waits that its order
   * has made}
   */
  @Nullable Observation before(WorkKind kind, @Nullable Issue issue) {
    try {
      return before(kind);
    } catch (RuntimeException e) {
      Issue.end(issue, -1);
      throw e;
    }
  }

  @Nullable Observation before(WorkKind kind) {
    return observers.before(stream, kind);
  }

  private void count(WorkKind kind, C copy, long bytes) {
    Counts counts = observers.counts();
    if (counts != null) {
      counts.copied(kind, form.way(copy), bytes);
    }
  }

  /** Reports a copy between a device and host memory, if it is observed. */
  C reported(
      @Nullable Observation begin,
      C copy,
      Direction direction,
      long bytes,
      MemorySegment host,
      boolean pinned) {
    count(direction.observed(), copy, bytes);
    if (begin != null) {
      observers.after(
          begin,
          stream,
          new Work(
              direction.observed(),
              direction.name(pinned),
              form.sequence(copy),
              bytes,
              form.way(copy),
              host,
              pinned));
    }
    return copy;
  }

  /** Reports a copy between a device and rows or a file, if it is observed. */
  C reported(@Nullable Observation begin, C copy, Direction direction, long bytes) {
    count(direction.observed(), copy, bytes);
    if (begin != null) {
      Work work =
          new Work(
              direction.observed(),
              direction.name(false),
              form.sequence(copy),
              bytes,
              form.way(copy));
      observers.after(begin, stream, work);
    }
    return copy;
  }

  /** Reports a copy that uses no host memory, if it is observed. */
  C reported(@Nullable Observation begin, C copy, String name, long bytes) {
    count(WorkKind.DEVICE_TO_DEVICE, copy, bytes);
    if (begin != null) {
      WorkKind kind = WorkKind.DEVICE_TO_DEVICE;
      Work work = new Work(kind, name, form.sequence(copy), bytes, form.way(copy));
      observers.after(begin, stream, work);
    }
    return copy;
  }

  /** Reports a copy between two devices, if it is observed. */
  C reportedBetween(
      @Nullable Observation begin, C copy, DeviceBlock from, DeviceBlock to, long bytes) {
    count(WorkKind.PEER, copy, bytes);
    if (begin != null) {
      Work work =
          Work.between(
              BetweenDevices.NAME,
              form.sequence(copy),
              bytes,
              form.way(copy),
              from.engine().name(),
              to.engine().name());
      observers.after(begin, stream, work);
    }
    return copy;
  }

  @Override
  public String toString() {
    return stream.toString();
  }
}
