package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stretto.settings.Settings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An opened and initialized {@code libcuda} with at least one device. It stays open for the life of
 * the process: nothing may call CUDA while the process exits, and unloading the library would do
 * so.
 */
final class Library {
  /** The result of opening a library. */
  sealed interface Opening {}

  /** The library works. */
  record Opened(Library library) implements Opening {}

  /** The library does not work, for this reason. */
  record Refused(String reason) implements Opening {}

  /** The oldest CUDA version whose driver has all functions that Stretto needs. */
  static final int NEEDED_VERSION = 12_000;

  private static final String VISIBLE_DEVICES = "CUDA_VISIBLE_DEVICES";

  /** The library of this process; opened once, at the first use. */
  private static volatile @Nullable Opening current;

  private final SymbolLookup exports;
  private final MethodHandle getProcAddress;
  private final int driverVersion;
  private final int deviceCount;

  private Library(
      SymbolLookup exports, MethodHandle getProcAddress, int driverVersion, int deviceCount) {
    this.exports = exports;
    this.getProcAddress = getProcAddress;
    this.driverVersion = driverVersion;
    this.deviceCount = deviceCount;
  }

  /**
   * {@return the library of this process, or the reason why there is none}
   *
   * @throws dev.stretto.fault.SettingException if the setting that names the library is wrong
   */
  static Opening current() {
    Opening known = current;
    return known == null ? openOnce() : known;
  }

  /** {@return whether there is such a library} Starts nothing. */
  static boolean isThere() {
    try {
      SymbolLookup _ = lookup(Settings.LIBCUDA.value());
      return true;
    } catch (IllegalCallerException | IllegalArgumentException e) {
      return false; // current() says why
    }
  }

  private static synchronized Opening openOnce() {
    Opening known = current;
    if (known == null) {
      known = open(Settings.LIBCUDA.value(), System.getenv());
      current = known;
    }
    return known;
  }

  /**
   * Opens and initializes a library.
   *
   * @param path its file, or the name by which the dynamic linker finds it
   * @param environment the variables of this process
   */
  static Opening open(String path, Map<String, String> environment) {
    SymbolLookup exports;
    try {
      exports = lookup(path);
    } catch (IllegalCallerException e) {
      return new Refused(
          "native access is not allowed; start java with --enable-native-access=dev.stretto"
              + " (or ALL-UNNAMED on the class path): "
              + e.getMessage());
    } catch (IllegalArgumentException e) {
      return new Refused(
          path
              + " could not be opened, so there is no NVIDIA driver, or the container does not"
              + " pass it through: "
              + e.getMessage());
    }
    return initialize(path, exports, environment);
  }

  // This is the only place that opens the library. All functions that are looked up in it have been
  // checked against the signatures of cuda.h.
  @SuppressWarnings("restricted")
  static SymbolLookup lookup(String path) {
    return SymbolLookup.libraryLookup(path, Arena.global());
  }

  private static Opening initialize(
      String path, SymbolLookup exports, Map<String, String> environment) {
    Optional<MemorySegment> cuInit = exports.find("cuInit");
    Optional<MemorySegment> cuDriverGetVersion = exports.find("cuDriverGetVersion");
    Optional<MemorySegment> cuDeviceGetCount = exports.find("cuDeviceGetCount");
    if (cuInit.isEmpty() || cuDriverGetVersion.isEmpty() || cuDeviceGetCount.isEmpty()) {
      return new Refused(path + " is not the CUDA driver: it exports no cuInit");
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_INT);
      // Called before cuInit, because cuInit of an old driver may fail for other reasons.
      int result = (int) Binder.link(cuDriverGetVersion.get(), ADDRESS).invokeExact(out);
      if (result != 0) {
        return new Refused("cuDriverGetVersion failed: " + CudaError.describe(exports, result));
      }
      int version = out.get(JAVA_INT, 0);
      Optional<MemorySegment> getProcAddress = exports.find("cuGetProcAddress_v2");
      if (version < NEEDED_VERSION || getProcAddress.isEmpty()) {
        return new Refused(
            "the NVIDIA driver is too old: it supports CUDA "
                + dotted(version)
                + ", but "
                + dotted(NEEDED_VERSION)
                + " is needed");
      }
      result = (int) Binder.link(cuInit.get(), JAVA_INT).invokeExact(0);
      if (result != 0) {
        return new Refused(
            "cuInit failed: " + CudaError.describe(exports, result) + hidden(environment));
      }
      result = (int) Binder.link(cuDeviceGetCount.get(), ADDRESS).invokeExact(out);
      if (result != 0) {
        return new Refused("cuDeviceGetCount failed: " + CudaError.describe(exports, result));
      }
      int count = out.get(JAVA_INT, 0);
      if (count == 0) {
        return new Refused("the NVIDIA driver has no device" + hidden(environment));
      }
      MethodHandle resolve =
          Binder.link(getProcAddress.get(), ADDRESS, ADDRESS, JAVA_INT, JAVA_LONG, ADDRESS);
      return new Opened(new Library(exports, resolve, version, count));
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  private static String hidden(Map<String, String> environment) {
    String visible = environment.get(VISIBLE_DEVICES);
    return visible == null
        ? ""
        : " (" + VISIBLE_DEVICES + " is set to \"" + visible + "\", which may hide all of them)";
  }

  /** {@return 12040 as 12.4} */
  static String dotted(int version) {
    return version / 1000 + "." + version % 1000 / 10;
  }

  /** {@return the CUDA version that the driver supports, as 1000 * major + 10 * minor} */
  int driverVersion() {
    return driverVersion;
  }

  /** {@return how many devices there are, at least 1} */
  int deviceCount() {
    return deviceCount;
  }

  /** {@return the symbols that the library exports} */
  SymbolLookup exports() {
    return exports;
  }

  /**
   * {@return the address of a function}
   *
   * <p>The function is requested by version, so that the driver picks the variant (such as {@code
   * cuMemcpyHtoDAsync_v2}) whose signature that version of cuda.h declares. It is requested without
   * the flag for the per-thread default stream, which would give the stream handle 0 another
   * meaning.
   *
   * @param name as cuda.h names it, without a suffix
   * @param version the CUDA version that declares the signature
   */
  Optional<MemorySegment> find(String name, int version) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment function = arena.allocate(JAVA_LONG);
      MemorySegment status = arena.allocate(JAVA_INT);
      int result =
          (int) getProcAddress.invokeExact(arena.allocateFrom(name), function, version, 0L, status);
      long address = function.get(JAVA_LONG, 0);
      return result == 0 && address != 0
          ? Optional.of(MemorySegment.ofAddress(address))
          : Optional.empty();
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
