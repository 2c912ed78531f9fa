package dev.stretto.enqueue;

import dev.stretto.memory.Allocation;
import dev.stretto.memory.GlobalArray;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;

/** Device memory as arrays see it. */
public abstract class ArrayMemory extends Allocation {
  private final DeviceBlock block;

  /** The memory of a block. */
  protected ArrayMemory(DeviceBlock block) {
    this.block = block;
  }

  /**
   * {@return the memory of an array}
   *
   * @throws IllegalArgumentException if no device was asked for it
   */
  public static ArrayMemory of(GlobalArray array) {
    if (array.allocation() instanceof ArrayMemory memory) {
      return memory;
    }
    throw new IllegalArgumentException(array + " is not memory that a device was asked for");
  }

  /**
   * {@return the memory of an array, which lies on a device}
   *
   * @param engine any opening of the device
   * @param user who uses it there, for the message
   * @throws IllegalArgumentException if it lies on another device, or no device was asked for it
   */
  public static DeviceBlock block(GlobalArray array, DeviceRuntime engine, Object user) {
    DeviceBlock block = of(array).block;
    if (!engine.peers().isSame(block.engine())) {
      throw new IllegalArgumentException(array + " lies on another device than " + user);
    }
    return block;
  }

  /** {@return what is kept open for operations that use it} */
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

  /** Its last array is about to be closed. */
  protected abstract void released();

  /** Its last array was closed. */
  protected abstract void closed();
}
