package dev.stretto.bench.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Platform threads that do the same work at the same time, again and again. They spin in between,
 * so that waking them takes no part of the measured time.
 */
final class Crew implements AutoCloseable {
  private static final int SPINS = 1000; // then a core is left to the others, if there are few

  private final AtomicInteger round = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean over;

  Crew(int count, IntConsumer work) {
    for (int i = 0; i < count; i++) {
      int number = i;
      threads.add(Thread.ofPlatform().name("crew-" + i).start(() -> serve(number, work)));
    }
  }

  private void serve(int number, IntConsumer work) {
    for (int last = 0; ; last++) {
      for (int i = 0; round.get() == last; i++) {
        pause(i);
      }
      if (over) {
        return;
      }
      work.accept(number);
      done.incrementAndGet();
    }
  }

  /** Lets all threads work, and returns when the last of them has finished. */
  void work() {
    done.set(0);
    round.incrementAndGet();
    for (int i = 0; done.get() < threads.size(); i++) {
      pause(i);
    }
  }

  // Nothing relies on the yield; without it, the threads of a small machine wait for each other.
  @SuppressWarnings("ThreadPriorityCheck")
  private static void pause(int turn) {
    if (turn % SPINS == SPINS - 1) {
      Thread.yield();
    } else {
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    over = true;
    round.incrementAndGet();
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
