package dev.stretto;

import dev.stretto.route.PeerLink;

/**
 * The access of one device to the memory of another: copies between the two go directly from device
 * to device, and kernels of the first may read and write arrays of the other. It applies to all
 * memory of the other device, allocated before or after.
 *
 * <p>Access has one direction. If kernels of both devices need it, enable it on both; for copies,
 * either direction is enough. It may be enabled several times; closing the last handle ends it.
 * Copies and launches in progress keep it until they are done.
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

  /** {@return whether neither this access nor one of the devices was closed} */
  public boolean isOpen() {
    return link.isOpen() && device.isOpen() && peer.isOpen();
  }

  /**
   * Ends this access for all operations that are enqueued from now on. Copies and launches in
   * progress keep it. Does not block. The driver of a GPU leaves access enabled as long as both
   * devices are open anywhere in the process, so later allocations remain as expensive as before.
   * Closing it again has no further effect.
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
