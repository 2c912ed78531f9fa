package dev.stretto.driver.virtual;

import dev.stretto.driver.DeviceProperties;

/** The extents of a launch. */
record LaunchShape(
    int gridX, int gridY, int gridZ, int blockX, int blockY, int blockZ, int sharedBytes) {

  int[] grid() {
    return new int[] {gridX, gridY, gridZ};
  }

  int[] block() {
    return new int[] {blockX, blockY, blockZ};
  }

  /** {@return how many blocks there are} */
  long blocks() {
    return (long) gridX * gridY * gridZ;
  }

  /** Refuses what the device cannot do. */
  void check(DeviceProperties device, LoadedFunction function) {
    extent("grid x", gridX, device.maxGridX());
    extent("grid y", gridY, device.maxGridY());
    extent("grid z", gridZ, device.maxGridZ());
    extent("block x", blockX, device.maxBlockX());
    extent("block y", blockY, device.maxBlockY());
    extent("block z", blockZ, device.maxBlockZ());
    long threads = (long) blockX * blockY * blockZ;
    int most = Math.min(device.maxThreadsPerBlock(), function.properties().maxThreadsPerBlock());
    if (threads > most) {
      throw refused(
          "a block of %d x %d x %d has %d threads, %s allows %d"
              .formatted(blockX, blockY, blockZ, threads, function.entry(), most));
    }
    long shared = (long) sharedBytes + function.properties().sharedBytes();
    if (sharedBytes < 0 || shared > device.sharedBytesPerBlockOptIn()) {
      throw refused(
          "%d bytes of dynamic and %d of static shared memory; the device has %d for a block"
              .formatted(
                  sharedBytes,
                  function.properties().sharedBytes(),
                  device.sharedBytesPerBlockOptIn()));
    }
  }

  private static void extent(String what, int value, int most) {
    if (value < 1 || value > most) {
      throw refused("%s is %d, but has to be 1 to %d".formatted(what, value, most));
    }
  }

  private static RuntimeException refused(String why) {
    return CudaResult.INVALID_VALUE.of("cuLaunchKernel", why);
  }
}
