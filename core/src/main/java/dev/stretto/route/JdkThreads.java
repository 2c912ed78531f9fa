package dev.stretto.route;

import java.util.concurrent.locks.LockSupport;

/**
 * Has the JDK start the threads of its own that virtual threads need: one that wakes those that
 * wait for a monitor, one that wakes those that wait for some time, which may also be a monitor,
 * and a carrier. Each is started at the first need; where that fails, since the process can have no
 * more threads, the virtual thread is never woken.
 */
final class JdkThreads {
  static {
    Thread _ = Thread.ofVirtual().name("stretto-first").start(() -> LockSupport.parkNanos(1));
  }

  private JdkThreads() {}

  /** Starts them, unless they are there already. */
  static void begin() {}
}
