package dev.stretto.route;

import dev.stretto.driver.HostClock;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a host thread does in the order of a stream: after all that was enqueued before, ordinary
 * host memory included, and before all that is enqueued later.
 */
final class Callback implements Runnable {
  private static final String ADVICE =
      "let the callback return, and do what is to follow in a later stream.then(...), or await from"
          + " a thread that runs no callback of the stream; what was enqueued before the callback"
          + " is done already";

  private final StreamQueue queue;
  private final boolean ofProgram;
  private final Runnable body;
  private final long sequence;
  private final long stamp;
  private final AtomicBoolean begun = new AtomicBoolean();

  private Callback(StreamQueue queue, boolean ofProgram, Runnable body, long sequence, long stamp) {
    this.queue = queue;
    this.ofProgram = ofProgram;
    this.body = body;
    this.sequence = sequence;
    this.stamp = stamp;
  }

  /**
   * Enqueues a callback.
   *
   * @param ofProgram whether the body is the program's own code, and not a copy of Stretto's
   * @param runner has it run, when it is its turn
   * @return the operation's sequence number
   */
  static long enqueue(
      StreamQueue queue, boolean ofProgram, Runnable body, Consumer<Callback> runner) {
    queue.requireCallbacks();
    Engine engine = queue.engine;
    Consumer<Callback> starter =
        engine.cooperation() == null
            ? runner
            : body instanceof HostStep
                ? callback -> engine.later(() -> BesideTheSteps.run(callback, engine.lock))
                : engine::later;
    synchronized (engine.lock) {
      List<Transfer> earlier = queue.arrivals.before(Long.MAX_VALUE);
      return queue.enqueueHolding(
          null,
          null,
          sequence -> {
            queue.hold("a callback that has not returned");
            Callback callback =
                new Callback(queue, ofProgram, body, sequence, queue.driver.clock().now());
            Countdown ready = new Countdown(earlier.size() + 1, () -> callback.start(starter));
            earlier.forEach(transfer -> transfer.whenSettled(ready));
            engine.later(() -> queue.whenDone(sequence - 1, ready));
          });
    }
  }

  /** Has it run. If there is no thread for it, the stream goes on without it, and says so. */
  private void start(Consumer<Callback> starter) {
    try {
      starter.accept(this);
    } catch (Throwable e) { // the machine or its memory has no room for another thread
      refused(e);
    }
  }

  /** There is no thread to run it, unless it has been run all the same. */
  void refused(Throwable thrown) {
    if (begun.compareAndSet(false, true)) {
      over(
          thrown instanceof RuntimeException
              ? thrown
              : new RejectedExecutionException(
                  "a callback of a stream did not run, for it found no thread; raise the limit of"
                      + " processes (ulimit -u, pids.max of the container) or have fewer threads: "
                      + thrown,
                  thrown),
          true);
    }
  }

  /** Has an executor run it, on a thread that the executor may keep waiting. */
  void handTo(Executor executor) {
    Thread.ofVirtual().name("stretto-executor").start(() -> execute(executor));
  }

  private void execute(Executor executor) {
    try {
      executor.execute(this);
    } catch (Throwable e) { // a pool that cannot make a thread throws an error
      refused(e);
    }
  }

  @Override
  public void run() {
    if (!begun.compareAndSet(false, true)) {
      return; // an executor that runs a task twice
    }
    Throwable thrown = null;
    boolean programRuns = false;
    try {
      if (queue.engine.isUsable()) {
        HostClock clock = queue.driver.clock();
        if (clock.isModelled()) {
          clock.set(Math.max(stamp, queue.doneNanos(sequence - 1)));
        }
        programRuns = ofProgram;
        DriverLock.assertNoneHeld("a callback runs");
        runBody();
      }
    } catch (Throwable e) {
      thrown = e;
    }
    over(thrown, programRuns);
  }

  private void runBody() {
    if (!ofProgram) {
      body.run();
      return;
    }
    boolean isStep = body instanceof HostStep;
    OwnTurn turn =
        OwnTurn.begin(
            queue,
            sequence,
            body instanceof HostStep step ? step.advice() : ADVICE,
            isStep && queue.engine.cooperation() != null ? queue.engine.lock : null);
    try {
      body.run();
    } finally {
      turn.end();
    }
  }

  /**
   * @param byProgram whether the program's own code threw it: else the device was lost, or it is no
   *     callback but a copy
   */
  private void over(@Nullable Throwable thrown, boolean byProgram) {
    Failures.Sort sort = byProgram ? Failures.Sort.CALLBACK : Failures.Sort.OPERATION;
    if (thrown instanceof RuntimeException e) {
      queue.fail(sequence, e, sort);
    } else if (thrown != null) {
      queue.fail(
          sequence,
          new IllegalStateException(
              "a callback of " + queue.fullTitle() + " threw " + thrown, thrown),
          sort);
    }
    queue.resume(sequence, true);
  }
}
