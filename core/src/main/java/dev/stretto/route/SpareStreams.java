package dev.stretto.route;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The driver's streams of closed streams, kept for streams that are opened later: the driver takes
 * several times as long to create one as to run a small copy. A stream is kept when everything on
 * it is done, unless the program has its handle: other code may then still use it. Guarded by the
 * driver's lock.
 */
final class SpareStreams {
  private static final int MOST = 32;

  private record Spare(long handle, int priority) {}

  private final ArrayDeque<Spare> spares = new ArrayDeque<>();
  private final DeviceState device;

  SpareStreams(DeviceState device) {
    this.device = device;
  }

  /**
   * {@return the handle of a stream without work}
   *
   * @param priority numerically lower is more urgent
   * @throws DriverException if there is no spare one and the driver cannot create one
   */
  long take(int priority) {
    for (Iterator<Spare> i = spares.iterator(); i.hasNext(); ) {
      Spare spare = i.next();
      if (spare.priority == priority) {
        i.remove();
        return spare.handle;
      }
    }
    return device.driver().createStream(priority);
  }

  /** Keeps a stream on which nothing is enqueued any more, or destroys it. */
  void giveBack(long handle, int priority) {
    DriverDevice driver = device.driver();
    if (device.isClosed() || driver.clock().isModelled() || spares.size() == MOST) {
      driver.destroyStream(handle);
    } else {
      spares.push(new Spare(handle, priority));
    }
  }

  /** Destroys the spare streams of a device that is closed. */
  void release() {
    List<Spare> all;
    synchronized (device.lock) {
      all = new ArrayList<>(spares);
      spares.clear();
    }
    for (Spare spare : all) {
      try {
        device.driver().destroyStream(spare.handle);
      } catch (DriverException e) {
        device.report("a spare stream could not be released", e);
      }
    }
  }
}
