package dev.stretto.collective;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Looks again and again whether the library has failed by itself. On a thread of its own: a look at
 * one communicator keeps neither its signs of life nor another communicator waiting, whatever it
 * finds.
 */
final class NcclWatch {
  /** A lost rank should be an exception within seconds, and a look costs about a microsecond. */
  private static final long PAUSE_NANOS = 100_000_000;

  private volatile boolean isOver;
  private volatile @Nullable Thread watcher;

  /**
   * Begins, unless it is over already.
   *
   * @param look must not wait for anything
   */
  void begin(Runnable look) {
    watcher =
        Thread.ofPlatform().daemon().name("stretto-nccl-watch").start(() -> lookUntilOver(look));
  }

  private void lookUntilOver(Runnable look) {
    while (!isOver) {
      LockSupport.parkNanos(this, PAUSE_NANOS);
      if (!isOver) {
        look.run();
      }
    }
  }

  /** Ends the looks, of which one may be under way. */
  void end() {
    isOver = true;
    LockSupport.unpark(watcher);
  }
}
