package dev.stretto.route;

import dev.stretto.driver.DriverException;
import dev.stretto.fault.PeerAccessException;

/**
 * One device's right to address the memory of another. What relies on it, a copy or a launch, notes
 * that it does; the right ends after the last of them.
 */
public final class PeerLink extends Resource {
  private final DeviceRuntime from;
  private final DeviceRuntime to;
  private boolean disabled;

  private PeerLink(DeviceRuntime from, DeviceRuntime to) {
    this.from = from;
    this.to = to;
  }

  /**
   * {@return a right, which is in force}
   *
   * @param from the device that addresses
   * @param to the device whose memory is addressed; of the same driver, and another one
   */
  public static PeerLink open(DeviceRuntime from, DeviceRuntime to) {
    from.requireUsable();
    to.requireUsable();
    // Neither of the two is closed meanwhile.
    return to.call(() -> from.call(() -> opened(from, to)));
  }

  private static PeerLink opened(DeviceRuntime from, DeviceRuntime to) {
    try {
      from.driver().enablePeerAccess(to.driver());
    } catch (DriverException e) {
      throw e.kind() == DriverException.Kind.INVALID
          ? new PeerAccessException(from.name() + " and " + to.name() + ": " + e.getMessage(), e)
          : from.device().raised(e, to.device());
    }
    PeerLink link = new PeerLink(from, to);
    boolean keptHere = from.resources().adopt(link);
    boolean keptThere = to.resources().adoptGuest(link);
    if (!keptHere || !keptThere) {
      link.disable(); // at once: a driver is closed as soon as this call is over
      throw from.isClosed() ? from.device().closedException() : to.device().closedException();
    }
    from.peers().add(to, link);
    return link;
  }

  /** {@return the device that addresses} */
  public DeviceRuntime from() {
    return from;
  }

  /** {@return the device whose memory is addressed} */
  public DeviceRuntime to() {
    return to;
  }

  @Override
  public boolean closeAfterLastUse() {
    from.peers().remove(to, this);
    return super.closeAfterLastUse();
  }

  @Override
  public String describe() {
    return "access of " + from.name() + " to the memory of " + to.name();
  }

  /** Not on the thread that is told of the last use, for the driver may wait for work. */
  @Override
  protected void release() {
    from.device().hostWork().submitBlocking(this::disable);
  }

  private void disable() {
    synchronized (this) {
      if (disabled) {
        return;
      }
      disabled = true;
    }
    try {
      if (!from.isLost() && !to.isLost()) {
        from.driver().disablePeerAccess(to.driver());
      }
    } catch (DriverException e) {
      from.device().report(describe() + " could not be ended", e, to.device());
    } finally {
      from.resources().released(this);
      to.resources().releasedGuest(this);
      gone();
    }
  }
}
