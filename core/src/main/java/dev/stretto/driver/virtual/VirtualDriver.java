package dev.stretto.driver.virtual;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Devices that need no GPU. Each driver object has its own devices; all openings of one ordinal
 * through it are the same device.
 */
public final class VirtualDriver implements Driver {
  private final VirtualConfig config;
  private final Platform platform;

  private final @Nullable PrimaryContext[] contexts;

  /**
   * Creates a driver. Nothing is started before it is needed.
   *
   * @param config what to model
   */
  public VirtualDriver(VirtualConfig config) {
    this(config, null);
  }

  private VirtualDriver(VirtualConfig config, @Nullable List<Choice> replayed) {
    this.config = config;
    this.platform = new Platform(config, replayed);
    this.contexts = platform.contexts();
  }

  /**
   * {@return a driver that repeats a run}
   *
   * @param config what to model, with the seed of the run
   * @param trace what {@link #trace()} has told of it
   * @throws IllegalArgumentException if the configuration has no seed
   */
  public static VirtualDriver replaying(VirtualConfig config, List<Choice> trace) {
    if (config.seed().isEmpty()) {
      throw new IllegalArgumentException("a run without a seed cannot be repeated: " + config);
    }
    return new VirtualDriver(config, trace);
  }

  /** {@return what has happened so far, in order; empty without a seed} */
  public List<Choice> trace() {
    platform.lock().lock();
    try {
      return platform.scheduler() instanceof SeededScheduler seeded ? seeded.trace() : List.of();
    } finally {
      platform.lock().unlock();
    }
  }

  /** {@return how often a run that is repeated went another way than its trace} */
  public int misfits() {
    platform.lock().lock();
    try {
      return platform.scheduler() instanceof SeededScheduler seeded ? seeded.misfits() : 0;
    } finally {
      platform.lock().unlock();
    }
  }

  @Override
  public String name() {
    return "virtual";
  }

  @Override
  public int deviceCount() {
    return config.devices();
  }

  @Override
  public DeviceProperties properties(int ordinal) {
    check(ordinal);
    return config.properties(ordinal);
  }

  @Override
  public DriverDevice open(int ordinal) {
    check(ordinal);
    platform.lock().lock();
    try {
      PrimaryContext context = contexts[ordinal];
      if (context == null) {
        context = new PrimaryContext(platform, config.properties(ordinal));
        contexts[ordinal] = context;
      }
      context.open();
      return new VirtualDevice(this, context);
    } finally {
      platform.lock().unlock();
    }
  }

  /**
   * {@return counts of a device's resources that are held now}
   *
   * @param ordinal 0 to {@code deviceCount() - 1}
   */
  public LiveCounts live(int ordinal) {
    check(ordinal);
    platform.lock().lock();
    try {
      PrimaryContext context = contexts[ordinal];
      return context == null ? LiveCounts.NONE : context.live();
    } finally {
      platform.lock().unlock();
    }
  }

  /** Closes one opening. */
  void close(PrimaryContext context) {
    platform.lock().lock();
    try {
      if (context.close()) {
        // First, because the rest may wait, and a thread that opens the ordinal meanwhile gets a
        // new context.
        contexts[context.ordinal()] = null;
        context.destroy();
      }
    } finally {
      platform.lock().unlock();
    }
  }

  private void check(int ordinal) {
    if (ordinal < 0 || ordinal >= contexts.length) {
      throw CudaResult.INVALID_DEVICE.of(
          "cuDeviceGet",
          "there is no virtual device %d; there are %d, numbered from 0"
              .formatted(ordinal, contexts.length));
    }
  }

  @Override
  public String toString() {
    return "virtual driver, " + config;
  }
}
