package dev.stretto.collective;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Threads that send and receive at the same time, for one that waits for all of them. */
final class Sending {
  private final List<Thread> threads = new ArrayList<>();
  private volatile @Nullable RuntimeException failure;

  void start(Runnable body) {
    threads.add(
        Thread.ofVirtual()
            .name("stretto-rank-data")
            .start(
                () -> {
                  try {
                    body.run();
                  } catch (RuntimeException e) {
                    failure = e;
                  }
                }));
  }

  /** Waits until all have ended. */
  void join() {
    boolean wasInterrupted = false;
    for (Thread thread : threads) {
      while (true) {
        try {
          thread.join();
          break;
        } catch (InterruptedException _) { // they end when the connection does
          wasInterrupted = true;
        }
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  void throwFailure() {
    RuntimeException known = failure;
    if (known != null) {
      throw known;
    }
  }
}
