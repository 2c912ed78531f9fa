package dev.stretto.driver.cuda;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** Enqueues launches. */
final class Launches {
  private final Context context;
  private final Health health;
  private final SharedLimits limits;

  Launches(Context context, Health health, SharedLimits limits) {
    this.context = context;
    this.health = health;
    this.limits = limits;
  }

  void launch(
      long function,
      LaunchShape shape,
      long stream,
      MemorySegment parameters,
      MemorySegment parameterPointers) {
    health.require(function, "function");
    health.require(stream, "stream");
    if (!parameters.scope().isAlive()) {
      throw health.invalid("the memory of the parameters has been closed");
    }
    limits.allow(function, shape.sharedBytes());
    Scratch scratch = Scratch.borrow();
    boolean entered = false;
    try {
      entered = context.enter(scratch);
      boolean overlaps = shape.awaitsGrids() && !isOfCuda(stream);
      boolean attributes = shape.blocksPerCluster() > 1 || shape.isCooperative() || overlaps;
      int result =
          attributes
              ? KernelCalls.launchWithAttributes(
                  function, shape, overlaps, stream, parameterPointers, scratch)
              : KernelCalls.launch(function, shape, stream, parameterPointers);
      if (result != 0) {
        throw health.failure(
            result, attributes ? "cuLaunchKernelEx" : "cuLaunchKernel", describe(shape));
      }
    } finally {
      context.leave(scratch, entered);
      scratch.giveBack();
      // The pointers point into this memory, which the garbage collector cannot know.
      Reference.reachabilityFence(parameters);
    }
  }

  /** CUDA's own streams also wait for other streams; nobody says how that goes with an overlap. */
  private static boolean isOfCuda(long stream) {
    return stream == DriverDevice.LEGACY_STREAM || stream == DriverDevice.PER_THREAD_STREAM;
  }

  private static String describe(LaunchShape shape) {
    return "%sgrid %dx%dx%d, block %dx%dx%d, %s%d bytes of dynamic shared memory"
        .formatted(
            shape.isCooperative() ? "cooperative " : "",
            shape.gridX(),
            shape.gridY(),
            shape.gridZ(),
            shape.blockX(),
            shape.blockY(),
            shape.blockZ(),
            shape.blocksPerCluster() == 1
                ? ""
                : "cluster %dx%dx%d, "
                    .formatted(shape.clusterX(), shape.clusterY(), shape.clusterZ()),
            shape.sharedBytes());
  }
}
