package dev.stretto.route;

import dev.stretto.driver.HostClock;
import dev.stretto.fault.RaceException;
import dev.stretto.order.Order;
import dev.stretto.order.StreamClock;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Code that a host thread runs in the order of a stream: after all earlier operations, including
 * staged copies that arrive in host memory, and before all later ones.
 */
public final class Callback implements Runnable {
  private static final String ADVICE =
      "let the callback return, and do the rest in a later stream.then(...), or await from a thread"
          + " that runs no callback of the stream; everything enqueued before the callback is done"
          + " already";

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
   * Runs a callback in the order of a stream: after all earlier operations, including staged copies
   * that arrive in host memory, and before all later ones.
   *
   * @param queue the stream
   * @param callback the program's code
   * @param executor runs it
   * @return the operation's sequence number
   */
  public static long then(StreamQueue queue, Runnable callback, Executor executor) {
    // The thread that finds that it is time must not run the callback itself, because an executor
    // may be about to run it.
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
    return heardBy(queue, enqueue(queue, true, callback, Callback::startOnItsOwn));
  }

  /**
   * Runs a callback that uses resources, which are kept until it has returned.
   *
   * @param queue the stream
   * @param callback the program's code
   * @param used the resources
   * @return the operation's sequence number
   * @throws dev.stretto.fault.ClosedException if one of them is closed; nothing is enqueued then
   */
  public static long then(StreamQueue queue, Runnable callback, List<? extends Resource> used) {
    long sequence;
    synchronized (queue.device.lock) {
      queue.handover.requireOpen();
      for (Resource resource : used) {
        queue.handover.noteUse(resource, queue.completion.issued() + 1);
      }
      sequence = enqueue(queue, true, callback, Callback::startOnItsOwn);
    }
    return heardBy(queue, sequence);
  }

  /** A callback runs when all operations before it are done, so they count as awaited. */
  private static long heardBy(StreamQueue queue, long callback) {
    queue.heard(callback);
    return callback;
  }

  /**
   * Enqueues a callback.
   *
   * @param ofProgram whether the body is the program's own code rather than a copy by Stretto
   * @param runner runs it, or hands it to an executor, when its turn comes
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
                ? callback ->
                    device.later(() -> BesideTheSteps.run(callback, callback::refused, device.lock))
                : device::later;
    synchronized (device.lock) {
      return noted(
          queue,
          ofProgram,
          queue.handover.enqueueHolding(
              null,
              null,
              sequence -> {
                queue.handover.hold("a callback that has not returned");
                Callback callback =
                    new Callback(queue, ofProgram, body, sequence, queue.driver.clock().now());
                Countdown ready = new Countdown(2, () -> callback.start(starter));
                if (!queue.arrivals.whenArrivedBefore(sequence - 1, ready)) {
                  ready.run();
                }
                if (device.cooperation() == null && queue.completion.isKnownDone(sequence - 1)) {
                  ready.run();
                } else {
                  device.later(() -> queue.completion.whenDone(sequence - 1, ready));
                }
              }));
    }
  }

  /** Called with the lock held, for which a callback waits before its code runs. */
  private static long noted(StreamQueue queue, boolean ofProgram, long sequence) {
    StreamClock known = queue.clock;
    if (ofProgram && known != null) {
      Order.ofProcess().callback(known, sequence);
    }
    return sequence;
  }

  private void startOnItsOwn() {
    CarrierWaker courier = CarrierWaker.ofTheProcess();
    if (courier == null) {
      startThread();
    } else {
      courier.run(this::startThread);
    }
  }

  private void startThread() {
    try {
      Thread _ = Thread.ofVirtual().name("stretto-callback").start(this);
    } catch (Throwable e) { // no more threads, or no memory for one
      refused(e);
    }
  }

  /** Starts the callback. If there is no thread for it, the stream reports that and goes on. */
  private void start(Consumer<Callback> starter) {
    try {
      starter.accept(this);
    } catch (Throwable e) { // no more threads, or no memory for one
      refused(e);
    }
  }

  /** Fails the callback because there is no thread to run it, unless it was run nevertheless. */
  void refused(Throwable thrown) {
    if (begun.compareAndSet(false, true)) {
      over(
          thrown instanceof RuntimeException
              ? thrown
              : new RejectedExecutionException(
                  "a callback of a stream did not run because no thread could be started for it;"
                      + " raise the limit of processes (ulimit -u, pids.max of the container) or"
                      + " use fewer threads: "
                      + thrown,
                  thrown),
          true);
    }
  }

  /** Hands it to an executor, which may make it wait for a thread. */
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
      return; // the executor has run the task twice
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
    StreamClock known = queue.clock;
    RaceException race = null;
    if (known != null) {
      awaitNoted();
      try {
        Order.ofProcess().callbackBegins(known, sequence);
      } catch (RaceException e) {
        race = e;
      }
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
    if (race != null) {
      throw race;
    }
  }

  /** The thread that enqueues a callback may not have noted that yet when the callback runs. */
  private void awaitNoted() {
    synchronized (queue.device.lock) {
      assert queue.completion.issued() >= sequence;
    }
  }

  /**
   * @param byProgram whether the program's own code threw it; if not, the device was lost, or this
   *     is a copy rather than a callback
   */
  private void over(@Nullable Throwable thrown, boolean byProgram) {
    boolean isCallback = byProgram && !(body instanceof HostStep step && step.bringsData());
    Failures.Sort sort = isCallback ? Failures.Sort.CALLBACK : Failures.Sort.OPERATION;
    if (thrown instanceof RuntimeException e) {
      queue.failures.add(sequence, e, sort);
    } else if (thrown != null) {
      queue.failures.add(
          sequence,
          new IllegalStateException(
              "a callback of " + queue.fullTitle() + " threw " + thrown, thrown),
          sort);
    }
    noteEnd(sort);
    queue.handover.resumeAfterHostWork(sequence);
  }

  private void noteEnd(Failures.Sort sort) {
    StreamClock known = queue.clock;
    if (ofProgram && known != null) {
      try {
        Order.ofProcess().callbackEnds(known, sequence);
      } catch (RaceException e) {
        queue.failures.add(sequence, e, sort);
      }
    }
  }
}
