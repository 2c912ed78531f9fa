package dev.stretto;

import dev.stretto.fault.StrettoException;
import dev.stretto.jmx.Beans;
import dev.stretto.observe.Counts;
import dev.stretto.observe.WorkKind;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.ProgramLog;
import dev.stretto.settings.Settings;
import java.util.Map;
import java.util.function.LongSupplier;

/** The metrics of a device; counts from its creation on. */
final class DeviceMetrics implements DeviceMetricsMXBean {
  private final DeviceRuntime engine;
  private final Counts counts;
  private final long totalBytes;

  DeviceMetrics(DeviceRuntime engine, Counts counts) {
    this.engine = engine;
    this.counts = counts;
    this.totalBytes = engine.driver().properties().totalBytes();
  }

  /** Registers the metrics of a device that opens, if the setting asks for them. */
  static boolean isAskedFor() {
    if (!Settings.METRICS.value()) {
      return false;
    }
    if (!Beans.arePossible()) {
      ProgramLog.warn(
          Settings.METRICS.option()
              + "=true has no effect, because the module java.management is absent",
          null);
      return false;
    }
    return true;
  }

  void register() {
    if (!Beans.arePossible()) {
      throw new IllegalStateException(
          "metrics cannot be registered: the module java.management is absent");
    }
    Beans.register(this, DeviceMetricsMXBean.class, engine.name());
  }

  void remove() {
    Beans.remove(engine.name());
  }

  /** A number of the moment, or 0 if the device is closed or lost. */
  private long now(LongSupplier number) {
    if (engine.isClosed() || engine.isLost()) {
      return 0;
    }
    try {
      return number.getAsLong();
    } catch (StrettoException _) { // closed or lost at this very moment
      return 0;
    }
  }

  @Override
  public String getDevice() {
    return engine.name();
  }

  @Override
  public long getCopies() {
    return counts.copies();
  }

  @Override
  public Map<String, Long> getCopiesByRoute() {
    return counts.copiesByWay();
  }

  @Override
  public Map<String, Long> getBytesByRoute() {
    return counts.bytesByWay();
  }

  @Override
  public long getBytesToDevice() {
    return counts.bytes(WorkKind.HOST_TO_DEVICE);
  }

  @Override
  public long getBytesToHost() {
    return counts.bytes(WorkKind.DEVICE_TO_HOST);
  }

  @Override
  public long getBytesWithinDevice() {
    return counts.bytes(WorkKind.DEVICE_TO_DEVICE);
  }

  @Override
  public long getBytesBetweenDevices() {
    return counts.bytes(WorkKind.PEER);
  }

  @Override
  public long getWaits() {
    return counts.waits();
  }

  @Override
  public long getWaitNanos() {
    return counts.waitNanos();
  }

  @Override
  public long getPinnedBytes() {
    return now(engine.pinned()::used);
  }

  @Override
  public long getPinnedPeakBytes() {
    return now(engine.pinned()::peak);
  }

  @Override
  public long getPinnedBudgetBytes() {
    return now(engine.pinned()::budget);
  }

  @Override
  public long getFreeBytes() {
    return now(() -> engine.call(() -> engine.driver().freeBytes()));
  }

  @Override
  public long getTotalBytes() {
    return now(() -> totalBytes);
  }

  @Override
  public long getHeldBackOperations() {
    return now(() -> engine.streams().heldBack());
  }

  @Override
  public long getStreams() {
    return now(() -> engine.streams().queues().size());
  }

  @Override
  public long getLiveObjects() {
    return now(() -> engine.resources().count());
  }

  @Override
  public String toString() {
    return "the metrics of " + engine.name();
  }
}
