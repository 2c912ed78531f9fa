package dev.stretto.driver.virtual;

import dev.stretto.driver.HostClock;

/**
 * The modelled time of each host thread. A thread begins at the time of the thread that created it,
 * because its work cannot happen earlier.
 */
final class ModelClock implements HostClock {
  private final DeviceModel model;

  /** Not static, because the times of two drivers are independent. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadTimes times = new ThreadTimes();

  ModelClock(DeviceModel model) {
    this.model = model;
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
    // Writers take turns, so each of them takes as long as all of them together.
    return DeviceModel.nanos(bytes, model.fileWrite()) * Math.max(1, writers);
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
