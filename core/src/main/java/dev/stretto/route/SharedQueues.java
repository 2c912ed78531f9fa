package dev.stretto.route;

import dev.stretto.driver.DriverDevice;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The queues on streams that other code in the process uses too: CUDA's default streams and adopted
 * streams. Each driver stream has a single queue, however often a program asks for it, so that all
 * its uses are counted in one place. The queue is closed with its last user. Guarded by the
 * driver's lock.
 */
final class SharedQueues {
  /**
   * A driver stream.
   *
   * @param thread the thread that owns the stream, if the handle means the calling thread's own
   *     stream
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

  /** {@return whether the user that leaves is the last one, so that the queue has to be closed} */
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

  /** Forgets queues of ended threads, because nobody can enqueue on their default streams. */
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
