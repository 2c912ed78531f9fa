package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Calls that enqueue copies and fills. They are made with the context current. */
final class CopyCalls {
  private static final MethodHandle HTOD =
      Binder.bind("cuMemcpyHtoDAsync", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle DTOH =
      Binder.bind("cuMemcpyDtoHAsync", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle DTOD =
      Binder.bind("cuMemcpyDtoDAsync", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle PAGEABLE_TO_DEVICE =
      Binder.bind("cuMemcpyHtoDAsync", JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle DEVICE_TO_PAGEABLE =
      Binder.bind("cuMemcpyDtoHAsync", ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle ROWS = Binder.bind("cuMemcpy2DAsync", JAVA_LONG, JAVA_LONG);
  private static final MethodHandle FILL8 =
      Binder.bind("cuMemsetD8Async", JAVA_LONG, JAVA_BYTE, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle FILL16 =
      Binder.bind("cuMemsetD16Async", JAVA_LONG, JAVA_SHORT, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle FILL32 =
      Binder.bind("cuMemsetD32Async", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle FILL2D32 =
      Binder.bind(
          "cuMemsetD2D32Async", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  private CopyCalls() {}

  /** Has them all bound now, by the initialization of this class. */
  static void bindAll() {}

  static int hostToDevice(long dst, long src, long bytes, long stream) {
    try {
      return (int) HTOD.invokeExact(dst, src, bytes, stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int deviceToHost(long dst, long src, long bytes, long stream) {
    try {
      return (int) DTOH.invokeExact(dst, src, bytes, stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int deviceToDevice(long dst, long src, long bytes, long stream) {
    try {
      return (int) DTOD.invokeExact(dst, src, bytes, stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** The same function; the segment stays alive for the length of the call. */
  static int pageableToDevice(long dst, MemorySegment src, long bytes, long stream) {
    try {
      return (int) PAGEABLE_TO_DEVICE.invokeExact(dst, src, bytes, stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** The same function; the segment stays alive for the length of the call. */
  static int deviceToPageable(MemorySegment dst, long src, long bytes, long stream) {
    try {
      return (int) DEVICE_TO_PAGEABLE.invokeExact(dst, src, bytes, stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Reads a {@code CUDA_MEMCPY2D}. */
  static int rows(long copy, long stream) {
    try {
      return (int) ROWS.invokeExact(copy, stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int fillBytes(long dst, byte value, long count, long stream) {
    try {
      return (int) FILL8.invokeExact(dst, value, count, stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int fillShorts(long dst, short value, long count, long stream) {
    try {
      return (int) FILL16.invokeExact(dst, value, count, stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int fillInts(long dst, int value, long count, long stream) {
    try {
      return (int) FILL32.invokeExact(dst, value, count, stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int fillIntColumns(long dst, long pitch, int value, long width, long height, long stream) {
    try {
      return (int) FILL2D32.invokeExact(dst, pitch, value, width, height, stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
