package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/** Calls that ask about a device. None needs a current context. */
final class DeviceCalls {
  private static final MethodHandle GET = Binder.bind("cuDeviceGet", JAVA_LONG, JAVA_INT);
  private static final MethodHandle NAME =
      Binder.bind("cuDeviceGetName", JAVA_LONG, JAVA_INT, JAVA_INT);
  private static final MethodHandle ATTRIBUTE =
      Binder.bind("cuDeviceGetAttribute", JAVA_LONG, JAVA_INT, JAVA_INT);
  private static final MethodHandle TOTAL = Binder.bind("cuDeviceTotalMem", JAVA_LONG, JAVA_INT);
  private static final MethodHandle PCI =
      Binder.bind("cuDeviceGetPCIBusId", JAVA_LONG, JAVA_INT, JAVA_INT);

  private DeviceCalls() {}

  /** Binds all functions now, by initializing this class. */
  static void bindAll() {}

  /** Writes the {@code CUdevice} with this ordinal. */
  static int get(long device, int ordinal) {
    try {
      return (int) GET.invokeExact(device, ordinal);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the name, terminated by a zero byte. */
  static int name(long name, int capacity, int device) {
    try {
      return (int) NAME.invokeExact(name, capacity, device);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes an {@code int}. */
  static int attribute(long value, int attribute, int device) {
    try {
      return (int) ATTRIBUTE.invokeExact(value, attribute, device);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes a {@code size_t}. */
  static int totalBytes(long bytes, int device) {
    try {
      return (int) TOTAL.invokeExact(bytes, device);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the bus id, terminated by a zero byte. */
  static int pciBusId(long text, int capacity, int device) {
    try {
      return (int) PCI.invokeExact(text, capacity, device);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
