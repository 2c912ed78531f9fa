package dev.stretto.driver.virtual;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.LaunchShape;

/** The limits of a device for launches. */
final class LaunchLimits {
  private static final int MOST_BLOCKS_OF_A_CLUSTER = 8;

  private LaunchLimits() {}

  /** Refuses a launch that exceeds the device's limits. */
  static void check(LaunchShape shape, DeviceProperties device, LoadedFunction function) {
    extent("grid x", shape.gridX(), device.maxGridX());
    extent("grid y", shape.gridY(), device.maxGridY());
    extent("grid z", shape.gridZ(), device.maxGridZ());
    extent("block x", shape.blockX(), device.maxBlockX());
    extent("block y", shape.blockY(), device.maxBlockY());
    extent("block z", shape.blockZ(), device.maxBlockZ());
    int most = Math.min(device.maxThreadsPerBlock(), function.properties().maxThreadsPerBlock());
    if (shape.threadsPerBlock() > most) {
      throw refused(
          "a block of %d x %d x %d has %d threads, but %s allows %d"
              .formatted(
                  shape.blockX(),
                  shape.blockY(),
                  shape.blockZ(),
                  shape.threadsPerBlock(),
                  function.entry(),
                  most));
    }
    long shared = (long) shape.sharedBytes() + function.properties().sharedBytes();
    if (shape.sharedBytes() < 0 || shared > device.sharedBytesPerBlockOptIn()) {
      throw refused(
          "%d bytes of dynamic and %d of static shared memory; the device has %d for a block"
              .formatted(
                  shape.sharedBytes(),
                  function.properties().sharedBytes(),
                  device.sharedBytesPerBlockOptIn()));
    }
    clusters(shape, device);
    cooperation(shape, device, function);
  }

  private static void cooperation(
      LaunchShape shape, DeviceProperties device, LoadedFunction function) {
    int each = Multiprocessor.blocks(function.properties(), shape, device);
    long room = (long) each * device.multiprocessors();
    if (shape.isCooperative() && shape.blocks() > room) {
      throw CudaResult.COOPERATIVE_LAUNCH_TOO_LARGE.of(
          "cuLaunchKernelEx",
          "%d blocks that wait for each other; the device has room for %d of %s"
              .formatted(shape.blocks(), room, function.entry()));
    }
  }

  private static void clusters(LaunchShape shape, DeviceProperties device) {
    extent("cluster x", shape.clusterX(), MOST_BLOCKS_OF_A_CLUSTER);
    extent("cluster y", shape.clusterY(), MOST_BLOCKS_OF_A_CLUSTER);
    extent("cluster z", shape.clusterZ(), MOST_BLOCKS_OF_A_CLUSTER);
    if (shape.blocksPerCluster() > MOST_BLOCKS_OF_A_CLUSTER) {
      throw refused(
          "a cluster of %d blocks; it can have at most %d"
              .formatted(shape.blocksPerCluster(), MOST_BLOCKS_OF_A_CLUSTER));
    }
    if (shape.blocksPerCluster() > 1 && device.computeMajor() < 9) {
      throw refused(
          "clusters need compute capability 9.0, but the device has %d.%d"
              .formatted(device.computeMajor(), device.computeMinor()));
    }
    multiple("x", shape.gridX(), shape.clusterX());
    multiple("y", shape.gridY(), shape.clusterY());
    multiple("z", shape.gridZ(), shape.clusterZ());
  }

  private static void multiple(String what, int grid, int cluster) {
    if (grid % cluster != 0) {
      throw refused(
          "%d blocks in %s are not a multiple of the cluster's %d".formatted(grid, what, cluster));
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
