package dev.stretto.bench.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Threads that go through the pieces of a file together. */
final class Workers {
  /** What is done with a piece. */
  @FunctionalInterface
  interface Piece {
    /**
     * Does it.
     *
     * @param thread which of the threads this is
     * @param at where the piece begins in the file
     * @param bytes of the piece
     */
    void run(int thread, long at, long bytes) throws IOException;
  }

  private Workers() {}

  /** {@return the seconds that the threads take, their start included} */
  static double seconds(int threads, long bytes, long piece, Piece work) {
    AtomicLong next = new AtomicLong();
    List<Thread> all = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int thread = i;
      all.add(Thread.ofPlatform().unstarted(() -> goThrough(next, thread, bytes, piece, work)));
      all.getLast()
          .setUncaughtExceptionHandler(
              (_, e) -> {
                synchronized (failures) {
                  failures.add(e);
                }
              });
    }
    long begin = System.nanoTime();
    all.forEach(Thread::start);
    all.forEach(Workers::join);
    double seconds = (System.nanoTime() - begin) / 1e9;
    if (!failures.isEmpty()) {
      throw new IllegalStateException("a thread failed: " + failures.getFirst());
    }
    return seconds;
  }

  private static void goThrough(AtomicLong next, int thread, long bytes, long piece, Piece work) {
    for (long at = next.getAndAdd(piece); at < bytes; at = next.getAndAdd(piece)) {
      try {
        work.run(thread, at, Math.min(piece, bytes - at));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
