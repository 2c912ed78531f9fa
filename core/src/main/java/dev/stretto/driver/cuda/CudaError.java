package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stretto.driver.DriverException.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.Optional;

/** The result codes of the CUDA driver: their names, and their meaning to Stretto. */
final class CudaError {
  static final int INVALID_VALUE = 1;
  static final int OUT_OF_MEMORY = 2;
  static final int PEER_ACCESS_UNSUPPORTED = 217;
  static final int NOT_FOUND = 500;
  static final int NOT_READY = 600;
  static final int PEER_ACCESS_ALREADY_ENABLED = 704;
  static final int PEER_ACCESS_NOT_ENABLED = 705;
  static final int HOST_MEMORY_ALREADY_REGISTERED = 712;
  static final int HOST_MEMORY_NOT_REGISTERED = 713;
  static final int NOT_SUPPORTED = 801;

  private static final int LONGEST_TEXT = 1024;

  private CudaError() {}

  /** {@return the kind of error for the layers above} */
  static Kind kind(int code) {
    return switch (code) {
      case OUT_OF_MEMORY -> Kind.OUT_OF_MEMORY;
      case 200, // INVALID_IMAGE
          209, // NO_BINARY_FOR_GPU
          218, // INVALID_PTX
          221, // JIT_COMPILER_NOT_FOUND
          222, // UNSUPPORTED_PTX_VERSION
          223, // JIT_COMPILATION_DISABLED
          225, // UNSUPPORTED_DEVSIDE_SYNC
          300, // INVALID_SOURCE
          302, // SHARED_OBJECT_SYMBOL_NOT_FOUND
          NOT_FOUND ->
          Kind.BAD_IMAGE;
      case INVALID_VALUE,
          101, // INVALID_DEVICE
          201, // INVALID_CONTEXT
          PEER_ACCESS_UNSUPPORTED,
          400, // INVALID_HANDLE
          701, // LAUNCH_OUT_OF_RESOURCES: more threads or registers than a block can have
          HOST_MEMORY_ALREADY_REGISTERED,
          HOST_MEMORY_NOT_REGISTERED,
          720, // COOPERATIVE_LAUNCH_TOO_LARGE
          912 -> // INVALID_CLUSTER_SIZE
          Kind.INVALID;
      default -> isSticky(code) ? Kind.LOST : Kind.OTHER;
    };
  }

  /**
   * {@return whether every later call on the context fails too} These are the codes for which
   * cuda.h says that the process is left in an inconsistent state or that the context can no longer
   * be used, those of uncorrectable memory errors, and those of a context or driver that no longer
   * exists.
   *
   * <p>Not among them: {@code DEVICE_UNAVAILABLE} (46), which another process's exclusive use
   * causes; {@code HOST_MEMORY_NOT_REGISTERED} (713), a wrong argument; and {@code UNKNOWN} (999),
   * which says nothing about later calls.
   */
  static boolean isSticky(int code) {
    return switch (code) {
      case 4, // DEINITIALIZED
          214, // ECC_UNCORRECTABLE
          220, // NVLINK_UNCORRECTABLE
          226, // CONTAINED
          700, // ILLEGAL_ADDRESS
          702, // LAUNCH_TIMEOUT
          709, // CONTEXT_IS_DESTROYED
          710, // ASSERT
          714, // HARDWARE_STACK_ERROR
          715, // ILLEGAL_INSTRUCTION
          716, // MISALIGNED_ADDRESS
          717, // INVALID_ADDRESS_SPACE
          718, // INVALID_PC
          719, // LAUNCH_FAILED
          721, // TENSOR_MEMORY_LEAK
          810, // MPS_CLIENT_TERMINATED
          911 -> // EXTERNAL_DEVICE
          true;
      default -> false;
    };
  }

  /** {@return a code's name, number and meaning, such as {@code CUDA_ERROR_X (1): what it is}} */
  static String describe(int code) {
    return switch (Library.current()) {
      case Library.Opened(Library library) -> describe(library.exports(), code);
      case Library.Refused _ -> "CUDA error " + code;
    };
  }

  /** {@return the same, from a library that may not be usable otherwise} */
  static String describe(SymbolLookup exports, int code) {
    Optional<String> name = text(exports, "cuGetErrorName", code);
    Optional<String> meaning = text(exports, "cuGetErrorString", code);
    return name.map(n -> n + " (" + code + ")").orElse("CUDA error " + code)
        + meaning.map(m -> ": " + m).orElse("");
  }

  // The driver's texts are zero-terminated constants.
  @SuppressWarnings("restricted")
  private static Optional<String> text(SymbolLookup exports, String function, int code) {
    Optional<MemorySegment> found = exports.find(function);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      int result = (int) Binder.link(found.get(), JAVA_INT, ADDRESS).invokeExact(code, out);
      long text = out.get(JAVA_LONG, 0);
      return result != 0 || text == 0
          ? Optional.empty()
          : Optional.of(MemorySegment.ofAddress(text).reinterpret(LONGEST_TEXT).getString(0));
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
