package dev.stretto.flow;

import dev.stretto.Event;
import dev.stretto.route.GuardedBy;
import dev.stretto.route.HostStep;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of a flow's chunks, each in the order of its chunk's stream and on one of the
 * flow's threads, until one of them fails or the flow ends. No step runs under the flow's lock: it
 * calls the program, which may do anything, and it takes the locks of devices, whose threads may be
 * about to take the flow's lock.
 */
final class Steps {
  private static final String ADVICE =
      "a flow's stage enqueues the work for its chunk and returns; put what should "
          + "follow that work into stream.then(...), or into the sink, which gets the "
          + "chunk when it is done";

  /** A call of the program's code on one of the flow's threads. */
  static final class Running {
    final @Nullable Slot slot;
    volatile @Nullable Thread thread;
    boolean interrupted;

    Running(@Nullable Slot slot) {
      this.slot = slot;
    }
  }

  private final Object lock;
  private final Runnable afterwards;
  private final Set<Running> running = new LinkedHashSet<>();
  private final Set<Running> leftBehind = new LinkedHashSet<>();

  @GuardedBy("lock")
  private boolean over;

  @GuardedBy("lock")
  private @Nullable Throwable failure;

  /**
   * @param lock the flow's
   * @param afterwards called without the lock after each step, and after each failure outside the
   *     steps
   */
  Steps(Object lock, Runnable afterwards) {
    this.lock = lock;
    this.afterwards = afterwards;
  }

  // --- steps
  // ------------------------------------------------------------------------------------------------------------------

  /**
   * Runs a step in the order of a slot's stream, unless something has failed by then.
   *
   * @param nanos the earliest modelled time
   */
  void then(Slot slot, long nanos, Runnable step) {
    slot.lane.clock.from(nanos, () -> then(slot, step));
  }

  /** Runs a step in the order of a slot's stream, unless something has failed by then. */
  void then(Slot slot, Runnable step) {
    Event event = slot.stream.then(new Step(slot, step));
    slot.last = event;
    CompletableFuture<Void> _ =
        event
            .toCompletableFuture()
            .whenComplete(
                (nothing, trouble) -> {
                  if (trouble != null) {
                    boolean _ = fail(slot.lane.cause(trouble));
                  }
                });
  }

  private final class Step implements HostStep {
    private final Slot slot;
    private final Runnable body;

    Step(Slot slot, Runnable body) {
      this.slot = slot;
      this.body = body;
    }

    @Override
    public void run() {
      Steps.this.run(slot, body);
    }

    @Override
    public String advice() {
      return ADVICE;
    }
  }

  /**
   * Runs a step now, unless something has failed by then; the flow does not end in the meantime.
   */
  void run(Slot slot, Runnable step) {
    Running call = new Running(slot);
    call.thread = Thread.currentThread();
    synchronized (lock) {
      if (failure != null || over) {
        return;
      }
      running.add(call);
    }
    try {
      attempt(slot.lane, step);
    } finally {
      ended(call);
      afterwards.run();
    }
  }

  /** Runs a step now, as a part of one that is running. */
  void attempt(Lane lane, Runnable step) {
    try {
      step.run();
    } catch (Throwable e) { // includes checked exceptions, which undeclared code can throw
      boolean _ = fail(lane.cause(e));
    }
  }

  /**
   * Runs what ends the flow, on a thread of its own: the program may make it wait as long as it
   * likes.
   */
  void beside(Runnable body) {
    Running call = new Running(null);
    synchronized (lock) {
      running.add(call);
    }
    FlowThreads.run(
        () -> {
          call.thread = Thread.currentThread();
          try {
            body.run();
          } finally {
            ended(call);
          }
        });
  }

  private void ended(Running call) {
    boolean late;
    synchronized (lock) {
      running.remove(call);
      late = leftBehind.remove(call);
      if (call.interrupted) {
        boolean _ = Thread.interrupted(); // the interrupt was meant for the program's code
      }
      lock.notifyAll();
    }
    Slot slot = call.slot;
    if (late && slot != null) {
      slot.lane.closeLate(slot);
    }
  }

  /** {@return whether a thread is in a step, so that the flow cannot end before it} */
  boolean areOn(Thread thread) {
    synchronized (lock) {
      return running.stream().anyMatch(call -> thread.equals(call.thread));
    }
  }

  // --- failure and end
  // --------------------------------------------------------------------------------------------------------

  /** {@return the first failure} */
  @Nullable Throwable failure() {
    synchronized (lock) {
      return failure;
    }
  }

  /**
   * Notes a failure, so that no further step runs; no effect if the flow has ended.
   *
   * @return whether this is the first failure
   */
  boolean fail(Throwable cause) {
    boolean first;
    synchronized (lock) {
      first = failure == null && !over;
      if (first) {
        failure = cause;
        lock.notifyAll();
      }
    }
    if (first && !areOn(Thread.currentThread())) {
      afterwards.run();
    }
    return first;
  }

  /** {@return whether nothing runs} */
  boolean areOver() {
    synchronized (lock) {
      return running.isEmpty();
    }
  }

  /**
   * Waits until nothing runs any more.
   *
   * @param nanos for at most this long
   * @return whether nothing runs
   */
  boolean awaitOver(long nanos) {
    long deadline = System.nanoTime() + nanos;
    return waitUntil(running::isEmpty, deadline);
  }

  /**
   * Waits until nothing runs any more, or something has failed; returns immediately if something
   * had failed before.
   */
  void awaitOverOrFailure(@Nullable Throwable before) {
    if (before == null) {
      boolean _ = waitUntil(() -> running.isEmpty() || failure != null, Long.MAX_VALUE);
    }
  }

  /** An interrupt can come only if the flow could not start a thread of its own; it is kept. */
  private boolean waitUntil(BooleanSupplier condition, long deadline) {
    boolean interrupted = false;
    synchronized (lock) {
      while (!condition.getAsBoolean()) {
        long left = deadline == Long.MAX_VALUE ? deadline : deadline - System.nanoTime();
        if (left <= 0) {
          break;
        }
        try {
          lock.wait(Math.max(1, left / 1_000_000));
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      return condition.getAsBoolean();
    }
  }

  /**
   * Interrupts what runs, since it may wait for something outside. Never interrupts the calling
   * thread: the interrupt of a thread that reads a channel closes the channel, and that is the
   * program's code.
   */
  void interrupt() {
    List<Thread> threads = new ArrayList<>();
    synchronized (lock) {
      for (Running call : running) {
        Thread thread = call.thread;
        if (thread != null) {
          call.interrupted = true;
          threads.add(thread);
        }
      }
    }
    threads.forEach(thread -> FlowThreads.run(thread::interrupt));
  }

  /** {@return what still runs; nothing waits for it any more} */
  List<Running> leaveBehind() {
    synchronized (lock) {
      leftBehind.addAll(running);
      running.clear();
      return new ArrayList<>(leftBehind);
    }
  }

  /**
   * Ends the flow: later failures do not count.
   *
   * @return the first failure
   */
  @Nullable Throwable end() {
    synchronized (lock) {
      over = true;
      return failure;
    }
  }
}
