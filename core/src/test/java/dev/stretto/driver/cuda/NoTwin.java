package dev.stretto.driver.cuda;

import dev.stretto.driver.KernelTwin;
import dev.stretto.driver.LaunchShape;
import java.lang.foreign.MemorySegment;

/** The twin of kernels that must never run on the host: CUDA does not look at it. */
public enum NoTwin implements KernelTwin {
  /** The only one. */
  INSTANCE;

  @Override
  public void run(
      LaunchShape shape, long first, long last, MemorySegment parameters, DeviceMemory memory) {
    throw new AssertionError("a GPU runs the image");
  }

  @Override
  public long nanos(LaunchShape shape, MemorySegment parameters, Machine machine) {
    throw new AssertionError("a GPU runs in real time");
  }
}
