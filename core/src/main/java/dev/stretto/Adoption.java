package dev.stretto;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.PointerProperties;
import dev.stretto.memory.Allocation;
import dev.stretto.memory.GlobalArray;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.StreamName;
import dev.stretto.route.StreamQueue;
import java.util.function.Function;

/** Adopts streams, events and memory that belong to another CUDA library of the process. */
final class Adoption {
  private Adoption() {}

  static StreamQueue stream(DeviceRuntime engine, long handle) {
    if (handle == 0
        || handle == DriverDevice.LEGACY_STREAM
        || handle == DriverDevice.PER_THREAD_STREAM) {
      throw new IllegalArgumentException(
          "%d is the handle of a default stream: use device.legacyStream() or device.perThreadStream()"
              .formatted(handle));
    }
    return engine.streams().adoptForeign(handle);
  }

  /**
   * The meaning of another library's event when it was adopted: the end of a wait for that event.
   *
   * @param queue a stream that only holds the wait
   * @param sequence the number of the wait
   */
  record AdoptedEvent(StreamQueue queue, long sequence) {}

  static AdoptedEvent event(DeviceRuntime engine, long handle) {
    if (handle == 0) {
      throw new IllegalArgumentException("0 is not the handle of an event");
    }
    StreamQueue queue = engine.streams().open(0, StreamName.ofForeignEvent(handle));
    long sequence;
    try {
      sequence = queue.waitForForeign(handle);
    } finally {
      boolean _ = queue.close();
    }
    return new AdoptedEvent(queue, sequence);
  }

  static <A extends GlobalArray> A memory(
      DeviceRuntime engine,
      Function<DeviceBlock, Allocation> adopted,
      long address,
      long bytes,
      Function<? super Allocation, A> type,
      Runnable released) {
    if (bytes < 1) {
      throw new IllegalArgumentException(
          bytes + " bytes of another library's memory: at least 1 is needed");
    }
    checkRange(engine, address, bytes);
    DeviceBlock block = DeviceBlock.foreign(engine, address, bytes, released);
    A array = Views.array(type, adopted.apply(block));
    if (array.byteSize() != bytes || address % array.elementBytes() != 0) {
      throw new IllegalArgumentException(
          "%d bytes at 0x%x are not an array of elements of %d bytes: both have to be multiples of that"
              .formatted(bytes, address, array.elementBytes()));
    }
    block.keep();
    return array;
  }

  private static void checkRange(DeviceRuntime engine, long address, long bytes) {
    PointerProperties found = engine.call(() -> engine.driver().pointer(address));
    if (found.kind() != PointerProperties.Kind.DEVICE) {
      throw new IllegalArgumentException(
          "0x%x is not an address of device memory: the driver knows it as %s"
              .formatted(address, found.kind()));
    }
    if (found.ordinal() != engine.driver().properties().ordinal()) {
      throw new IllegalArgumentException(
          "0x%x lies on device %d of the driver, and this is %s: adopt it there"
              .formatted(address, found.ordinal(), engine.name()));
    }
    if (found.bytes() > 0 && address - found.base() > found.bytes() - bytes) {
      throw new IllegalArgumentException(
          "%d bytes at 0x%x go beyond the %d bytes at 0x%x that the driver has allocated there"
              .formatted(bytes, address, found.bytes(), found.base()));
    }
  }
}
