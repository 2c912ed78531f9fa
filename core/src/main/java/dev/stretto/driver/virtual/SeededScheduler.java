package dev.stretto.driver.virtual;

import dev.stretto.driver.Cooperation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Lets operations happen only while the program waits, in an order that a seed picks among the
 * legal ones. Nothing happens before it is picked: a copy reads its source and writes its
 * destination then, and a large one does so in pieces with other things between them.
 */
final class SeededScheduler implements Scheduler, Cooperation {
  private static final int MOST_STEPS_PER_NUDGE = 3;

  private final Platform platform;
  private final SplittableRandom random;

  /** What can happen now. */
  private final List<Step> ready = new ArrayList<>();

  /** Who is in the middle of a step; a thread appears once for each step that it is nested in. */
  private final List<Thread> stepping = new ArrayList<>();

  /** The contexts that have run something, for the report. */
  private final Set<Context> contexts = new LinkedHashSet<>();

  SeededScheduler(Platform platform, long seed) {
    this.platform = platform;
    this.random = new SplittableRandom(seed);
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
  public void progressed(Context context) {}

  @Override
  public void close(Context context) {
    ready.removeIf(step -> step.op() != null && step.op().done);
    contexts.remove(context);
  }

  @Override
  public void offer(Op op) {
    contexts.add(op.context());
    ready.add(Step.of(op, random));
  }

  @Override
  public void submit(Runnable task) {
    platform.lock().lock();
    try {
      ready.add(Step.of(task));
    } finally {
      platform.lock().unlock();
    }
  }

  @Override
  public void nudge() {
    platform.lock().lock();
    try {
      int steps = random.nextInt(MOST_STEPS_PER_NUDGE + 1);
      for (int i = 0; i < steps && stepLocked(); i++) {}
    } finally {
      platform.lock().unlock();
    }
  }

  @Override
  public boolean step() {
    platform.lock().lock();
    try {
      return stepLocked();
    } finally {
      platform.lock().unlock();
    }
  }

  @Override
  public void await(String what, BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (stepLocked()) {
        continue;
      }
      if (stepping.stream().allMatch(Thread.currentThread()::equals)) {
        String stall = describeStall();
        throw CudaResult.DEADLOCK.of(
            what,
            "nothing that is enqueued can run:"
                + (stall.isEmpty() ? " no stream holds anything" : stall));
      }
      // Another thread is in the middle of a step, after which there may be more to do.
      platform.changed().awaitUninterruptibly();
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

  private boolean stepLocked() {
    ready.removeIf(step -> step.op() != null && step.op().done);
    if (ready.isEmpty()) {
      return false;
    }
    Step step = ready.remove(random.nextInt(ready.size()));
    Op op = step.op();
    if (op == null) {
      unlocked(step::run);
    } else {
      run(op, step);
    }
    platform.changed().signalAll();
    return true;
  }

  private void run(Op op, Step step) {
    Context context = op.context();
    boolean last = step.isLast();
    context.enter(op);
    Throwable failure = null;
    try {
      unlocked(step::run);
    } catch (Throwable e) {
      failure = e;
    }
    if (failure == null && !last && !op.done) {
      context.pause(op);
      ready.add(step);
    } else {
      context.leave(op, failure);
    }
  }

  /** Steps hold no lock: a task may call the driver, and a kernel may take its time. */
  private void unlocked(Runnable body) {
    ReentrantLock lock = platform.lock();
    int holds = lock.getHoldCount();
    stepping.add(Thread.currentThread());
    for (int i = 0; i < holds; i++) {
      lock.unlock();
    }
    try {
      body.run();
    } finally {
      for (int i = 0; i < holds; i++) {
        lock.lock();
      }
      stepping.remove(Thread.currentThread());
    }
  }
}
