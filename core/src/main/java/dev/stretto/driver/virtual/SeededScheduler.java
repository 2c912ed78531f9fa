package dev.stretto.driver.virtual;

import dev.stretto.driver.Cooperation;
import dev.stretto.driver.KernelTwin.Run.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.WeakHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets operations happen while the program waits, in a legal order that a seed picks. Nothing
 * happens before it is picked: only then does a copy read its source and write its destination, and
 * a large copy does so in pieces with other operations between them. Under half of the seeds,
 * operations may also happen within a call that enqueues, before the program goes on.
 *
 * <p>There are two ways to go on, and they must not be confused. {@link #step()} picks among
 * operations and host-side tasks. A task may be any code, including callbacks of the program, and
 * takes the locks of the layers above, so no lock is held when it is called. {@link #await} serves
 * driver calls that have to block (a stream is full, an event is awaited). It picks only
 * operations, because its caller may hold locks of the layers above in the middle of a change. As
 * on a GPU, such a call needs no host code to go on: everything on which an operation depends
 * reaches the driver before the operation does.
 */
final class SeededScheduler implements Scheduler, Cooperation {
  /**
   * How long launches keep polling while nothing else can happen, because the host may still write
   * what they poll for. After that they count as unable to run.
   */
  private static final long PATIENCE_NANOS = 500_000_000;

  /** How often they poll at least, however long that takes on a busy machine. */
  private static final int FEWEST_LOOKS = 8;

  private static final long PAUSE_NANOS = 50_000;

  /** How long a kernel runs at least before a thread with a deadline stops waiting for it. */
  private static final long MOMENT_NANOS = 200_000_000;

  /** After a pause this long, launches poll again for a while… */
  private static final long LATER_NANOS = 50_000_000;

  /** …but only this long: a kernel that waits forever must not keep a core busy. */
  private static final long LATER_LOOK_NANOS = 2_000_000;

  /** The choices of a run that are kept. A longer run is not replayed to its end. */
  private static final int MOST_CHOICES = 1 << 17;

  private final Platform platform;
  private final long seed;
  private final Chooser chooser;
  private final boolean advancesWithinCalls;

  /** Picks what is no choice of what happens next; apart, so that a replay picks the same. */
  private final SplittableRandom picks;

  private final List<Choice> trace = new ArrayList<>();
  private int submitted;

  /** The operations that can happen now; dropped ones are skipped. */
  private final List<Step> operations = new ArrayList<>();

  /**
   * Launches whose threads poll for something that others have to do, after a poll in vain. They
   * poll again when anything has happened.
   */
  private final List<Step> looking = new ArrayList<>();

  /** How long launches have polled since anything else happened, and when they last did so. */
  private long lookedNanos;

  /** How often launches have polled while nothing else happened. */
  private int looks;

  private long lastLook = System.nanoTime();

  /** The tasks that can happen now. */
  private final List<Step> tasks = new ArrayList<>();

  /** The threads that run operations; a thread appears once for each nested operation. */
  private final List<Thread> running = new ArrayList<>();

  /** The contexts that have run operations, for reports. */
  private final Set<PrimaryContext> contexts = new LinkedHashSet<>();

  /** The streams on which an event was recorded since the last call of {@link #takeNews()}. */
  private Set<Long> news = new LinkedHashSet<>();

  private final Set<Thread> users = Collections.newSetFromMap(new WeakHashMap<>());
  private final Set<Thread> disregarded = Collections.newSetFromMap(new WeakHashMap<>());
  private long uses;
  private long lastUse = System.nanoTime();

  /**
   * Creates a scheduler.
   *
   * @param config has the seed and the family of schedules
   * @param replayed the choices to repeat, or null if the seed chooses
   */
  SeededScheduler(Platform platform, VirtualConfig config, @Nullable List<Choice> replayed) {
    this.platform = platform;
    this.seed = config.seed().orElseThrow();
    this.chooser = replayed == null ? config.schedule().chooser(seed) : new ReplayChooser(replayed);
    this.advancesWithinCalls = replayed != null || config.schedule().advancesWithinCalls(seed);
    this.picks = new SplittableRandom(~seed);
  }

  /** {@return what has happened so far, in order; called with the platform's lock held} */
  List<Choice> trace() {
    return List.copyOf(trace);
  }

  /** {@return how often a replay could not do as its trace says} */
  int misfits() {
    return chooser.misfits();
  }

  @Override
  public boolean recordsAtOnce() {
    return false;
  }

  @Override
  public boolean tellsProgress() {
    return false;
  }

  @Override
  public Cooperation cooperation() {
    return this;
  }

  @Override
  public void recorded(RecordOp op) {
    news.add(op.stream().handle());
  }

  @Override
  public void lost(PrimaryContext context) {}

  @Override
  public void used() {
    Thread thread = Thread.currentThread();
    if (!disregarded.contains(thread)) {
      users.add(thread);
      uses++;
      lastUse = System.nanoTime();
    }
  }

  @Override
  public void close(PrimaryContext context) {
    operations.removeIf(Step::isOver);
    looking.removeIf(Step::isOver);
    contexts.remove(context);
  }

  @Override
  public void offer(StreamOp op) {
    contexts.add(op.context());
    operations.add(Step.of(op, seed));
    changes();
  }

  @Override
  public void submit(Runnable task) {
    platform.lock().lock();
    try {
      used();
      tasks.add(Step.of(task, ++submitted, platform.order().lastSequence()));
      changes();
      platform.changed().signalAll();
    } finally {
      platform.lock().unlock();
    }
  }

  @Override
  public boolean step(long deadline) {
    platform.lock().lock();
    try {
      used();
      Step step = pick(tasks, null);
      if (step == null) {
        return look(deadline);
      }
      take(step, deadline);
      return true;
    } finally {
      platform.lock().unlock();
    }
  }

  @Override
  public boolean canStep() {
    platform.lock().lock();
    try {
      return !news.isEmpty()
          || !tasks.isEmpty()
          || operations.stream().anyMatch(step -> !step.isOver())
          || canLook();
    } finally {
      platform.lock().unlock();
    }
  }

  @Override
  public boolean isAtRest() {
    platform.lock().lock();
    try {
      return !canStep() && isRunHereAlone();
    } finally {
      platform.lock().unlock();
    }
  }

  @Override
  public boolean isLooking() {
    platform.lock().lock();
    try {
      return looking.stream().anyMatch(step -> !step.isOver());
    } finally {
      platform.lock().unlock();
    }
  }

  /** Whether no other thread runs an operation. */
  private boolean isRunHereAlone() {
    return running.stream().allMatch(Thread.currentThread()::equals);
  }

  @Override
  public List<Long> takeNews() {
    platform.lock().lock();
    try {
      if (news.isEmpty()) {
        return List.of();
      }
      List<Long> taken = List.copyOf(news);
      news = new LinkedHashSet<>(); // clearing a large set takes long
      return taken;
    } finally {
      platform.lock().unlock();
    }
  }

  @Override
  public int pick(int count) {
    platform.lock().lock();
    try {
      return picks.nextInt(count);
    } finally {
      platform.lock().unlock();
    }
  }

  @Override
  public Use use() {
    platform.lock().lock();
    try {
      users.removeIf(thread -> !thread.isAlive());
      return new Use(uses, lastUse, List.copyOf(users));
    } finally {
      platform.lock().unlock();
    }
  }

  @Override
  public void disregardThisThread() {
    platform.lock().lock();
    try {
      boolean _ = disregarded.add(Thread.currentThread());
    } finally {
      platform.lock().unlock();
    }
  }

  /**
   * Lets operations happen until it is the program's turn. Like {@link #await}, it runs no tasks. A
   * kernel that computes for long goes on in the background, since no enqueuing call waits for one.
   */
  @Override
  public void enqueued(StreamOp op) {
    if (!advancesWithinCalls) {
      return;
    }
    OpName name = op.name();
    for (Step step = pick(List.of(), name); step != null; step = pick(List.of(), name)) {
      take(step, System.nanoTime());
    }
  }

  @Override
  public void await(String what, BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Step step = pick(List.of(), null);
      if (step != null) {
        take(step, Long.MAX_VALUE);
      } else if (!look(Long.MAX_VALUE)) {
        if (isRunHereAlone()) {
          String stall = describeStall();
          throw CudaResult.DEADLOCK.of(
              what,
              "no enqueued operation can run:"
                  + (stall.isEmpty() ? " no stream holds anything" : stall));
        }
        // Another thread runs an operation; after it there may be more to do.
        platform.changed().awaitUninterruptibly();
      }
    }
  }

  @Override
  public String describeStall() {
    platform.lock().lock();
    try {
      StringBuilder report = new StringBuilder();
      contexts.forEach(context -> report.append(StreamOrder.describe(context)));
      return report.toString();
    } finally {
      platform.lock().unlock();
    }
  }

  /** Notes that something has happened for which launches may poll. */
  private void changes() {
    lookedNanos = 0;
    looks = 0;
    operations.addAll(looking);
    looking.clear();
  }

  private boolean canLook() {
    if (lookedNanos >= PATIENCE_NANOS && System.nanoTime() - lastLook > LATER_NANOS) {
      lookedNanos = PATIENCE_NANOS - LATER_LOOK_NANOS; // after a pause: poll again for a while
    }
    if (looking.stream().anyMatch(Step::waitsForOthers)) {
      return true;
    }
    return (lookedNanos < PATIENCE_NANOS || looks < FEWEST_LOOKS * looking.size())
        && looking.stream().anyMatch(step -> !step.isOver());
  }

  /**
   * Lets the launch poll whose last poll was the longest time ago; returns whether there was one.
   */
  private boolean look(long deadline) {
    looking.removeIf(Step::isOver);
    if (!canLook()) {
      return false;
    }
    Step step = looking.removeFirst();
    long start = System.nanoTime();
    unlocked(() -> LockSupport.parkNanos(this, PAUSE_NANOS));
    if (!step.isOver()) {
      take(step, deadline);
    }
    looks++;
    lastLook = System.nanoTime();
    lookedNanos += lastLook - start;
    return true;
  }

  /**
   * {@return the step that happens next, removed from its list, or null if there is none, or if the
   * program goes on}
   *
   * @param within the operation that is being enqueued, or null if the program waits
   */
  private @Nullable Step pick(List<Step> withTasks, @Nullable OpName within) {
    Ready ready = new Ready(operations, withTasks);
    while (ready.size() > 0) {
      int index = chooser.choose(ready, within);
      if (index == Chooser.PROGRAM) {
        return null;
      }
      Step step = ready.remove(index);
      if (!step.isOver()) {
        if (trace.size() < MOST_CHOICES) {
          trace.add(new Choice(step.name(), within));
        }
        return step;
      }
    }
    return null;
  }

  private void take(Step step, long deadline) {
    StreamOp op = step.op();
    if (op == null) {
      unlocked(() -> step.run());
      changes();
    } else {
      op.context().enter(op);
      if (deadline == Long.MAX_VALUE || !op.runsKernel()) {
        running.add(Thread.currentThread());
        run(op, step);
      } else {
        runBeside(op, step, deadline);
      }
    }
    platform.changed().signalAll();
  }

  private void run(StreamOp op, Step step) {
    PrimaryContext context = op.context();
    Progress[] progress = {Progress.OVER};
    Throwable failure = null;
    try {
      unlocked(() -> progress[0] = step.run());
    } catch (Throwable e) {
      failure = e;
    } finally {
      running.remove(Thread.currentThread());
    }
    if (failure == null && !step.isDone() && !op.done) {
      context.pause(op);
      if (progress[0] == Progress.WAITS) {
        looking.add(step);
        return;
      }
      operations.add(step);
    } else {
      context.leave(op, failure);
    }
    changes();
  }

  /**
   * Runs an operation for a thread that waits until a deadline. A kernel may compute for long, or
   * for ever. It always gets a moment, so that the seed alone decides the order if kernels are
   * short.
   */
  private void runBeside(StreamOp op, Step step, long deadline) {
    Thread worker =
        Thread.ofPlatform()
            .daemon()
            .name("stretto-seeded-launch")
            .unstarted(
                () -> {
                  platform.lock().lock();
                  try {
                    run(op, step);
                    platform.changed().signalAll();
                  } finally {
                    platform.lock().unlock();
                  }
                });
    try {
      worker.start();
    } catch (OutOfMemoryError _) { // the process can have no more threads
      running.add(Thread.currentThread());
      run(op, step);
      return;
    }
    running.add(worker);
    long nanos = Math.max(MOMENT_NANOS, deadline - System.nanoTime());
    unlocked(
        () -> {
          try {
            boolean _ = worker.join(Duration.ofNanos(nanos));
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // for the wait that steps
          }
        });
  }

  /**
   * Runs a step without the platform's lock: a task may call the driver, and a kernel may take
   * long.
   */
  private void unlocked(Runnable body) {
    ReentrantLock lock = platform.lock();
    int holds = lock.getHoldCount();
    for (int i = 0; i < holds; i++) {
      lock.unlock();
    }
    try {
      body.run();
    } finally {
      for (int i = 0; i < holds; i++) {
        lock.lock();
      }
    }
  }
}
