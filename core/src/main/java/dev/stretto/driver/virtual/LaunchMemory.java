package dev.stretto.driver.virtual;

import dev.stretto.driver.KernelTwin;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Device memory as one launch sees it. Memory that the launch has accessed stays until the launch
 * ends, even if it is freed meanwhile.
 */
final class LaunchMemory implements KernelTwin.DeviceMemory, AutoCloseable {
  private final PrimaryContext context;
  private final String kernel;
  private final Residency room;
  private final Queue<Backing> held = new ConcurrentLinkedQueue<>();

  LaunchMemory(PrimaryContext context, String kernel, Residency room) {
    this.context = context;
    this.room = room;
    this.kernel = kernel;
  }

  @Override
  public MemorySegment at(long address) {
    Backing backing = backing(address);
    held.add(backing);
    long offset = address - backing.address();
    return backing.read(offset, backing.bytes() - offset);
  }

  /** As with CUDA's unified addressing, pinned memory has the same address on every device. */
  private Backing backing(long address) {
    HostRange pinned =
        DeviceSpace.isDeviceAddress(address)
            ? null
            : context.platform().hostSpace().retain(address, 1);
    return pinned == null
        ? space(address).retain("kernel " + kernel, address, 1, CudaResult.ILLEGAL_ADDRESS)
        : pinned;
  }

  @Override
  public boolean admit() {
    return room.admit();
  }

  @Override
  public void dismiss() {
    room.dismiss();
  }

  @Override
  public MemorySegment meeting() {
    return room.meeting();
  }

  /**
   * {@return a peer's space if access is enabled, else the device's own, which reports the error}
   */
  private DeviceSpace space(long address) {
    Platform platform = context.platform();
    platform.lock().lock();
    try {
      PrimaryContext owner = platform.owner(address);
      return owner != null && context.reaches(owner) ? owner.memory() : context.memory();
    } finally {
      platform.lock().unlock();
    }
  }

  @Override
  public void close() {
    held.forEach(Backing::release);
    held.clear();
  }
}
