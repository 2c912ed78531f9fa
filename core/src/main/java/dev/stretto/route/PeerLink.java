package dev.stretto.route;

import dev.stretto.driver.DriverException;
import dev.stretto.fault.PeerAccessException;

/**
 * One device's access to the memory of another. Copies and launches that rely on it note their use;
 * the access ends after the last of them.
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
   * {@return access that is enabled}
   *
   * @param from the device that accesses the memory
   * @param to the device whose memory is accessed; a different device of the same driver
   */
  public static PeerLink open(DeviceRuntime from, DeviceRuntime to) {
    from.requireUsable();
    to.requireUsable();
    // Neither device is closed meanwhile.
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

  /** {@return the device that accesses the memory} */
  public DeviceRuntime from() {
    return from;
  }

  /** {@return the device whose memory is accessed} */
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

  /**
   * Runs on another thread than the one that sees the last use, because the driver may wait for
   * work.
   */
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
