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
public final class Callback implements Runnable {
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
   * Runs a callback in the order of a stream: after all that was enqueued before, ordinary host
   * memory included, and before all that is enqueued later.
   *
   * @param queue the stream
   * @param callback the program's code
   * @param executor runs it
   * @return the operation's sequence number
   */
  public static long then(StreamQueue queue, Runnable callback, Executor executor) {
    // Whoever finds that it is time must not run the callback itself, which an executor may be
    // about to do.
    return heardBy(queue, enqueue(queue, true, callback, task -> task.handTo(executor)));
  }

  /**
   * Runs a callback in the order of a stream on a virtual thread of its own.
   *
   * @param queue the stream
   * @param callback the program's code
   * @return the operation's sequence number
   */
  public static long then(StreamQueue queue, Runnable callback) {
    return heardBy(
        queue,
        enqueue(
            queue,
            true,
            callback,
            task -> Thread.ofVirtual().name("stretto-callback").start(task)));
  }

  /** A callback runs when all before it is done, so the program hears of that. */
  private static long heardBy(StreamQueue queue, long callback) {
    queue.heard(callback);
    return callback;
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
    DeviceState device = queue.device;
    Consumer<Callback> starter =
        device.cooperation() == null
            ? runner
            : body instanceof HostStep
                ? callback -> device.later(() -> BesideTheSteps.run(callback, device.lock))
                : device::later;
    synchronized (device.lock) {
      List<Arrival> earlier = queue.arrivals.before(Long.MAX_VALUE);
      return queue.handover.enqueueHolding(
          null,
          null,
          sequence -> {
            queue.handover.hold("a callback that has not returned");
            Callback callback =
                new Callback(queue, ofProgram, body, sequence, queue.driver.clock().now());
            Countdown ready = new Countdown(earlier.size() + 1, () -> callback.start(starter));
            earlier.forEach(arrival -> arrival.whenSettled(ready));
            device.later(() -> queue.completion.whenDone(sequence - 1, ready));
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
      if (queue.device.isUsable()) {
        HostClock clock = queue.driver.clock();
        if (clock.isModelled()) {
          clock.set(Math.max(stamp, queue.completion.doneNanos(sequence - 1)));
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
            isStep && queue.device.cooperation() != null ? queue.device.lock : null);
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
      queue.failures.add(sequence, e, sort);
    } else if (thrown != null) {
      queue.failures.add(
          sequence,
          new IllegalStateException(
              "a callback of " + queue.fullTitle() + " threw " + thrown, thrown),
          sort);
    }
    queue.handover.resume(sequence, true);
  }
}
