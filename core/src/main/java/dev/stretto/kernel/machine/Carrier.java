package dev.stretto.kernel.machine;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A thread of the JVM that runs a coroutine whenever that has the turn. */
final class Carrier {
  private final Thread thread;
  private volatile boolean hasTurn;
  private boolean started;

  Carrier(String name, Runnable life) {
    this.thread =
        Thread.ofVirtual().name(name).inheritInheritableThreadLocals(false).unstarted(life);
  }

  void giveTurn() {
    hasTurn = true;
    if (started) {
      LockSupport.unpark(thread);
    } else {
      started = true;
      thread.start();
    }
  }

  void awaitTurn(BooleanSupplier isOver) {
    while (!hasTurn && !isOver.getAsBoolean()) {
      LockSupport.park(this);
    }
    hasTurn = false;
  }

  void wake() {
    LockSupport.unpark(thread);
  }

  boolean hasBegun() {
    return started;
  }

  void join() throws InterruptedException {
    if (started) {
      thread.join();
    }
  }

  StackTraceElement[] stack() {
    return thread.getStackTrace();
  }
}
