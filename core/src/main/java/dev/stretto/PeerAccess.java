package dev.stretto;

import dev.stretto.route.PeerLink;

/**
 * One device's access to the memory of another: copies between the two go from device to device,
 * and kernels of the first may read and write the other's arrays. It holds for all memory of the
 * other device, allocated before or after.
 *
 * <p>Access goes one way. For kernels of both devices it is enabled on both; for copies either way
 * suffices. It may be enabled several times; the last to be closed ends it. Copies and launches
 * that are under way keep it until they are done.
 *
 * <pre>{@code
 * try (PeerAccess access = first.enablePeerAccess(second)) {
 *   stream.copy(arrayOfFirst, arrayOfSecond).await();
 * }
 * }</pre>
 *
 * <p>CUDA C++ Programming Guide, "Peer-to-Peer Memory Access".
 */
public final class PeerAccess implements AutoCloseable {
  private final Device device;
  private final Device peer;
  private final PeerLink link;

  PeerAccess(Device device, Device peer, PeerLink link) {
    this.device = device;
    this.peer = peer;
    this.link = link;
  }

  /** {@return the device that addresses the other's memory} */
  public Device device() {
    return device;
  }

  /** {@return the device whose memory is addressed} */
  public Device peer() {
    return peer;
  }

  /** {@return whether this was not closed, and neither was one of the devices} */
  public boolean isOpen() {
    return link.isOpen() && device.isOpen() && peer.isOpen();
  }

  /**
   * Ends this access for all that is enqueued from now on. Copies and launches that are under way
   * keep it. Does not block. A GPU's driver leaves it turned on for as long as anybody in the
   * process has both devices open, so later allocations are as dear as before. Closing this again
   * has no further effect.
   */
  @Override
  public void close() {
    boolean _ = link.closeAfterLastUse();
    device.engine().finishIfClosed();
    peer.engine().finishIfClosed();
  }

  @Override
  public String toString() {
    return link.describe();
  }
}
