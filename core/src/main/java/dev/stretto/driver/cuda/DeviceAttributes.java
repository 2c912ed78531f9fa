package dev.stretto.driver.cuda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stretto.driver.DeviceProperties;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;

/** Reads the properties of a device. */
final class DeviceAttributes {
  /** {@code CU_DEVICE_ATTRIBUTE_MAX_PITCH} */
  static final int MAX_PITCH = 11;

  /** {@code CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED} */
  static final int READ_ONLY_HOST_REGISTER_SUPPORTED = 113;

  /** {@code CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED} */
  static final int MEMORY_POOLS_SUPPORTED = 115;

  private static final int LONGEST_NAME = 256;

  private final int ordinal;
  private final int device;
  private final Health health;

  /**
   * Creates a reader for a device.
   *
   * @param ordinal from 0, less than the number of devices
   */
  DeviceAttributes(int ordinal, Health health) {
    this.ordinal = ordinal;
    this.health = health;
    Scratch scratch = Scratch.borrow();
    try {
      check(DeviceCalls.get(scratch.at(Scratch.OUT), ordinal), "cuDeviceGet");
      this.device = (int) scratch.read(Scratch.OUT);
    } finally {
      scratch.giveBack();
    }
  }

  /** {@return the {@code CUdevice}} */
  int device() {
    return device;
  }

  /** {@return one {@code CUdevice_attribute}} */
  int read(int attribute) {
    Scratch scratch = Scratch.borrow();
    try {
      check(
          DeviceCalls.attribute(scratch.at(Scratch.OUT), attribute, device),
          "cuDeviceGetAttribute");
      return (int) scratch.read(Scratch.OUT);
    } finally {
      scratch.giveBack();
    }
  }

  /**
   * {@return all properties of the device}
   *
   * @param driverVersion the CUDA version that the driver supports
   * @param priorities the range of stream priorities, which only a context knows
   */
  DeviceProperties properties(int driverVersion, Priorities priorities) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(LONGEST_NAME);
      check(DeviceCalls.name(text.address(), LONGEST_NAME, device), "cuDeviceGetName");
      final String name = text.getString(0, UTF_8);
      check(DeviceCalls.pciBusId(text.address(), LONGEST_NAME, device), "cuDeviceGetPCIBusId");
      final String pciBusId = text.getString(0, UTF_8).toLowerCase(Locale.ROOT);
      MemorySegment bytes = arena.allocate(ValueLayout.JAVA_LONG);
      check(DeviceCalls.totalBytes(bytes.address(), device), "cuDeviceTotalMem");
      // The numbers are those of CUdevice_attribute in cuda.h.
      return new DeviceProperties(
          name,
          CudaDriver.NAME,
          ordinal,
          driverVersion,
          read(75),
          read(76),
          bytes.get(ValueLayout.JAVA_LONG, 0),
          read(16),
          read(10),
          read(1),
          read(2),
          read(3),
          read(4),
          read(5),
          read(6),
          read(7),
          read(8),
          read(97),
          read(12),
          read(40),
          read(13),
          read(36),
          read(37),
          read(38),
          pciBusId,
          priorities.least(),
          priorities.greatest());
    }
  }

  private void check(int result, String call) {
    if (result != 0) {
      throw health.failure(result, call, "");
    }
  }
}
