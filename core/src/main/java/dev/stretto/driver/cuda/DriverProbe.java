package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a CUDA library answers when it is asked step by step, up to the first step that fails. For
 * programs that tell people what is wrong with a machine; the driver itself starts in {@link
 * CudaDriver#load()}.
 *
 * @param end where the questions ended
 * @param detail what the system or the driver says about the end; empty if all went well
 * @param version the CUDA version that the driver supports, as 1000 * major + 10 * minor; 0 if it
 *     was not reached
 * @param result the result code of the call that failed, or 0
 * @param gpus the devices, if there are any
 */
public record DriverProbe(End end, String detail, int version, int result, List<Gpu> gpus) {
  /** Where the questions ended. */
  public enum End {
    /** The JVM does not allow native access. */
    NOT_ALLOWED,
    /** There is no such library. */
    NOT_FOUND,
    /** The library is not the CUDA driver. */
    NOT_CUDA,
    /** {@code cuDriverGetVersion} failed. */
    NO_VERSION,
    /** The driver is older than Stretto needs. */
    TOO_OLD,
    /** {@code cuInit} failed, or the devices cannot be counted. */
    NOT_STARTED,
    /** All went well; there may be no device. */
    STARTED
  }

  /**
   * A device of the driver.
   *
   * @param name of the product
   * @param pciBusId its place on the bus, such as {@code 0000:1B:00.0}
   * @param computeMajor the first number of its compute capability
   * @param computeMinor the second number
   * @param computeMode 0 for any number of processes, 2 for none, 3 for one
   * @param errorCorrection whether its memory corrects errors
   */
  public record Gpu(
      String name,
      String pciBusId,
      int computeMajor,
      int computeMinor,
      int computeMode,
      boolean errorCorrection) {}

  private static final int TEXT_BYTES = 256;
  private static final int MOST_DEVICES = 1024;
  private static final int COMPUTE_MODE = 20;
  private static final int ERROR_CORRECTION = 32;
  private static final int COMPUTE_MAJOR = 75;
  private static final int COMPUTE_MINOR = 76;

  /** Copies the list. */
  public DriverProbe {
    gpus = List.copyOf(gpus);
  }

  /** {@return the oldest CUDA version that Stretto works with, as 12.0} */
  public static String needed() {
    return Library.dotted(Library.NEEDED_VERSION);
  }

  /** {@return the version of the driver, as 12.4} */
  public String dotted() {
    return Library.dotted(version);
  }

  /**
   * Asks a library.
   *
   * @param path its file, or the name by which the dynamic linker finds it
   */
  public static DriverProbe of(String path) {
    SymbolLookup exports;
    try {
      exports = Library.lookup(path);
    } catch (IllegalCallerException e) {
      return failed(End.NOT_ALLOWED, String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException e) {
      return failed(End.NOT_FOUND, String.valueOf(e.getMessage()));
    }
    if (exports.find("cuInit").isEmpty() || exports.find("cuDriverGetVersion").isEmpty()) {
      return failed(End.NOT_CUDA, "it exports no cuInit");
    }
    return ask(exports);
  }

  private static DriverProbe failed(End end, String detail) {
    return new DriverProbe(end, detail, 0, 0, List.of());
  }

  private static DriverProbe ask(SymbolLookup exports) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_INT);
      int result = call(exports, "cuDriverGetVersion", out);
      int version = out.get(JAVA_INT, 0);
      if (result != 0) {
        return ended(exports, End.NO_VERSION, 0, result);
      }
      if (version < Library.NEEDED_VERSION || exports.find("cuGetProcAddress_v2").isEmpty()) {
        return ended(exports, End.TOO_OLD, version, 0);
      }
      result = (int) Binder.link(exports.findOrThrow("cuInit"), JAVA_INT).invokeExact(0);
      if (result == 0) {
        result = call(exports, "cuDeviceGetCount", out);
      }
      if (result != 0) {
        return ended(exports, End.NOT_STARTED, version, result);
      }
      List<Gpu> gpus = new ArrayList<>();
      int count = Math.clamp(out.get(JAVA_INT, 0), 0, MOST_DEVICES);
      for (int ordinal = 0; ordinal < count; ordinal++) {
        gpu(exports, arena, ordinal).ifPresent(gpus::add);
      }
      return new DriverProbe(End.STARTED, "", version, 0, gpus);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  private static DriverProbe ended(SymbolLookup exports, End end, int version, int result) {
    String detail = result == 0 ? "" : CudaError.describe(exports, result);
    return new DriverProbe(end, detail, version, result, List.of());
  }

  private static int call(SymbolLookup exports, String function, MemorySegment out)
      throws Throwable {
    return (int) Binder.link(exports.findOrThrow(function), ADDRESS).invokeExact(out);
  }

  private static Optional<Gpu> gpu(SymbolLookup exports, Arena arena, int ordinal)
      throws Throwable {
    MemorySegment number = arena.allocate(JAVA_INT);
    MemorySegment text = arena.allocate(TEXT_BYTES);
    int failed =
        (int)
            Binder.link(exports.findOrThrow("cuDeviceGet"), ADDRESS, JAVA_INT)
                .invokeExact(number, ordinal);
    if (failed != 0) {
      return Optional.empty();
    }
    int device = number.get(JAVA_INT, 0);
    return Optional.of(
        new Gpu(
            text(exports, "cuDeviceGetName", text, device),
            text(exports, "cuDeviceGetPCIBusId", text, device),
            attribute(exports, number, COMPUTE_MAJOR, device),
            attribute(exports, number, COMPUTE_MINOR, device),
            attribute(exports, number, COMPUTE_MODE, device),
            attribute(exports, number, ERROR_CORRECTION, device) == 1));
  }

  private static String text(SymbolLookup exports, String function, MemorySegment text, int device)
      throws Throwable {
    text.fill((byte) 0);
    int failed =
        (int)
            Binder.link(exports.findOrThrow(function), ADDRESS, JAVA_INT, JAVA_INT)
                .invokeExact(text, TEXT_BYTES - 1, device);
    return failed == 0 ? text.getString(0) : "";
  }

  private static int attribute(SymbolLookup exports, MemorySegment out, int attribute, int device)
      throws Throwable {
    int failed =
        (int)
            Binder.link(exports.findOrThrow("cuDeviceGetAttribute"), ADDRESS, JAVA_INT, JAVA_INT)
                .invokeExact(out, attribute, device);
    return failed == 0 ? out.get(JAVA_INT, 0) : 0;
  }
}
