package dev.stretto.flow;

import dev.stretto.Event;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of a flow's chunks, each in the order of its chunk's stream, until one of them
 * fails or the flow ends. No step is run under the flow's lock: it may call the program, and it
 * takes the locks of devices, whose threads may be about to take the flow's.
 */
final class Steps {
  private final Object lock;
  private final Runnable afterwards;
  private int running;
  private boolean ended;
  private @Nullable Throwable failure;

  /**
   * @param lock the flow's
   * @param afterwards called under the lock after each step and each failure
   */
  Steps(Object lock, Runnable afterwards) {
    this.lock = lock;
    this.afterwards = afterwards;
  }

  /** {@return what failed first} */
  @Nullable Throwable failure() {
    return failure;
  }

  /**
   * Runs a step in the order of a slot's stream, unless something has failed by then.
   *
   * @param nanos not before this, in modelled time
   */
  void then(Slot slot, long nanos, Runnable step) {
    slot.lane.clock.from(nanos, () -> then(slot, step));
  }

  /** Runs a step in the order of a slot's stream, unless something has failed by then. */
  void then(Slot slot, Runnable step) {
    Event event = slot.stream.then(() -> run(slot.lane, step));
    slot.last = event;
    CompletableFuture<Void> _ =
        event
            .toCompletableFuture()
            .whenComplete(
                (nothing, trouble) -> {
                  if (trouble != null) {
                    fail(trouble);
                  }
                });
  }

  /** Runs a step now, unless something has failed by then; the flow does not end meanwhile. */
  void run(Lane lane, Runnable step) {
    synchronized (lock) {
      if (failure != null) {
        return;
      }
      running++;
    }
    attempt(lane, step);
    synchronized (lock) {
      running--;
      afterwards.run();
    }
  }

  /** Takes a step now, as a part of one that is run. */
  void attempt(Lane lane, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      fail(lane.cause(e));
    }
  }

  /** Has no further step run, if anything was to be done still. */
  void fail(Throwable cause) {
    synchronized (lock) {
      if (failure == null && !ended) {
        failure = cause;
      }
      afterwards.run();
    }
  }

  /**
   * Ends the flow, unless a step is running.
   *
   * @return whether it has ended now; true once
   */
  boolean end() {
    if (running > 0 || ended) {
      return false;
    }
    ended = true;
    return true;
  }

  boolean hasEnded() {
    return ended;
  }
}
