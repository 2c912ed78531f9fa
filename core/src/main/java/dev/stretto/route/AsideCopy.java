package dev.stretto.route;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

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
  private final @Nullable Layout layout;
  private final byte[] bytes;

  /**
   * Creates a copy.
   *
   * @param layout of the rows on the device, which lie in the bytes without gaps; null for bytes in
   *     a row
   */
  AsideCopy(
      DeviceRuntime engine,
      StreamQueue queue,
      long sequence,
      long dst,
      @Nullable Layout layout,
      byte[] bytes) {
    this.engine = engine;
    this.queue = queue;
    this.sequence = sequence;
    this.dst = dst;
    this.layout = layout;
    this.bytes = bytes;
  }

  @Override
  public boolean isReady() {
    return engine.smallSlots().hasRoom(bytes.length, layout != null);
  }

  @Override
  public void submit() {
    SmallSlots slots = engine.smallSlots();
    SmallSlot slot = layout == null ? slots.take(bytes.length) : slots.takePinned(bytes.length);
    if (slot == null) {
      throw new IllegalStateException("a small buffer that was there is gone");
    }
    MemorySegment.copy(bytes, 0, slot.block(), ValueLayout.JAVA_BYTE, slot.offset(), bytes.length);
    slots.used(slot, queue.completion, sequence, queue.completion, sequence);
    SmallCopies.submit(queue, dst, layout, slot.address(), bytes.length);
  }

  @Override
  public void dropped() {
    engine.smallSlots().readAside(-bytes.length);
  }
}
