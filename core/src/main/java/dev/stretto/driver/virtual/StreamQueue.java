package dev.stretto.driver.virtual;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A stream: operations that happen one after the other. Guarded by the platform's lock. */
final class StreamQueue {
  /** What a stream synchronizes with beside events. */
  enum Sort {
    /** With nothing. */
    NON_BLOCKING,
    /** A thread's default stream: with the legacy default stream. */
    PER_THREAD,
    /** The legacy default stream: with every stream that is not non-blocking. */
    LEGACY
  }

  private final Context context;
  private final long handle;
  private final int priority;
  private final Sort sort;
  private final ArrayDeque<Op> pending = new ArrayDeque<>();

  /** Modelled ends of the youngest operations, as many as the launch queue holds. */
  private final ArrayDeque<Long> ends = new ArrayDeque<>();

  private long tailNanos;

  StreamQueue(Context context, long handle, int priority, Sort sort) {
    this.context = context;
    this.handle = handle;
    this.priority = priority;
    this.sort = sort;
  }

  Context context() {
    return context;
  }

  int priority() {
    return priority;
  }

  Sort sort() {
    return sort;
  }

  String name() {
    String what =
        switch (sort) {
          case NON_BLOCKING -> "stream " + DeviceSpace.name(handle);
          case PER_THREAD -> "per-thread default stream " + DeviceSpace.name(handle);
          case LEGACY -> "legacy default stream";
        };
    return what + " of virtual device " + context.ordinal();
  }

  int size() {
    return pending.size();
  }

  boolean isIdle() {
    return pending.isEmpty();
  }

  /** {@return the operation that is next or running} */
  @Nullable Op head() {
    return pending.peekFirst();
  }

  /** {@return the operation that was added last, if it is not done} */
  @Nullable Op last() {
    return pending.peekLast();
  }

  /** {@return what is not done, in order} */
  Iterable<Op> pending() {
    return pending;
  }

  void add(Op op) {
    pending.addLast(op);
  }

  void removeHead() {
    pending.removeFirst();
  }

  /** {@return when all that was submitted is done on the modelled device} */
  long tailNanos() {
    return tailNanos;
  }

  /** Notes an operation's modelled end. */
  void ends(long nanos, int limit) {
    tailNanos = nanos;
    ends.addLast(nanos);
    if (ends.size() > limit) {
      ends.removeFirst();
    }
  }

  /** {@return when the launch queue has room for one more on the modelled device} */
  long roomNanos(int limit) {
    Long oldest = ends.peekFirst();
    return oldest == null || ends.size() < limit ? 0 : oldest;
  }
}
