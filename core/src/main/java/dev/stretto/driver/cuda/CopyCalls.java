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
  private static final MethodHandle PLANES = Binder.bind("cuMemcpy3DAsync", JAVA_LONG, JAVA_LONG);

  /** The version that introduced batches; a later one removed a parameter of their call. */
  private static final int BATCHES = 12_080;

  private static final int BATCHES_WITHOUT_INDEX = 13_000;

  // The function is requested with the driver's own version, never a later one: for a later
  // version, a driver returns the function that it has. The eighth parameter is an index in the
  // older function and the stream in the newer one.
  private static final boolean TELLS_INDEX = Binder.driverVersion() < BATCHES_WITHOUT_INDEX;
  private static final MethodHandle BATCH =
      TELLS_INDEX
          ? Binder.bindOptional(
              "cuMemcpyBatchAsync",
              BATCHES,
              JAVA_LONG,
              JAVA_LONG,
              JAVA_LONG,
              JAVA_LONG,
              JAVA_LONG,
              JAVA_LONG,
              JAVA_LONG,
              JAVA_LONG,
              JAVA_LONG)
          : Binder.bindOptional(
              "cuMemcpyBatchAsync",
              BATCHES_WITHOUT_INDEX,
              JAVA_LONG,
              JAVA_LONG,
              JAVA_LONG,
              JAVA_LONG,
              JAVA_LONG,
              JAVA_LONG,
              JAVA_LONG,
              JAVA_LONG);
  private static final boolean HAS_BATCHES =
      Binder.driverVersion() >= BATCHES && Binder.has("cuMemcpyBatchAsync", BATCHES);

  private static final MethodHandle FILL8 =
      Binder.bind("cuMemsetD8Async", JAVA_LONG, JAVA_BYTE, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle FILL16 =
      Binder.bind("cuMemsetD16Async", JAVA_LONG, JAVA_SHORT, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle FILL32 =
      Binder.bind("cuMemsetD32Async", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle FILL2D8 =
      Binder.bind(
          "cuMemsetD2D8Async", JAVA_LONG, JAVA_LONG, JAVA_BYTE, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle FILL2D16 =
      Binder.bind(
          "cuMemsetD2D16Async", JAVA_LONG, JAVA_LONG, JAVA_SHORT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle FILL2D32 =
      Binder.bind(
          "cuMemsetD2D32Async", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  private CopyCalls() {}

  /** Binds all functions now, by initializing this class. */
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

  /** The same function; the segment stays alive during the call. */
  static int pageableToDevice(long dst, MemorySegment src, long bytes, long stream) {
    try {
      return (int) PAGEABLE_TO_DEVICE.invokeExact(dst, src, bytes, stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** The same function; the segment stays alive during the call. */
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

  /** Reads a {@code CUDA_MEMCPY3D}. */
  static int planes(long copy, long stream) {
    try {
      return (int) PLANES.invokeExact(copy, stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** {@return whether the driver has {@link #batch}} */
  static boolean hasBatches() {
    return HAS_BATCHES;
  }

  /**
   * Reads arrays of addresses and sizes, of {@code CUmemcpyAttributes}, and of the copies at which
   * each of these begins to apply.
   *
   * @param failIndex receives the index of a refused copy from a driver of CUDA 12
   */
  static int batch(
      long dsts,
      long srcs,
      long sizes,
      long count,
      long attributes,
      long attributeStarts,
      long attributeCount,
      long failIndex,
      long stream) {
    try {
      if (TELLS_INDEX) {
        return (int)
            BATCH.invokeExact(
                dsts,
                srcs,
                sizes,
                count,
                attributes,
                attributeStarts,
                attributeCount,
                failIndex,
                stream);
      }
      return (int)
          BATCH.invokeExact(
              dsts, srcs, sizes, count, attributes, attributeStarts, attributeCount, stream);
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

  static int fillByteRows(long dst, long pitch, byte value, long width, long height, long stream) {
    try {
      return (int) FILL2D8.invokeExact(dst, pitch, value, width, height, stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int fillShortRows(
      long dst, long pitch, short value, long width, long height, long stream) {
    try {
      return (int) FILL2D16.invokeExact(dst, pitch, value, width, height, stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
