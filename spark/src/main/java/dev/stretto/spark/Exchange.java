package dev.stretto.spark;

import dev.stretto.flow.FlowException;
import dev.stretto.flow.Sink;
import dev.stretto.flow.Source;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a flow's threads meet the thread of a task. The iterators of Spark belong to that thread,
 * so it fills the flow's buffers itself and takes the results out of them itself, and a buffer's
 * thread waits until that is done.
 */
final class Exchange {
  /** What the task's thread has to do next. */
  enum Turn {
    /** Fill {@link #toFill()}, then say so by {@link #filled}. */
    FILL,
    /** Take what is in {@link #toTake()}, then say so by {@link #taken}. */
    TAKE,
    /** The flow has ended. */
    END,
    /** Nothing yet. */
    WAIT
  }

  // All guarded by this.
  private @Nullable MemorySegment toFill;
  private @Nullable MemorySegment toTake;
  private long filledBytes;
  private boolean ended;

  // --- the task's thread
  // ----------------------------------------------------------------------------------------------------------------

  /** {@return what to do; results come first, since they free buffers} Waits, but not for long. */
  synchronized Turn next(long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    long left = millis;
    while (turn() == Turn.WAIT && left > 0) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }
    return turn();
  }

  private Turn turn() {
    if (toTake != null) {
      return Turn.TAKE;
    }
    if (toFill != null) {
      return Turn.FILL;
    }
    return ended ? Turn.END : Turn.WAIT;
  }

  synchronized @Nullable MemorySegment toFill() {
    return toFill;
  }

  synchronized @Nullable MemorySegment toTake() {
    return toTake;
  }

  synchronized void filled(long bytes) {
    filledBytes = bytes;
    toFill = null;
    notifyAll();
  }

  synchronized void taken() {
    toTake = null;
    notifyAll();
  }

  // --- the flow's threads
  // ----------------------------------------------------------------------------------------------------------------

  private synchronized long fill(MemorySegment into) {
    toFill = into;
    notifyAll();
    awaitEndOf(() -> toFill != null);
    requireGoesOn();
    return filledBytes;
  }

  private synchronized void take(MemorySegment from) {
    if (from.byteSize() == 0) {
      return;
    }
    toTake = from;
    notifyAll();
    awaitEndOf(() -> toTake != null);
    requireGoesOn();
  }

  private synchronized void awaitEndOf(BooleanSupplier turn) {
    while (turn.getAsBoolean() && !ended) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        end();
      }
    }
  }

  private void requireGoesOn() {
    if (ended) {
      throw new FlowException("the task has ended before its flow");
    }
  }

  /** The flow has ended or is to end: nobody waits here any more. */
  synchronized void end() {
    ended = true;
    toFill = null;
    toTake = null;
    notifyAll();
  }

  /** {@return what the task's thread fills} */
  Source source() {
    return new Source() {
      @Override
      public long size() {
        return -1;
      }

      @Override
      public boolean isPositional() {
        return false;
      }

      @Override
      public long read(long position, MemorySegment into) {
        return fill(into);
      }

      @Override
      public void stop() {
        end();
      }

      @Override
      public void close() {}
    };
  }

  /** {@return what the task's thread empties} */
  Sink sink() {
    return new Sink() {
      @Override
      public boolean isPositional() {
        return false;
      }

      @Override
      public void write(long position, MemorySegment from) {
        take(from);
      }

      @Override
      public void stop() {
        end();
      }

      @Override
      public void close() {}
    };
  }
}
