package dev.stretto.driver.cuda;

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
      int gridX,
      int gridY,
      int gridZ,
      int blockX,
      int blockY,
      int blockZ,
      int sharedBytes,
      long stream,
      MemorySegment parameters,
      MemorySegment parameterPointers) {
    health.require(function, "function");
    health.require(stream, "stream");
    if (!parameters.scope().isAlive()) {
      throw health.invalid("the memory of the parameters has been closed");
    }
    limits.allow(function, sharedBytes);
    Scratch scratch = Scratch.borrow();
    boolean entered = false;
    try {
      entered = context.enter(scratch);
      int result =
          KernelCalls.launch(
              function,
              gridX,
              gridY,
              gridZ,
              blockX,
              blockY,
              blockZ,
              sharedBytes,
              stream,
              parameterPointers,
              0);
      if (result != 0) {
        throw health.failure(
            result,
            "cuLaunchKernel",
            "grid %dx%dx%d, block %dx%dx%d, %d bytes of dynamic shared memory"
                .formatted(gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes));
      }
    } finally {
      if (entered) {
        context.leave(scratch);
      }
      scratch.giveBack();
      // The pointers lead there, which the garbage collector cannot know.
      Reference.reachabilityFence(parameters);
    }
  }
}
