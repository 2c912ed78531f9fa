package dev.stretto.route;

import dev.stretto.driver.DriverDevice;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The queues on streams that others in the process use too: CUDA's default streams and adopted
 * ones. Each driver stream has one queue, however often a program asks for it, so that all its uses
 * are counted in one place; the queue is closed with its last user. Guarded by the driver's lock.
 */
final class SharedQueues {
  /**
   * A stream of the driver's.
   *
   * @param thread the one that is meant, where the handle means the calling thread's own stream
   */
  private record Key(long handle, @Nullable Thread thread) {}

  private static final class Shared {
    final StreamQueue queue;
    int users = 1;

    Shared(StreamQueue queue) {
      this.queue = queue;
    }
  }

  private final Map<Key, Shared> shared = new HashMap<>();

  /** {@return the queue on a driver stream, with one more user} */
  StreamQueue of(long handle, Supplier<StreamQueue> make) {
    forgetEndedThreads();
    Key key = key(handle, Thread.currentThread());
    Shared known = shared.get(key);
    if (known != null && known.queue.isOpen()) {
      known.users++;
      return known.queue;
    }
    StreamQueue queue = make.get();
    shared.put(key, new Shared(queue));
    return queue;
  }

  /** {@return whether a queue has no other users, so that it is to be closed; one user leaves} */
  boolean leaves(StreamQueue queue) {
    Key key = key(queue.handle(), queue.owner());
    Shared known = shared.get(key);
    if (known == null || known.queue != queue) {
      return true;
    }
    if (--known.users > 0) {
      return false;
    }
    shared.remove(key);
    return true;
  }

  /** Nobody can enqueue on the default stream of a thread that has ended. */
  private void forgetEndedThreads() {
    shared
        .entrySet()
        .removeIf(
            entry -> {
              Thread thread = entry.getKey().thread();
              boolean ended = thread != null && !thread.isAlive();
              if (ended) {
                entry.getValue().queue.close();
              }
              return ended;
            });
  }

  private static Key key(long handle, @Nullable Thread thread) {
    return new Key(handle, handle == DriverDevice.PER_THREAD_STREAM ? thread : null);
  }
}
