package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stretto.driver.Cubin;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.FunctionProperties;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/** Loads images and finds the kernels in them. */
final class Modules {
  private static final int INFO_LOG_BUFFER = 3;
  private static final int INFO_LOG_BYTES = 4;
  private static final int ERROR_LOG_BUFFER = 5;
  private static final int ERROR_LOG_BYTES = 6;
  private static final int LOG_BYTES = 16 << 10;

  private static final int INVALID_IMAGE = 200;
  private static final int MAX_THREADS = 0;
  private static final int SHARED_BYTES = 1;
  private static final int LOCAL_BYTES = 3;
  private static final int REGISTERS = 4;

  private final Context context;
  private final Health health;
  private final SharedLimits limits;

  Modules(Context context, Health health, SharedLimits limits) {
    this.context = context;
    this.health = health;
    this.limits = limits;
  }

  long load(byte[] image) {
    health.require();
    if (image.length == 0) {
      throw health.invalid("the image is empty");
    }
    requireWhole(image);
    try (Arena arena = Arena.ofConfined()) {
      // PTX has to end with a zero byte; an additional one does not harm a cubin.
      MemorySegment text = arena.allocate(image.length + 1L, 16);
      MemorySegment.copy(image, 0, text, JAVA_BYTE, 0, image.length);
      MemorySegment errors = arena.allocate(LOG_BYTES);
      MemorySegment notes = arena.allocate(LOG_BYTES);
      MemorySegment keys =
          arena.allocateFrom(
              JAVA_INT, ERROR_LOG_BUFFER, ERROR_LOG_BYTES, INFO_LOG_BUFFER, INFO_LOG_BYTES);
      // The driver takes these numbers in place of pointers.
      MemorySegment values =
          arena.allocateFrom(JAVA_LONG, errors.address(), LOG_BYTES, notes.address(), LOG_BYTES);
      return context.obtain(
          scratch ->
              KernelCalls.load(
                  scratch.at(Scratch.OUT),
                  text.address(),
                  (int) keys.byteSize() / Integer.BYTES,
                  keys.address(),
                  values.address()),
          code -> refused(code, image.length, log(errors), log(notes)));
    }
  }

  /**
   * Checks the image: the driver does not know its length, and would read beyond a truncated one.
   */
  private static void requireWhole(byte[] image) {
    if (!Cubin.isMachineCode(image)) {
      return;
    }
    try {
      Map<String, Long> _ = Cubin.kernels(image);
    } catch (IllegalArgumentException e) {
      throw new DriverException(
          DriverException.Kind.BAD_IMAGE,
          INVALID_IMAGE,
          "the image was not passed to the driver: " + e.getMessage());
    }
  }

  private DriverException refused(int code, int bytes, String errors, String notes) {
    String log = errors + (errors.isEmpty() || notes.isEmpty() ? "" : "\n") + notes;
    String values = "an image of " + bytes + " bytes" + (log.isEmpty() ? "" : ":\n" + log + "\n");
    return health.failure(code, "cuModuleLoadDataEx", values);
  }

  /** {@return the log in a buffer} A zero byte ends it, unless the log fills the buffer. */
  private static String log(MemorySegment buffer) {
    buffer.set(JAVA_BYTE, LOG_BYTES - 1, (byte) 0);
    return buffer.getString(0, UTF_8).strip();
  }

  void unload(long module) {
    health.require(module, "module");
    context.run(
        _ -> KernelCalls.unload(module), code -> health.failure(code, "cuModuleUnload", ""));
    limits.forget();
  }

  long function(long module, String entry) {
    health.require(module, "module");
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(entry);
      long function =
          context.obtain(
              scratch -> KernelCalls.function(scratch.at(Scratch.OUT), module, name.address()),
              code -> health.failure(code, "cuModuleGetFunction", "entry " + entry));
      context.run(
          _ -> loadNow(function), code -> health.failure(code, "cuFuncLoad", "entry " + entry));
      limits.openUp(function, attribute(function, SHARED_BYTES));
      return function;
    }
  }

  /**
   * Loads a kernel on the device now, if the driver has a call for that. Otherwise the driver loads
   * it at the first launch, which may then wait for all enqueued work.
   */
  private static int loadNow(long function) {
    int result = KernelCalls.loadFunction(function);
    return result == CudaError.NOT_FOUND ? 0 : result;
  }

  FunctionProperties properties(long function) {
    health.require(function, "function");
    return new FunctionProperties(
        attribute(function, MAX_THREADS),
        attribute(function, REGISTERS),
        attribute(function, SHARED_BYTES),
        attribute(function, LOCAL_BYTES));
  }

  int residentBlocks(long function, int threads, int sharedBytes) {
    health.require(function, "function");
    limits.allow(function, sharedBytes);
    return (int)
        context.obtain(
            scratch ->
                KernelCalls.residentBlocks(scratch.at(Scratch.OUT), function, threads, sharedBytes),
            code ->
                health.failure(
                    code,
                    "cuOccupancyMaxActiveBlocksPerMultiprocessor",
                    threads + " threads, " + sharedBytes + " bytes of dynamic shared memory"));
  }

  private int attribute(long function, int attribute) {
    return (int)
        context.obtain(
            scratch -> KernelCalls.attribute(scratch.at(Scratch.OUT), attribute, function),
            code -> health.failure(code, "cuFuncGetAttribute", "attribute " + attribute));
  }
}
