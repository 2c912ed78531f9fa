package dev.stretto.timeline;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads the times of operations soon after they are done, so that their events can be used again,
 * and so that the threads that enqueue them do not have to. It ends with its timeline, or when
 * nobody refers to that any more.
 */
final class ReadingThread implements Runnable {
  /** Between two looks while there is something to read: few events are needed, and few looks. */
  private static final Duration BUSY = Duration.ofMillis(2);

  private static final Duration IDLE = Duration.ofMillis(20);

  private final WeakReference<TimeReader> reader;

  private ReadingThread(TimeReader reader) {
    this.reader = new WeakReference<>(reader);
  }

  static void start(TimeReader reader) {
    Thread _ =
        Thread.ofPlatform().daemon().name("stretto-timeline").start(new ReadingThread(reader));
  }

  @Override
  public void run() {
    for (Duration pause = BUSY; pause != null; pause = look()) {
      LockSupport.parkNanos(pause.toNanos());
    }
  }

  /** {@return how long to pause before the next look, or null if there is none} */
  private @Nullable Duration look() {
    TimeReader known = reader.get();
    if (known == null || known.hasEnded()) {
      return null;
    }
    return known.readDone() ? BUSY : IDLE;
  }
}
