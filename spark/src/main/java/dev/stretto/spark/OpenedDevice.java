package dev.stretto.spark;

import dev.stretto.Device;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A device of the executor, with the tasks that use it. */
final class OpenedDevice {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final String address;
  private final Device device;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition released = lock.newCondition();

  /** Guarded by the lock. */
  private int tasks;

  /** How many tasks have ended; guarded by the lock. */
  private long releases;

  OpenedDevice(String address, Device device) {
    this.address = address;
    this.device = device;
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
