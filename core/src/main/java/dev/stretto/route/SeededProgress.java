package dev.stretto.route;

import dev.stretto.fault.StrettoException;
import org.jspecify.annotations.Nullable;

/**
 * Lets a seeded device get as far as another process was told. Operations of such a device happen
 * while its program awaits something, but whoever waits for them now is another program.
 */
final class SeededProgress {
  @GuardedBy("this")
  private @Nullable Runnable next;

  @GuardedBy("this")
  private boolean running;

  /** Has a point of a stream reached by and by, if the device is a seeded one. */
  synchronized void reach(StreamQueue queue, long sequence) {
    if (queue.driver.cooperation().isEmpty()) {
      return;
    }
    next = () -> await(queue, sequence);
    if (!running) {
      running = true;
      Thread _ = Thread.ofVirtual().name("stretto-seeded-progress").start(this::run);
    }
  }

  private void run() {
    for (Runnable now = take(); now != null; now = take()) {
      now.run();
    }
  }

  private synchronized @Nullable Runnable take() {
    Runnable now = next;
    next = null;
    running = now != null;
    return now;
  }

  private static void await(StreamQueue queue, long sequence) {
    try {
      boolean _ =
          queue
              .watch()
              .await(
                  bell -> {
                    Runnable reached = queue.whenReached(sequence, bell);
                    return () -> queue.forget(reached);
                  },
                  Long.MAX_VALUE);
    } catch (StrettoException _) { // the program learns of it when it awaits the stream
      return;
    }
  }
}
