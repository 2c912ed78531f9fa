package dev.stretto.driver.virtual;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a context by handle, and CUDA's rule for the legacy default stream: operations
 * there come after all operations that the blocking streams and the per-thread default streams
 * hold, and operations on those come after all operations that the legacy stream holds. Guarded by
 * the platform's lock.
 */
final class StreamTable {
  private final PrimaryContext context;
  private final Map<Long, OpQueue> created = new HashMap<>();
  private final Map<Thread, OpQueue> perThread = new WeakHashMap<>();
  private final OpQueue legacy;

  /**
   * The streams that synchronize with the legacy stream and have got operations since the last
   * operation there. That last operation already comes after all earlier ones.
   */
  private final Set<OpQueue> givenSinceLegacy = new LinkedHashSet<>();

  /** The latest moments of these streams on the modelled device. */
  private final Map<OpQueue, Moment> latestSinceLegacy = new HashMap<>();

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

  /** Forgets a stream; its operations go on. */
  void destroy(long handle) {
    if (created.remove(handle) == null) {
      throw unknown("cuStreamDestroy", handle);
    }
  }

  /** Refuses a handle that is not a stream created here. */
  void checkCreated(String call, long handle) {
    if (!created.containsKey(handle)) {
      throw unknown(call, handle);
    }
  }

  /** {@return the stream that a handle means on the calling thread} */
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

  /** Makes an operation that is about to be added to its stream follow the rule. */
  void order(StreamOp op) {
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
   * {@return whether everything that an await of the stream waits for is done} For the legacy
   * stream, this includes the operations of the streams with which it synchronizes: cuStreamQuery
   * "uses standard default stream semantics".
   */
  boolean isIdle(String call, long handle) {
    OpQueue stream = get(call, handle);
    return stream.isIdle() && (stream != legacy || givenSinceLegacy.isEmpty());
  }

  private static void putAfterLast(StreamOp op, OpQueue other) {
    StreamOp last = other.last();
    if (last != null) {
      op.after().add(last);
    }
  }

  /** {@return the moments before a stream's next operation on the modelled device} */
  List<Moment> before(OpQueue stream) {
    List<Moment> before = new ArrayList<>();
    add(before, stream.tail());
    if (stream == legacy) {
      before.addAll(latestSinceLegacy.values());
    } else if (stream.waitsForLegacyStream()) {
      add(before, legacy.tail());
    }
    return before;
  }

  private static void add(List<Moment> moments, @Nullable Moment moment) {
    if (moment != null) {
      moments.add(moment);
    }
  }

  /** Notes the latest moment of a stream that the rule concerns. */
  void ends(OpQueue stream, Moment moment) {
    if (stream == legacy) {
      latestSinceLegacy.clear();
    } else {
      latestSinceLegacy.put(stream, moment);
    }
  }

  /** Notes that a stream has become idle. */
  void idle(OpQueue stream) {
    givenSinceLegacy.remove(stream);
  }

  /** {@return how many streams were created and are not destroyed} */
  int count() {
    return created.size();
  }

  void clear() {
    created.clear();
    givenSinceLegacy.clear();
    latestSinceLegacy.clear();
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
