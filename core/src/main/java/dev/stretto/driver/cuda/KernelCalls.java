package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Calls about modules, functions and launches. */
final class KernelCalls {
  private static final MethodHandle LOAD =
      Binder.bind("cuModuleLoadDataEx", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle UNLOAD = Binder.bind("cuModuleUnload", JAVA_LONG);
  private static final MethodHandle FUNCTION =
      Binder.bind("cuModuleGetFunction", JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle FUNC_LOAD =
      Binder.bindOptional("cuFuncLoad", 12_040, JAVA_LONG);
  private static final MethodHandle ATTRIBUTE =
      Binder.bind("cuFuncGetAttribute", JAVA_LONG, JAVA_INT, JAVA_LONG);
  private static final MethodHandle SET_ATTRIBUTE =
      Binder.bind("cuFuncSetAttribute", JAVA_LONG, JAVA_INT, JAVA_INT);
  private static final MethodHandle LAUNCH =
      Binder.bind(
          "cuLaunchKernel",
          JAVA_LONG,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_INT,
          JAVA_LONG,
          ADDRESS,
          JAVA_LONG);

  private KernelCalls() {}

  /** Has them all bound now, by the initialization of this class. */
  static void bindAll() {}

  /** Writes the module. Needs a current context. */
  static int load(long module, long image, int options, long keys, long values) {
    try {
      return (int) LOAD.invokeExact(module, image, options, keys, values);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Needs a current context. */
  static int unload(long module) {
    try {
      return (int) UNLOAD.invokeExact(module);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the function. Needs a current context. */
  static int function(long function, long module, long name) {
    try {
      return (int) FUNCTION.invokeExact(function, module, name);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Brings a function to the device before its first launch, where the driver can be asked to. */
  static int loadFunction(long function) {
    try {
      return (int) FUNC_LOAD.invokeExact(function);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes an {@code int}. */
  static int attribute(long value, int attribute, long function) {
    try {
      return (int) ATTRIBUTE.invokeExact(value, attribute, function);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int setAttribute(long function, int attribute, int value) {
    try {
      return (int) SET_ATTRIBUTE.invokeExact(function, attribute, value);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int launch(
      long function,
      int gridX,
      int gridY,
      int gridZ,
      int blockX,
      int blockY,
      int blockZ,
      int sharedBytes,
      long stream,
      MemorySegment parameters,
      long extra) {
    try {
      return (int)
          LAUNCH.invokeExact(
              function,
              gridX,
              gridY,
              gridZ,
              blockX,
              blockY,
              blockZ,
              sharedBytes,
              stream,
              parameters,
              extra);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
