package dev.stretto.driver.virtual;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The streams of a context by handle, and CUDA's rule for the legacy default stream: what is
 * enqueued there comes after all that the blocking streams and the threads' default streams hold,
 * and what is enqueued on those comes after all that it holds. Guarded by the platform's lock.
 */
final class StreamTable {
  private final PrimaryContext context;
  private final Map<Long, OpQueue> created = new HashMap<>();
  private final Map<Thread, OpQueue> perThread = new WeakHashMap<>();
  private final OpQueue legacy;

  /**
   * The streams that wait for the legacy one and were given something since it was given something
   * last. What they were given before, its last operation comes after already.
   */
  private final Set<OpQueue> givenSinceLegacy = new LinkedHashSet<>();

  /** When all that they were given is done on the modelled device. */
  private long blockingTailNanos;

  StreamTable(PrimaryContext context) {
    this.context = context;
    this.legacy = new OpQueue(context, VirtualDevice.LEGACY_STREAM, 0, OpQueue.Sort.LEGACY);
  }

  /** {@return the handle of a new stream} */
  long create(int priority, OpQueue.Sort sort) {
    long handle = context.platform().nextHandle();
    int clamped =
        Math.clamp(
            priority,
            context.properties().greatestPriority(),
            context.properties().lowestPriority());
    created.put(handle, new OpQueue(context, handle, clamped, sort));
    return handle;
  }

  /** Forgets a stream; what it holds goes on. */
  void destroy(long handle) {
    if (created.remove(handle) == null) {
      throw unknown("cuStreamDestroy", handle);
    }
  }

  /** Refuses what is no stream that was created here. */
  void checkCreated(String call, long handle) {
    if (!created.containsKey(handle)) {
      throw unknown(call, handle);
    }
  }

  /** {@return the stream that the calling thread means by a handle} */
  OpQueue get(String call, long handle) {
    if (handle == VirtualDevice.LEGACY_STREAM) {
      return legacy;
    }
    if (handle == VirtualDevice.PER_THREAD_STREAM) {
      return ofThisThread();
    }
    OpQueue stream = created.get(handle);
    if (stream == null) {
      throw unknown(call, handle);
    }
    return stream;
  }

  /** Has an operation that is about to be added to its stream come after what the rule says. */
  void order(Op op) {
    OpQueue stream = op.stream();
    if (stream == legacy) {
      givenSinceLegacy.forEach(given -> putAfterLast(op, given));
      givenSinceLegacy.clear();
    } else if (stream.waitsForLegacyStream()) {
      putAfterLast(op, legacy);
      givenSinceLegacy.add(stream);
    }
  }

  /**
   * {@return whether all is done that whoever awaits a stream waits for} Of the legacy stream that
   * is what the streams hold that it waits for, too: cuStreamQuery "uses standard default stream
   * semantics".
   */
  boolean isIdle(String call, long handle) {
    OpQueue stream = get(call, handle);
    return stream.isIdle() && (stream != legacy || givenSinceLegacy.isEmpty());
  }

  private static void putAfterLast(Op op, OpQueue other) {
    Op last = other.last();
    if (last != null) {
      op.after().add(last);
    }
  }

  /** {@return when the modelled device is done with all that a stream's next operation is after} */
  long readyNanos(OpQueue stream) {
    if (stream == legacy) {
      return Math.max(legacy.tailNanos(), blockingTailNanos);
    }
    return stream.waitsForLegacyStream()
        ? Math.max(stream.tailNanos(), legacy.tailNanos())
        : stream.tailNanos();
  }

  /** Notes the modelled end of a stream that waits for the legacy one, or of that one. */
  void ends(OpQueue stream) {
    if (stream != legacy) {
      blockingTailNanos = Math.max(blockingTailNanos, stream.tailNanos());
    }
  }

  /** A stream holds nothing any more. */
  void idle(OpQueue stream) {
    givenSinceLegacy.remove(stream);
  }

  /** {@return how many streams were created and not destroyed} */
  int count() {
    return created.size();
  }

  void clear() {
    created.clear();
    givenSinceLegacy.clear();
  }

  private OpQueue ofThisThread() {
    return perThread.computeIfAbsent(
        Thread.currentThread(),
        thread ->
            new OpQueue(context, context.platform().nextHandle(), 0, OpQueue.Sort.PER_THREAD));
  }

  private RuntimeException unknown(String call, long handle) {
    return CudaResult.INVALID_HANDLE.of(
        call,
        "virtual device %d has no stream %s"
            .formatted(context.ordinal(), DeviceSpace.name(handle)));
  }
}
