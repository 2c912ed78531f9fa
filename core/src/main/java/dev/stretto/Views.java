package dev.stretto;

import dev.stretto.enqueue.HostEnd;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.Allocation;
import dev.stretto.memory.GlobalArray;
import dev.stretto.order.HostMemories;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.PinnedBlock;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;

/** Makes pinned memory known to kernels. */
final class Views {
  private Views() {}

  /**
   * {@return pinned memory as an array}
   *
   * @throws IllegalArgumentException if it is not pinned by allocation, or not whole elements, or
   *     the function gives no array
   * @throws ClosedException if the memory or the device is closed
   */
  static <A extends GlobalArray> A of(
      DeviceRuntime engine,
      Function<DeviceBlock, Allocation> owned,
      MemorySegment segment,
      Function<? super Allocation, A> type) {
    engine.requireUsable();
    HostEnd.check(segment, true);
    PinnedBlock pinned = pinned(engine, segment);
    long address = segment.address();
    long bytes = segment.byteSize();
    DeviceBlock block = DeviceBlock.view(engine, pinned, address, bytes, HostMemories.of(segment));
    boolean isRight = false;
    try {
      A array = array(type, owned.apply(block));
      if (array.byteSize() != bytes || address % array.elementBytes() != 0) {
        throw new IllegalArgumentException(
            "%d bytes at 0x%x are not an array of elements of %d bytes: both have to be multiples of that"
                .formatted(bytes, address, array.elementBytes()));
      }
      block.keep();
      isRight = true;
      return array;
    } finally {
      if (!isRight) {
        boolean _ = block.closeAfterLastUse();
      }
    }
  }

  /**
   * {@return what a program's function makes of memory}
   *
   * @throws IllegalArgumentException if that is no array, which only unchecked casts make possible
   */
  @SuppressWarnings("unchecked") // an array of another type fails where the program uses it
  static <A extends GlobalArray> A array(
      Function<? super Allocation, A> type, Allocation allocation) {
    Object made = ((Function<? super Allocation, ?>) type).apply(allocation);
    if (!(made instanceof GlobalArray)) {
      throw new IllegalArgumentException(
          "the function made %s of the memory, not an array: give GlobalFloats::of or another such"
                  .formatted(made == null ? "null" : "a " + made.getClass().getName())
              + " method");
    }
    return (A) made;
  }

  private static PinnedBlock pinned(DeviceRuntime engine, MemorySegment segment) {
    String what = segment.byteSize() + " bytes of host memory";
    if (segment.byteSize() < 1) {
      throw new IllegalArgumentException(what + ": at least 1 is needed");
    }
    PinnedBlock pinned = segment.isNative() ? engine.pinned().find(segment) : null;
    if (pinned == null) {
      throw new IllegalArgumentException(
          what
              + " are not pinned, so no kernel can address them: allocate them in"
              + " device.pinnedArena()");
    }
    if (pinned.isRegistered()) {
      throw new IllegalArgumentException(
          what
              + " are registered, and kernels may know them by another address: allocate them in"
              + " device.pinnedArena()");
    }
    return pinned;
  }
}
