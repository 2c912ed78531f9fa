package dev.stretto.bench.sweep;

import dev.stretto.Device;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits because memory that was just released is unpinned in the background, which delays threads
 * that enqueue in the meantime.
 */
public final class Unpinned {
  private Unpinned() {}

  /**
   * Waits until the amount of pinned memory no longer changes.
   *
   * @param device that has pinned it
   */
  public static void await(Device device) {
    long used;
    do {
      used = device.pinned().usedBytes();
      LockSupport.parkNanos(100_000_000);
    } while (device.pinned().usedBytes() != used);
  }
}
