package dev.stretto.driver.virtual;

import dev.stretto.driver.Cooperation;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets threads do the work of a device's engines: every operation that may run does so, at its own
 * pace.
 */
final class ThreadScheduler implements Scheduler {
  /** How many streams wait for numbers at the same time, more than programs have. */
  private static final int MOST_WAITING = 1 << 12;

  private final Platform platform;
  private final Map<PrimaryContext, Map<DeviceEngine, EngineThreads>> lanes = new HashMap<>();

  /** Whether a lane has work but no thread, because the process can have no more threads. */
  private boolean starving;

  private final ProgressNews news;

  ThreadScheduler(Platform platform) {
    this.platform = platform;
    this.news = new ProgressNews(platform);
  }

  @Override
  public boolean recordsAtOnce() {
    return true;
  }

  @Override
  public boolean tellsProgress() {
    return true;
  }

  @Override
  public @Nullable Cooperation cooperation() {
    return null;
  }

  @Override
  public void recorded(RecordOp op) {
    news.add(op.context());
  }

  @Override
  public void lost(PrimaryContext context) {
    news.add(context);
  }

  @Override
  public void used() {}

  @Override
  public void offer(StreamOp op) {
    PrimaryContext context = op.context();
    DeviceEngine engine =
        op.engine() == DeviceEngine.TO_HOST && context.properties().copyEngines() < 2
            ? DeviceEngine.TO_DEVICE
            : op.engine();
    boolean offered =
        lanes
            .computeIfAbsent(context, any -> new EnumMap<>(DeviceEngine.class))
            .computeIfAbsent(engine, any -> lane(context, engine))
            .offer(op);
    starving |= !offered;
  }

  @Override
  public void asked() {
    if (starving) {
      starving = false;
      for (Map<DeviceEngine, EngineThreads> each : List.copyOf(lanes.values())) {
        for (EngineThreads lane : List.copyOf(each.values())) {
          lane.startThreads();
          if (!lane.hasThreads()) {
            starving = true;
            runHere(lane);
          }
        }
      }
    }
  }

  /** Runs operations that have no thread on the calling thread. */
  private void runHere(EngineThreads lane) {
    StreamOp op = platform.lock().getHoldCount() == 1 ? lane.poll() : null;
    if (op != null) {
      run(op);
    }
  }

  @Override
  public void await(String what, BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      asked();
      platform.changed().awaitUninterruptibly();
    }
  }

  @Override
  public void close(PrimaryContext context) {
    Map<DeviceEngine, EngineThreads> gone = lanes.remove(context);
    if (gone != null) {
      gone.values().forEach(EngineThreads::close);
    }
    if (lanes.isEmpty()) {
      news.close();
    }
  }

  private EngineThreads lane(PrimaryContext context, DeviceEngine engine) {
    return new EngineThreads(
        "stretto-virtual-%d-%s".formatted(context.ordinal(), engine.word()),
        switch (engine) {
          case COMPUTE, LOCAL -> platform.config().threads();
          case VALUES -> MOST_WAITING; // each waits as long as it takes
          default -> 1;
        },
        platform.lock().newCondition(),
        this::work);
  }

  /** Runs an operation without the lock, which the thread holds before and after. */
  private void run(StreamOp op) {
    op.context().enter(op);
    platform.lock().unlock();
    Throwable failure = null;
    try {
      KernelThreads.run(op);
    } catch (Throwable e) {
      failure = e;
    } finally {
      platform.lock().lock();
    }
    leave(op, failure);
  }

  /** The body of a lane's thread. */
  private void work(EngineThreads lane) {
    platform.lock().lock();
    try {
      for (StreamOp op = lane.take(); op != null; op = lane.take()) {
        run(op);
      }
    } finally {
      platform.lock().unlock();
    }
  }

  private void leave(StreamOp op, @Nullable Throwable failure) {
    news.tellAfter(() -> op.context().leave(op, failure));
  }
}
