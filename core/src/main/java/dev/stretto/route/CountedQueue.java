package dev.stretto.route;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A queue for any threads that tells by a single read that it is empty. While the JVM profiles the
 * methods of {@link ConcurrentLinkedQueue}, threads that ask an empty one again and again slow down
 * everybody who uses any: they all count in the same cache line.
 */
final class CountedQueue {
  private final ConcurrentLinkedQueue<Runnable> elements = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();

  void add(Runnable element) {
    count.incrementAndGet();
    boolean _ = elements.add(element);
  }

  /** {@return the first element, which is no longer in the queue; null if there is none yet} */
  @Nullable Runnable poll() {
    if (count.get() == 0) {
      return null;
    }
    Runnable first = elements.poll();
    if (first != null) {
      count.decrementAndGet();
    }
    return first;
  }

  /** {@return whether nothing is in the queue, or about to be} */
  boolean isEmpty() {
    return count.get() == 0;
  }
}
