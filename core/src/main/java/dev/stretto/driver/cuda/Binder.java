package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Binds functions of the process's library to method handles for static final fields. Only in such
 * fields does the JIT treat a handle as a constant, so that a call costs no more than in C.
 *
 * <p>A pointer parameter is a {@code long} if the memory cannot be freed during the call. That
 * saves the checks of a segment; the C calling convention passes both in the same way.
 */
final class Binder {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final List<String> MISSING = new CopyOnWriteArrayList<>();

  private Binder() {}

  /**
   * Binds a function that returns a {@code CUresult}.
   *
   * @param name as cuda.h names it, without a suffix
   * @param parameters the layouts of its parameters
   */
  static MethodHandle bind(String name, MemoryLayout... parameters) {
    Optional<MemorySegment> function = library().find(name, Library.NEEDED_VERSION);
    if (function.isEmpty()) {
      MISSING.add(name);
    }
    return function.map(f -> link(f, parameters)).orElseGet(() -> absent(parameters));
  }

  /**
   * Binds a function that never blocks and returns within nanoseconds. Its calls skip the
   * transition of the thread's state, so the garbage collector has to wait for them.
   */
  static MethodHandle bindInstant(String name, MemoryLayout... parameters) {
    Optional<MemorySegment> function = library().find(name, Library.NEEDED_VERSION);
    if (function.isEmpty()) {
      MISSING.add(name);
    }
    return function
        .map(f -> downcall(f, parameters, Linker.Option.critical(false)))
        .orElseGet(() -> absent(parameters));
  }

  /**
   * Binds a function that only newer drivers have. If it is absent, its handle returns {@code
   * CUDA_ERROR_NOT_FOUND}.
   *
   * @param version the CUDA version that introduced it
   */
  static MethodHandle bindOptional(String name, int version, MemoryLayout... parameters) {
    return library()
        .find(name, version)
        .map(f -> link(f, parameters))
        .orElseGet(() -> absent(parameters));
  }

  /**
   * {@return whether the driver has a function of {@link #bindOptional}}
   *
   * @param name as cuda.h names it, without a suffix
   * @param version the CUDA version that introduced it
   */
  static boolean has(String name, int version) {
    return library().find(name, version).isPresent();
  }

  /** {@return the CUDA version that the driver supports, as 1000 * major + 10 * minor} */
  static int driverVersion() {
    return library().driverVersion();
  }

  /** {@return the requested functions that are missing} */
  static List<String> missing() {
    return MISSING;
  }

  /** {@return a handle for a function that returns a {@code CUresult}} */
  static MethodHandle link(MemorySegment function, MemoryLayout... parameters) {
    return downcall(function, parameters);
  }

  // A wrong signature would crash the JVM: the tests' fake checks each one against cuda.h.
  @SuppressWarnings("restricted")
  private static MethodHandle downcall(
      MemorySegment function, MemoryLayout[] parameters, Linker.Option... options) {
    return LINKER.downcallHandle(function, FunctionDescriptor.of(JAVA_INT, parameters), options);
  }

  private static MethodHandle absent(MemoryLayout[] parameters) {
    return MethodHandles.dropArguments(
        MethodHandles.constant(int.class, CudaError.NOT_FOUND),
        0,
        FunctionDescriptor.of(JAVA_INT, parameters).toMethodType().parameterList());
  }

  private static Library library() {
    return switch (Library.current()) {
      case Library.Opened opened -> opened.library();
      case Library.Refused refused -> throw new IllegalStateException(refused.reason());
    };
  }

  /**
   * {@return the exception to throw after a downcall has thrown one} A C function throws nothing,
   * so the cause is a stack overflow, a closed arena or the like, and its type is kept.
   */
  static RuntimeException unexpected(Throwable thrown) {
    switch (thrown) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(thrown);
    }
  }
}
