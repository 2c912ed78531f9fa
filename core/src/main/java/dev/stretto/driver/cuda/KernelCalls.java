package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stretto.driver.LaunchShape;
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
  private static final MethodHandle RESIDENT_BLOCKS =
      Binder.bind(
          "cuOccupancyMaxActiveBlocksPerMultiprocessor", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
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

  private static final MethodHandle LAUNCH_EX =
      Binder.bindOptional("cuLaunchKernelEx", 11_060, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG);

  private static final int CONFIG_BYTES = 56;

  /** {@code CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION}. */
  static final int CLUSTER_DIMENSION = 4;

  /** {@code CU_LAUNCH_ATTRIBUTE_COOPERATIVE}. */
  static final int COOPERATIVE = 2;

  /** {@code CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION}. */
  private static final int PROGRAMMATIC_STREAM_SERIALIZATION = 6;

  private static final int ATTRIBUTE_BYTES = 72;

  private KernelCalls() {}

  /** Binds all functions now, by initializing this class. */
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

  /** Loads a function on the device before its first launch, if the driver has a call for that. */
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

  /** Writes an {@code int}. Needs a current context. */
  static int residentBlocks(long blocks, long function, int threads, long sharedBytes) {
    try {
      return (int) RESIDENT_BLOCKS.invokeExact(blocks, function, threads, sharedBytes);
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

  static int launch(long function, LaunchShape shape, long stream, MemorySegment parameters) {
    try {
      return (int)
          LAUNCH.invokeExact(
              function,
              shape.gridX(),
              shape.gridY(),
              shape.gridZ(),
              shape.blockX(),
              shape.blockY(),
              shape.blockZ(),
              shape.sharedBytes(),
              stream,
              parameters,
              0L);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /**
   * Launches clusters of blocks, blocks that wait for each other, or ones that wait for the kernels
   * before themselves: all are attributes.
   *
   * @param overlaps whether the launch may begin while the kernel before it ends
   */
  static int launchWithAttributes(
      long function,
      LaunchShape shape,
      boolean overlaps,
      long stream,
      MemorySegment parameters,
      Scratch scratch) {
    int config = Scratch.STRUCTURE;
    int attribute = config + CONFIG_BYTES;
    scratch.writeInts(
        config,
        shape.gridX(),
        shape.gridY(),
        shape.gridZ(),
        shape.blockX(),
        shape.blockY(),
        shape.blockZ());
    scratch.write(config + 24, shape.sharedBytes());
    scratch.write(config + 32, stream);
    scratch.write(config + 40, scratch.at(attribute));
    int attributes = 0;
    if (shape.blocksPerCluster() > 1) {
      scratch.writeInts(
          attribute, CLUSTER_DIMENSION, 0, shape.clusterX(), shape.clusterY(), shape.clusterZ(), 0);
      attributes++;
    }
    if (shape.isCooperative()) {
      scratch.writeInts(attribute + attributes * ATTRIBUTE_BYTES, COOPERATIVE, 0, 1, 0, 0, 0);
      attributes++;
    }
    if (overlaps) {
      scratch.writeInts(
          attribute + attributes * ATTRIBUTE_BYTES,
          PROGRAMMATIC_STREAM_SERIALIZATION,
          0,
          1,
          0,
          0,
          0);
      attributes++;
    }
    scratch.write(config + 48, attributes);
    try {
      return (int) LAUNCH_EX.invokeExact(scratch.at(config), function, parameters, 0L);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
