package dev.stretto.driver.virtual;

import dev.stretto.driver.HostClock;

/**
 * The modelled time of each host thread. A thread begins at the time of the thread that created it,
 * because its work cannot happen earlier.
 */
final class ModelClock implements HostClock {
  /** Whether an event has happened by a time. */
  interface Events {
    boolean hasPassed(long event, long nanos);
  }

  private final DeviceModel model;
  private final Events events;

  /** Not static, because the times of two drivers are independent. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadTimes times = new ThreadTimes();

  ModelClock(DeviceModel model, Events events) {
    this.model = model;
    this.events = events;
  }

  @Override
  public boolean isModelled() {
    return true;
  }

  @Override
  public long now() {
    return times.get()[0];
  }

  @Override
  public void set(long nanos) {
    times.get()[0] = nanos;
  }

  @Override
  public boolean hasPassed(long event) {
    return events.hasPassed(event, now());
  }

  /** Lets time pass on the calling thread. */
  void spend(long nanos) {
    times.get()[0] += nanos;
  }

  @Override
  public long copyNanos(long bytes) {
    return DeviceModel.nanos(bytes, model.hostCopy());
  }

  @Override
  public long readNanos(long bytes) {
    return DeviceModel.nanos(bytes, model.fileRead());
  }

  @Override
  public long writeNanos(long bytes, int writers) {
    long alone = DeviceModel.nanos(bytes, model.fileWrite());
    return writers <= 1
        ? alone
        : Math.max(alone, DeviceModel.nanos(bytes, model.fileWrites()) * writers);
  }

  @Override
  public int cores() {
    return model.hostCores();
  }

  private static final class ThreadTimes extends InheritableThreadLocal<long[]> {
    @Override
    protected long[] initialValue() {
      return new long[1];
    }

    @Override
    protected long[] childValue(long[] parent) {
      return parent.clone();
    }
  }
}
