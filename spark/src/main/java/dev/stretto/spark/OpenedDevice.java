package dev.stretto.spark;

import dev.stretto.Device;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A device of the executor, with the tasks that use it. */
final class OpenedDevice {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** What the staging of copies takes of a device's budget at most, and does not give back. */
  private static final long STAGING_BYTES = 136L << 20;

  private final String address;
  private final Device device;
  private final long pinnedBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition released = lock.newCondition();

  /** Guarded by the lock. */
  private int tasks;

  /** How many tasks have ended; guarded by the lock. */
  private long releases;

  private OpenedDevice(String address, Device device, long pinnedBytes) {
    this.address = address;
    this.device = device;
    this.pinnedBytes = pinnedBytes;
  }

  /** {@return a device with the core's own budget of pinned memory} */
  static OpenedDevice of(String address, Device device) {
    long budget = device.pinned().budgetBytes();
    return new OpenedDevice(address, device, budget - Math.min(STAGING_BYTES, budget / 2));
  }

  /** {@return the same device, whose tasks may pin so many bytes} */
  OpenedDevice withPinned(long bytes) {
    device.pinnedBudget(bytes + STAGING_BYTES);
    return new OpenedDevice(address, device, bytes);
  }

  /** {@return how many bytes all of its tasks may pin; the staging of copies comes on top} */
  long pinnedBytes() {
    return pinnedBytes;
  }

  String address() {
    return address;
  }

  Device device() {
    return device;
  }

  boolean isUsable() {
    return device.isOpen() && !device.isLost();
  }

  int tasks() {
    lock.lock();
    try {
      return tasks;
    } finally {
      lock.unlock();
    }
  }

  void taskBegins() {
    lock.lock();
    try {
      tasks++;
    } finally {
      lock.unlock();
    }
  }

  void taskEnds() {
    lock.lock();
    try {
      tasks--;
      releases++;
      released.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until another task has ended, or for a moment: memory also comes back in the order of a
   * stream.
   *
   * @return how many nanoseconds are left
   */
  long awaitRelease(long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long begin = System.nanoTime();
      long seen = releases;
      long left = Math.min(nanos, LOOK_NANOS);
      while (releases == seen && left > 0) {
        left = released.awaitNanos(left);
      }
      return nanos - (System.nanoTime() - begin);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "%s at address %s".formatted(device, address);
  }
}
