package dev.stretto.route;

import java.util.concurrent.locks.LockSupport;

/**
 * Makes the JDK start the internal threads that virtual threads need: one that wakes virtual
 * threads that wait for a monitor, one that wakes those that wait for a time, and a carrier. The
 * JDK starts each of them when it is first needed. If that fails because the process can have no
 * more threads, the virtual thread is never woken.
 */
final class JdkThreads {
  static {
    Thread _ = Thread.ofVirtual().name("stretto-first").start(() -> LockSupport.parkNanos(1));
  }

  private JdkThreads() {}

  /** Starts the threads, unless they are running already. */
  static void begin() {}
}
