package dev.stretto;

import dev.stretto.memory.Allocation;
import dev.stretto.route.DeviceBlock;

/** Device memory that a program holds. */
final class DeviceMemory extends Allocation {
  private final Device device;
  private final DeviceBlock block;
  private final Leaks.Watched watched;

  DeviceMemory(Device device, DeviceBlock block, Leaks leaks) {
    this.device = device;
    this.block = block;
    this.watched = leaks.watch(this, DeviceMemory::describe);
  }

  private DeviceMemory(Device device, DeviceBlock block) {
    this.device = device;
    this.block = block;
    this.watched = Leaks.unwatched();
  }

  /** {@return memory whose owner is somebody else, so that it is no leak if it is not closed} */
  static DeviceMemory adopted(Device device, DeviceBlock block) {
    return new DeviceMemory(device, block);
  }

  Device device() {
    return device;
  }

  DeviceBlock block() {
    return block;
  }

  @Override
  public long address() {
    return block.address();
  }

  @Override
  public long byteSize() {
    return block.byteSize();
  }

  @Override
  public boolean isOpen() {
    return block.isOpen() && !block.engine().isClosed();
  }

  @Override
  public String describe() {
    return block.describe();
  }

  @Override
  protected void release() {
    Capture.closing(block);
    boolean _ = block.closeAfterLastUse();
    watched.closed();
    block.engine().finishIfClosed();
  }
}
