package dev.stretto.driver.virtual;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/** The streams of a context by handle. Guarded by the platform's lock. */
final class StreamTable {
  private final Context context;
  private final Map<Long, StreamQueue> created = new HashMap<>();
  private final Map<Thread, StreamQueue> perThread = new WeakHashMap<>();
  private final List<StreamQueue> perThreadInOrder = new ArrayList<>();
  private final StreamQueue legacy;

  StreamTable(Context context) {
    this.context = context;
    this.legacy = new StreamQueue(context, 1, 0, StreamQueue.Sort.LEGACY);
  }

  /** {@return the handle of a new non-blocking stream} */
  long create(int priority) {
    long handle = context.platform().nextHandle();
    int clamped =
        Math.clamp(
            priority,
            context.properties().greatestPriority(),
            context.properties().lowestPriority());
    created.put(handle, new StreamQueue(context, handle, clamped, StreamQueue.Sort.NON_BLOCKING));
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
  StreamQueue get(String call, long handle) {
    if (handle == VirtualDevice.LEGACY_STREAM) {
      return legacy;
    }
    if (handle == VirtualDevice.PER_THREAD_STREAM) {
      return ofThisThread();
    }
    StreamQueue stream = created.get(handle);
    if (stream == null) {
      throw unknown(call, handle);
    }
    return stream;
  }

  /** {@return the streams that synchronize with this one without being asked to} */
  List<StreamQueue> counterparts(StreamQueue stream) {
    return switch (stream.sort()) {
      case NON_BLOCKING -> List.of();
      case PER_THREAD -> List.of(legacy);
      case LEGACY -> {
        // Those of threads that are gone still hold back the legacy stream until they are idle.
        perThreadInOrder.removeIf(s -> s.isIdle() && !perThread.containsValue(s));
        yield perThreadInOrder;
      }
    };
  }

  /** {@return how many streams were created and not destroyed} */
  int count() {
    return created.size();
  }

  void clear() {
    created.clear();
  }

  private StreamQueue ofThisThread() {
    return perThread.computeIfAbsent(
        Thread.currentThread(),
        thread -> {
          StreamQueue stream =
              new StreamQueue(
                  context, context.platform().nextHandle(), 0, StreamQueue.Sort.PER_THREAD);
          perThreadInOrder.add(stream);
          return stream;
        });
  }

  private RuntimeException unknown(String call, long handle) {
    return CudaResult.INVALID_HANDLE.of(
        call,
        "virtual device %d has no stream %s"
            .formatted(context.ordinal(), DeviceSpace.name(handle)));
  }
}
