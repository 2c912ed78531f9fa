package dev.stretto;

import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.PinnedBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A pinned buffer that is lent by {@link PinnedBuffers}. Closing it gives it back: this ends every
 * Java access at once and does not block. The memory is lent again only after the last copy that
 * uses it, on any stream.
 */
public final class PinnedBuffer implements AutoCloseable {
  private final PinnedBuffers lender;
  private final DeviceRuntime engine;
  private final PinnedBlock block;
  private final Arena access;
  private final MemorySegment memory;
  private final Leaks.Watched watched;

  @SuppressWarnings("restricted") // the address and size come from the driver
  PinnedBuffer(PinnedBuffers lender, DeviceRuntime engine, PinnedBlock block, Leaks leaks) {
    this.lender = lender;
    this.engine = engine;
    this.block = block;
    this.access = Arena.ofShared();
    try {
      engine.resources().guard(access);
    } catch (RuntimeException e) {
      access.close();
      boolean _ = block.closeAfterLastUse();
      throw e;
    }
    this.memory =
        MemorySegment.ofAddress(block.address()).reinterpret(block.byteSize(), access, null);
    this.watched = leaks.watch(this, buffer -> "a " + buffer.describe());
  }

  /**
   * {@return the memory, which any thread may read and write, and which begins at a page boundary}
   * It still holds the bytes of its last user. It may not be accessed after the buffer is closed.
   */
  public MemorySegment memory() {
    return memory;
  }

  /** {@return its size in bytes: exactly the requested size} */
  public long byteSize() {
    return block.byteSize();
  }

  /** {@return whether the memory may be used} */
  public boolean isOpen() {
    return access.scope().isAlive();
  }

  /**
   * Gives the buffer back. Does not block. Closing it again has no further effect.
   *
   * @throws IllegalStateException if another thread is accessing the memory at this moment; then
   *     nothing is closed
   */
  @Override
  public void close() {
    try {
      access.close();
    } catch (IllegalStateException e) {
      if (access.scope().isAlive()) {
        throw e; // a thread is in the middle of an access
      }
      return; // already closed, by the program or together with its device
    }
    engine.resources().unguard(access);
    lender.givenBack(block);
    Capture.closing(block);
    boolean _ = block.closeAfterLastUse();
    watched.closed();
    engine.finishIfClosed();
  }

  private String describe() {
    return "pinned buffer of " + block.byteSize() + " bytes of " + engine.name();
  }

  @Override
  public String toString() {
    return describe() + (isOpen() ? "" : ", closed");
  }
}
