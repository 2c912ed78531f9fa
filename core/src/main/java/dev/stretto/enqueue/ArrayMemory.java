package dev.stretto.enqueue;

import dev.stretto.memory.Allocation;
import dev.stretto.memory.GlobalArray;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;

/** The device memory of an array. */
public abstract class ArrayMemory extends Allocation {
  private final DeviceBlock block;

  /** Makes the memory of a block. */
  protected ArrayMemory(DeviceBlock block) {
    this.block = block;
  }

  /**
   * {@return the memory of an array}
   *
   * @throws IllegalArgumentException if it was not allocated or adopted by a device, or if it is
   *     host memory that only kernels address
   */
  public static ArrayMemory of(GlobalArray array) {
    if (array.allocation() instanceof ArrayMemory memory) {
      if (memory.block.isView()) {
        throw new IllegalArgumentException(
            array + " is host memory that kernels address: copy and fill the segment itself");
      }
      return memory;
    }
    throw new IllegalArgumentException(array + " is not memory of a device");
  }

  /**
   * {@return the memory of an array, which lies on a device}
   *
   * @param engine any opening of the device
   * @param user the user of the memory there, for the message
   * @throws IllegalArgumentException if it lies on another device, or was not allocated or adopted
   *     by a device
   */
  public static DeviceBlock block(GlobalArray array, DeviceRuntime engine, Object user) {
    DeviceBlock block = of(array).block;
    if (!engine.peers().isSame(block.engine())) {
      throw new IllegalArgumentException(array + " lies on another device than " + user);
    }
    return block;
  }

  /** {@return the block, which operations that use the memory keep open} */
  public final DeviceBlock block() {
    return block;
  }

  @Override
  public final long address() {
    return block.address();
  }

  @Override
  public final long byteSize() {
    return block.byteSize();
  }

  @Override
  public final boolean isOpen() {
    return block.isOpen() && !block.engine().isClosed();
  }

  @Override
  public final String describe() {
    return block.describe();
  }

  @Override
  protected final void release() {
    released();
    boolean _ = block.closeAfterLastUse();
    closed();
    block.engine().finishIfClosed();
  }

  /** Called before the last array of this memory is closed. */
  protected abstract void released();

  /** Called after the last array of this memory was closed. */
  protected abstract void closed();
}
