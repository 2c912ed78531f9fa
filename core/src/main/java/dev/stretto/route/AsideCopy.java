package dev.stretto.route;

import dev.stretto.driver.CopyKind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A small copy to the device that is held back because the driver or the small buffers are full.
 * Its bytes have been read already, so it needs neither a host thread nor its source when its turn
 * comes. Guarded by the driver's lock.
 */
final class AsideCopy implements Operation.Prepared {
  private final DeviceRuntime engine;
  private final StreamQueue queue;
  private final long sequence;
  private final long dst;
  private final byte[] bytes;

  AsideCopy(DeviceRuntime engine, StreamQueue queue, long sequence, long dst, byte[] bytes) {
    this.engine = engine;
    this.queue = queue;
    this.sequence = sequence;
    this.dst = dst;
    this.bytes = bytes;
  }

  @Override
  public boolean isReady() {
    return engine.smallSlots().hasRoom(bytes.length);
  }

  @Override
  public void submit() {
    SmallSlot slot = engine.smallSlots().take(bytes.length);
    if (slot == null) {
      throw new IllegalStateException("a small buffer that was there is gone");
    }
    MemorySegment.copy(bytes, 0, slot.block(), ValueLayout.JAVA_BYTE, slot.offset(), bytes.length);
    engine.smallSlots().used(slot, queue.completion, sequence, queue.completion, sequence);
    queue.driver.copy(dst, slot.address(), bytes.length, CopyKind.HOST_TO_DEVICE, queue.handle);
  }

  @Override
  public void dropped() {
    engine.smallSlots().readAside(-bytes.length);
  }
}
