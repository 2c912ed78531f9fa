package dev.stretto.collective;

import dev.stretto.route.ProgramLog;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Calls of NCCL that end a communicator. They wait for kernels and for other ranks, so threads of
 * their own make them. The process does not end meanwhile: what the library's own exit takes away
 * must not be in use.
 */
final class LastCalls {
  private static final long MOST_MILLIS = 10_000;
  private static final Set<Thread> UNDER_WAY = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(LastCalls::await, "stretto-nccl-end"));
  }

  private LastCalls() {}

  static void run(String what, Runnable calls) {
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("stretto-nccl-" + what)
            .unstarted(() -> make(what, calls));
    UNDER_WAY.add(thread);
    thread.start();
  }

  private static void make(String what, Runnable calls) {
    try {
      calls.run();
    } catch (RuntimeException e) {
      ProgramLog.warn("NCCL: " + what, e);
    } finally {
      UNDER_WAY.remove(Thread.currentThread());
    }
  }

  private static void await() {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS);
    try {
      for (Thread thread : UNDER_WAY) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left > 0) {
          thread.join(left);
        }
      }
    } catch (InterruptedException _) { // the JVM wants to end now
      Thread.currentThread().interrupt();
    }
  }
}
