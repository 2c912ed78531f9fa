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

/** What belongs to another CUDA library of the process and is used here. */
final class Adoption {
  private Adoption() {}

  static Stream stream(Device device, long handle) {
    if (handle == 0
        || handle == DriverDevice.LEGACY_STREAM
        || handle == DriverDevice.PER_THREAD_STREAM) {
      throw new IllegalArgumentException(
          "%d names a default stream: use device.legacyStream() or device.perThreadStream()"
              .formatted(handle));
    }
    return new Stream(device, device.engine().streams().adoptForeign(handle), 0);
  }

  /** An event's present meaning, as a point of a stream that does nothing but wait for it. */
  static Event event(Device device, long handle) {
    if (handle == 0) {
      throw new IllegalArgumentException("0 is no event's handle");
    }
    StreamQueue queue = device.engine().streams().open(0, StreamName.ofForeignEvent(handle));
    long sequence;
    try {
      sequence = queue.waitForForeign(handle);
    } finally {
      boolean _ = queue.close();
    }
    return new Event(new Stream(device, queue, 0), sequence);
  }

  static <A extends GlobalArray> A memory(
      Device device,
      long address,
      long bytes,
      Function<? super Allocation, A> type,
      Runnable released) {
    DeviceRuntime engine = device.engine();
    if (bytes < 1) {
      throw new IllegalArgumentException(
          bytes + " bytes of another library's memory: at least 1 is needed");
    }
    checkRange(device, address, bytes);
    DeviceBlock block = DeviceBlock.foreign(engine, address, bytes, released);
    A array = type.apply(DeviceMemory.adopted(device, block));
    if (array.byteSize() != bytes || address % array.elementBytes() != 0) {
      throw new IllegalArgumentException(
          "%d bytes at 0x%x are no array of elements of %d bytes: both have to be multiples of that"
              .formatted(bytes, address, array.elementBytes()));
    }
    block.keep();
    return array;
  }

  private static void checkRange(Device device, long address, long bytes) {
    PointerProperties found = device.pointer(address);
    if (found.kind() != PointerProperties.Kind.DEVICE) {
      throw new IllegalArgumentException(
          "0x%x is not an address of device memory: the driver knows it as %s"
              .formatted(address, found.kind()));
    }
    if (found.ordinal() != device.properties().ordinal()) {
      throw new IllegalArgumentException(
          "0x%x lies on device %d of the driver, and this is %s: adopt it there"
              .formatted(address, found.ordinal(), device.name()));
    }
    if (found.bytes() > 0 && address - found.base() > found.bytes() - bytes) {
      throw new IllegalArgumentException(
          "%d bytes at 0x%x go beyond the %d bytes at 0x%x that the driver has allocated there"
              .formatted(bytes, address, found.bytes(), found.base()));
    }
  }
}
