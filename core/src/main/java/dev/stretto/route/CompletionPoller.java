package dev.stretto.route;

import dev.stretto.driver.Cooperation;
import dev.stretto.fault.AwaitInterruptedException;
import dev.stretto.fault.DeadlockException;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which operations are done and wakes the threads that wait for them. A device has one
 * such thread, however many threads wait. A device that reports its progress is asked when it does
 * so; other devices are polled, at first without pauses, later with short ones. A seeded device has
 * no such thread: the waiting threads step it.
 */
public final class CompletionPoller {
  /**
   * How long the thread polls with almost no pause after the last completion: a sleep costs some 60
   * µs.
   */
  private static final long EAGER_NANOS = 200_000;

  private static final long BETWEEN_LOOKS_NANOS = 3_000;

  /** In a longer nap, nobody should wait for this thread. */
  private static final long LONGEST_NAP_NANOS = 20_000;

  /** After so many polls in a row that handed operations over… */
  private static final int HAND_OVERS_IN_A_ROW = 32;

  /** …threads that parked because they did not get the lock have this time to wake and take it. */
  private static final long BEHIND_HAND_OVERS_NANOS = 60_000;

  /**
   * The pause between polls after a while without completions; it lets enqueuing threads take the
   * lock.
   */
  private static final long BETWEEN_LATER_LOOKS_NANOS = 8_000;

  /** The pause of a thread that steps a seeded device, or waits for another thread to do so. */
  private static final long PAUSE_NANOS = 20_000;

  /** The pause after a poll that failed. */
  private static final long TROUBLED_PAUSE_NANOS = 1_000_000;

  private static final int FOUND_BETWEEN_STEPS = 1 << 10;

  private final DeviceState device;

  /** What staged copies do with the lock held; while this thread is awake, it does that. */
  private final LockedActions actions;

  private final PolledStreams watched;
  private final DriverLock lock;
  private final String name;
  private final @Nullable Cooperation cooperation;
  private final boolean told;

  /** Null if time is modelled: nobody measures how soon a thread wakes there. */
  private final @Nullable CarrierWaker courier;

  private volatile @Nullable Thread thread;
  private volatile boolean stopped;
  private volatile boolean sleeping;

  /** How many waits have found their point reached. */
  private final AtomicInteger found = new AtomicInteger();

  /** How many polls in a row have handed operations over. */
  private int handOvers;

  CompletionPoller(DeviceState device, LockedActions actions) {
    this.device = device;
    this.actions = actions;
    this.watched = new PolledStreams(device, this::wake);
    this.lock = device.lock;
    this.name = device.name();
    this.cooperation = device.cooperation();
    this.told = device.driver().onProgress(this::progress);
    this.courier = told || cooperation != null ? null : CarrierWaker.ofTheProcess();
    Preload.load(
        MethodHandles.lookup(),
        Bell.class,
        Countdown.class,
        PolledWait.class,
        Reached.class,
        Naps.class);
    if (courier != null) {
      Naps.prepare();
    }
  }

  /**
   * Starts the polling thread. It exists from the beginning: if the process can have no more
   * threads later, this thread does their work.
   *
   * @throws OutOfMemoryError if the process can have no more threads now
   */
  void begin() {
    if (cooperation == null) {
      thread = Thread.ofPlatform().daemon().name("stretto-watch " + name).start(this::watch);
    }
  }

  /** {@return the queues to poll} */
  PolledStreams watched() {
    return watched;
  }

  /** Wakes the polling thread if it sleeps, because there is something to wait for or to do. */
  void wake() {
    if (sleeping) {
      LockSupport.unpark(thread);
    }
  }

  private void progress() {
    Thread watcher = thread;
    if (watcher != null) {
      LockSupport.unpark(watcher);
    }
  }

  void stop() {
    stopped = true;
    progress();
  }

  private void watch() {
    List<Runnable> due = new ArrayList<>();
    boolean attends = Awake.NANOS > 0 && !told;
    if (attends) {
      int _ = Naps.sharpen();
    }
    long lastProgress = System.nanoTime();
    while (!stopped) {
      if (device.hostWork().isStranded()) {
        actions.leave(); // this takes long
        boolean _ = device.hostWork().runStranded();
      }
      if (attends) {
        actions.attend();
      }
      if (lookSafely(due)) {
        lastProgress = System.nanoTime();
      } else if (isAtRest()) {
        rest(lastProgress);
        lastProgress = System.nanoTime();
      } else if (told) {
        // If the listener called unpark since the last poll, this returns at once.
        LockSupport.parkNanos(this, 1_000_000);
      } else {
        leaveTheLockAlone(System.nanoTime() - lastProgress);
      }
    }
    actions.leave();
  }

  /**
   * Waits for something to do. Stays awake for a while first: a thread that enqueues holds the
   * driver's lock while it wakes this one, and that takes it longer than to enqueue.
   */
  private void rest(long since) {
    for (long now = System.nanoTime();
        now - since < Awake.NANOS && !told && !stopped;
        now = System.nanoTime()) {
      if (!isAtRest() || actions.isAny()) {
        return;
      }
      if (now - since < EAGER_NANOS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(this, Naps.nanos(now - since));
      }
    }
    actions.leave();
    sleeping = true;
    if (isAtRest() && !stopped) {
      LockSupport.park(this);
    }
    sleeping = false;
  }

  private boolean isAtRest() {
    return !watched.isAny() && !device.hostWork().isStranded();
  }

  /** Polls and survives any exception: if this thread ended, all waiting threads would hang. */
  private boolean lookSafely(List<Runnable> due) {
    try {
      boolean any = look(due);
      if (watched.isTroubled()) {
        actions.leave();
        LockSupport.parkNanos(this, TROUBLED_PAUSE_NANOS);
      }
      return any;
    } catch (Throwable e) {
      actions.leave();
      ProgramLog.error("the thread that polls " + name + " goes on after an error", e);
      LockSupport.parkNanos(this, TROUBLED_PAUSE_NANOS);
      return false;
    }
  }

  /**
   * Polls every stream, and reports the completions of one before it polls the next: threads that
   * wait for the first stream need not wait until the last one was polled. Deferred operations are
   * handed over only after that.
   *
   * @return whether there was anything to report or to hand over
   */
  private boolean look(List<Runnable> due) {
    boolean any = actions.isAny();
    actions.runAll();
    for (StreamQueue queue : watched.all()) {
      watched.look(queue, due);
      any |= !due.isEmpty();
      DueActions.run(due, name);
      actions.runAll();
    }
    if (!watched.handOver(any)) {
      handOvers = 0;
      return any;
    }
    handOvers++;
    spin(handOvers % HAND_OVERS_IN_A_ROW == 0 ? BEHIND_HAND_OVERS_NANOS : BETWEEN_LOOKS_NANOS);
    return true;
  }

  /**
   * Leaves the lock to threads that enqueue; a thread that takes it again and again would starve
   * them.
   *
   * @param idleNanos the time since the last completion
   */
  private void leaveTheLockAlone(long idleNanos) {
    if (idleNanos < EAGER_NANOS) {
      spin(BETWEEN_LOOKS_NANOS);
    } else if (idleNanos < Awake.NANOS) {
      spin(BETWEEN_LATER_LOOKS_NANOS);
    } else {
      long nap = Naps.nanos(idleNanos);
      if (nap > LONGEST_NAP_NANOS) {
        actions.leave();
      }
      LockSupport.parkNanos(this, nap);
    }
  }

  private void spin(long nanos) {
    long until = System.nanoTime() + nanos;
    while (System.nanoTime() < until && !actions.isAny()) {
      Thread.onSpinWait();
    }
  }

  /**
   * {@return the answer to a question whether something is done} On a seeded device a question lets
   * nothing happen, unless it is asked so often that it counts as a wait: see {@link Questions}.
   *
   * @param about the subject of the question
   * @param point the point of the subject
   * @param answer answers the question
   */
  public boolean ask(Object about, long point, BooleanSupplier answer) {
    return device.open().questions().ask(about, point, answer, device::stepOnce, lock);
  }

  /** {@return whether the device is seeded, so that questions have to go through {@link #ask}} */
  public boolean isStepped() {
    return cooperation != null || lock.awaitsSeededStranger();
  }

  /**
   * Lets something happen on a seeded device, for a thread that waits for something other than a
   * point.
   */
  public void advance() {
    advance(Long.MAX_VALUE);
  }

  /**
   * The same for a thread whose time is limited, or over: a kernel that takes longer goes on in the
   * background.
   *
   * @param deadline a time of {@link System#nanoTime()}
   */
  public void advance(long deadline) {
    boolean _ = device.stepOnce(deadline);
  }

  /**
   * Notes that a thread found the point reached that it awaits. A program may await work in a loop
   * until something else has happened, such as a callback. So once in many such waits, a seeded
   * device lets something happen.
   */
  public void foundReached() {
    if (cooperation != null && found.incrementAndGet() % FOUND_BETWEEN_STEPS == 0) {
      advance(System.nanoTime());
    }
  }

  /**
   * {@return a future that another thread completes}
   *
   * <p>A seeded device advances while a thread waits for this future or for one that depends on it.
   * If a thread waits for any other future, the device advances soon: see {@link Standstill}.
   */
  public <T> CompletableFuture<T> future() {
    if (cooperation == null) {
      return new CompletableFuture<>();
    }
    SteppingFuture<T> future = new SteppingFuture<>(device);
    device.open().standstill().expects(future);
    return future;
  }

  /**
   * {@return a future of a point of a stream} A thread that holds that point up itself is refused
   * to wait for it.
   *
   * @param queue the stream
   * @param sequence the point's number in it
   */
  public CompletableFuture<Void> future(StreamQueue queue, long sequence) {
    if (cooperation == null) {
      return new PointFuture(queue, sequence);
    }
    SteppingFuture<Void> future = new SteppingFuture<>(device, queue, sequence);
    device.open().standstill().expects(future);
    return future;
  }

  /**
   * Completes a future, on a thread on which dependent stages may block.
   *
   * @param future a future of {@link #future()}
   * @param completion completes it
   */
  public void complete(CompletableFuture<?> future, Runnable completion) {
    if (cooperation == null) {
      future.defaultExecutor().execute(completion);
    } else {
      completion.run(); // the stepping thread may go on stepping from there
    }
  }

  /**
   * Waits for a point by asking for it: see {@link PolledWait}.
   *
   * @param queue the stream
   * @param sequence the point's number in it
   * @param deadline a time of {@link System#nanoTime()}, or {@link Long#MAX_VALUE} for none
   * @return whether the point is reached
   */
  public boolean poll(StreamQueue queue, long sequence, long deadline) {
    return !told
        && cooperation == null
        && PolledWait.until(new Reached(queue, sequence), deadline)
        && queue.isReached(sequence);
  }

  /**
   * Parks the calling thread until something is done.
   *
   * @param arrange registers a call of its argument for when it is done
   * @param deadline a time of {@link System#nanoTime()}, or {@link Long#MAX_VALUE} for none
   * @return whether it is done; false only after the deadline
   * @throws AwaitInterruptedException if the thread is interrupted
   */
  public boolean await(Arrangement arrange, long deadline) {
    checkInterrupt();
    Bell bell = new Bell(Thread.currentThread(), courier);
    Runnable forget = arrange.ringWhenDone(bell);
    try {
      if (cooperation != null) {
        stepUntil(() -> bell.rung, deadline, cooperation);
      } else {
        parkUntil(bell, deadline);
      }
    } finally {
      if (!bell.rung) {
        forget.run();
      }
    }
    return bell.rung;
  }

  private void parkUntil(Bell bell, long deadline) {
    CarrierWaker ahead = courier != null && Thread.currentThread().isVirtual() ? courier : null;
    lock.parks();
    if (ahead != null) {
      ahead.expects();
    }
    try {
      while (!bell.rung) {
        boolean stepped = lock.stepStrangers(deadline);
        long left = deadline == Long.MAX_VALUE ? deadline : deadline - System.nanoTime();
        if (left <= 0) {
          return;
        }
        if (stepped) {
          checkInterrupt();
          continue;
        }
        park(bell, lock.awaitsSeededStranger() ? Math.min(left, PAUSE_NANOS) : left);
        if (!bell.rung) {
          checkInterrupt();
        }
      }
    } finally {
      lock.wakes();
      if (ahead != null) {
        ahead.expectsNoMore();
      }
    }
  }

  private static void park(Bell bell, long nanos) {
    if (nanos == Long.MAX_VALUE) {
      LockSupport.park(bell);
    } else {
      LockSupport.parkNanos(bell, nanos);
    }
  }

  /**
   * Lets a stepped device advance until something holds that its work, or another thread, brings
   * about.
   *
   * @throws DeadlockException if nothing can happen any more
   */
  public void stepUntil(BooleanSupplier holds, long deadline) {
    if (cooperation != null) {
      stepUntil(holds, deadline, cooperation);
    } else {
      advance(deadline); // of another driver, whose program waits for a seeded one
    }
  }

  private void stepUntil(BooleanSupplier holds, long deadline, Cooperation devices) {
    while (!holds.getAsBoolean()) {
      checkInterrupt();
      long news = lock.news();
      boolean elsewhere = lock.isBusyElsewhere();
      boolean stepped = device.stepOnce(deadline) || lock.stepStrangers(deadline);
      if (holds.getAsBoolean() || (deadline != Long.MAX_VALUE && System.nanoTime() >= deadline)) {
        return;
      }
      if (stepped) {
        continue;
      }
      // The step that was just tried also counts as news. Steps within the driver's own calls do
      // not, so the device is asked first.
      if (elsewhere
          || !devices.isAtRest()
          || lock.isBusyElsewhere()
          || lock.news() != news + 1
          || (devices.isLooking() && (deadline != Long.MAX_VALUE || mayBeHelped(devices)))) {
        LockSupport.parkNanos(this, PAUSE_NANOS);
        continue;
      }
      throw new DeadlockException(
          "the work awaited on "
              + name
              + " can never happen, because no enqueued operation can run:"
              + describeStall(devices));
    }
  }

  /** Whether another thread of the program may still do what a kernel polls for. */
  private static boolean mayBeHelped(Cooperation devices) {
    return devices.use().threads().stream()
        .anyMatch(thread -> !thread.equals(Thread.currentThread()) && !Standstill.waits(thread, 0));
  }

  /** Describes the operations in the driver's streams and those that are still held back. */
  private String describeStall(Cooperation devices) {
    String inDriver = devices.describeStall();
    List<String> heldBack = new ArrayList<>();
    for (DeviceState any : device.open().all()) {
      heldBack.addAll(any.holds());
    }
    if (inDriver.isEmpty() && heldBack.size() < 2) {
      return " " + (heldBack.isEmpty() ? "no stream holds anything" : heldBack.getFirst());
    }
    StringBuilder report = new StringBuilder(inDriver);
    heldBack.forEach(clause -> report.append("%n  %s".formatted(clause)));
    return report.toString();
  }

  /** Waits for something that has to happen before memory can be freed. */
  void awaitUninterruptibly(CountDownLatch latch) {
    boolean interrupted = false;
    while (latch.getCount() > 0) {
      if (cooperation != null) {
        if (!device.stepOnce()) {
          LockSupport.parkNanos(this, PAUSE_NANOS);
        }
        continue;
      }
      try {
        latch.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Throws if the thread is interrupted, at the end of a wait that had nothing to wait for. */
  public void checkInterrupt() {
    if (Thread.interrupted()) {
      throw interrupted();
    }
  }

  private static AwaitInterruptedException interrupted() {
    Thread.currentThread().interrupt();
    return new AwaitInterruptedException(
        "interrupted while awaiting the GPU: the work goes on and its memory stays alive until it"
            + " is done");
  }

  /** How a waiting thread is woken. */
  @FunctionalInterface
  public interface Arrangement {
    /**
     * Registers a bell to be rung once it is time; at once if it is time already.
     *
     * @param bell wakes the thread, without blocking
     * @return cancels the registration
     */
    Runnable ringWhenDone(Runnable bell);
  }

  /**
   * Whether a point is reached, or streams wait for a seeded device, which a thread that parks
   * steps. A named class: see {@link Preload}.
   */
  private record Reached(StreamQueue queue, long sequence) implements BooleanSupplier {
    @Override
    public boolean getAsBoolean() {
      return queue.isReached(sequence) || queue.device().lock.awaitsSeededStranger();
    }
  }

  private static final class Bell implements Runnable {
    private final Thread waiting;
    private final @Nullable CarrierWaker courier;
    private volatile boolean rung;

    Bell(Thread waiting, @Nullable CarrierWaker courier) {
      this.waiting = waiting;
      this.courier = courier;
    }

    @Override
    public void run() {
      rung = true;
      if (courier != null && waiting.isVirtual()) {
        courier.run(() -> LockSupport.unpark(waiting));
      } else {
        LockSupport.unpark(waiting);
      }
    }
  }
}
