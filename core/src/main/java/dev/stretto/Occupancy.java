package dev.stretto;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.FunctionProperties;
import dev.stretto.driver.MultiprocessorLimits;
import dev.stretto.driver.ResidentBlocks;
import dev.stretto.fault.LaunchException;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.route.DeviceRuntime;
import java.util.function.IntUnaryOperator;

/**
 * How many blocks of a kernel a device runs at the same time, if nothing else runs there. CUDA C++
 * Programming Guide, "Occupancy Calculator". Blocks that wait for each other all have to be
 * resident.
 *
 * @param threadsPerBlock the threads of a block
 * @param sharedBytes the dynamic shared memory of a block
 * @param blocksPerMultiprocessor how many blocks a multiprocessor holds; it depends on their
 *     threads, registers and shared memory. A virtual device does not know how many registers the
 *     assembler would use, and assumes 32
 * @param multiprocessors how many the device has
 */
public record Occupancy(
    int threadsPerBlock, int sharedBytes, int blocksPerMultiprocessor, int multiprocessors) {
  /** {@return how many blocks the device holds at the same time} */
  public int residentBlocks() {
    return blocksPerMultiprocessor * multiprocessors;
  }

  /** {@return how many threads a multiprocessor holds at the same time} */
  public int threadsPerMultiprocessor() {
    return blocksPerMultiprocessor * threadsPerBlock;
  }

  static Occupancy of(DeviceRuntime engine, LoadedKernel loaded, int threads, int sharedBytes) {
    DeviceKernel kernel = loaded.kernel();
    DeviceProperties has = engine.driver().properties();
    require(kernel, "threads per block", threads, 1, most(loaded, has));
    int others = loaded.properties().sharedBytes() + kernel.shape().addedSharedBytes();
    require(
        kernel,
        "bytes of dynamic shared memory",
        sharedBytes,
        0,
        has.sharedBytesPerBlockOptIn() - others);
    int dynamic = sharedBytes + Launch.added(engine, loaded);
    int blocks =
        engine.call(() -> engine.driver().residentBlocks(loaded.function(), threads, dynamic));
    return new Occupancy(threads, sharedBytes, blocks, has.multiprocessors());
  }

  /**
   * {@return the occupancy of the largest of those blocks with which a multiprocessor holds the
   * most threads}
   */
  static Occupancy best(DeviceRuntime engine, LoadedKernel loaded, IntUnaryOperator sharedBytes) {
    DeviceProperties has = engine.driver().properties();
    int most = most(loaded, has);
    Occupancy best = of(engine, loaded, most, sharedBytes.applyAsInt(most));
    int warp = has.warpSize();
    for (int threads = (most - 1) / warp * warp; threads > 0; threads -= warp) {
      Occupancy other = of(engine, loaded, threads, sharedBytes.applyAsInt(threads));
      best = other.threadsPerMultiprocessor() > best.threadsPerMultiprocessor() ? other : best;
    }
    return best;
  }

  /** The occupancy in words, with what limits it if CUDA's rules say the same as the driver. */
  String sentence(DeviceRuntime engine, LoadedKernel loaded) {
    FunctionProperties kernel = loaded.properties();
    int all = sharedBytes + Launch.added(engine, loaded) + kernel.sharedBytes();
    ResidentBlocks rules =
        MultiprocessorLimits.of(engine.driver().properties())
            .resident(kernel.registers(), all, threadsPerBlock);
    int warps = blocksPerMultiprocessor * rules.warpsPerBlock();
    return "%d %s per multiprocessor, %d of %d warps (%d %%)%s; %s and %d bytes of local memory per thread"
        .formatted(
            blocksPerMultiprocessor,
            blocksPerMultiprocessor == 1 ? "block" : "blocks",
            warps,
            rules.mostWarps(),
            Math.round(100f * warps / rules.mostWarps()),
            rules.blocks() == blocksPerMultiprocessor
                ? ", limited by " + String.join(" and ", rules.limits())
                : "",
            engine.isVirtual()
                ? "%d registers are assumed".formatted(kernel.registers())
                : "%d registers".formatted(kernel.registers()),
            kernel.localBytes());
  }

  private static int most(LoadedKernel loaded, DeviceProperties has) {
    return Math.min(has.maxThreadsPerBlock(), loaded.properties().maxThreadsPerBlock());
  }

  private static void require(DeviceKernel kernel, String what, int asked, int least, int most) {
    if (asked < least || asked > most) {
      throw new LaunchException(
          "%s cannot be launched with %d %s: it can have %d to %d on this device"
              .formatted(kernel, asked, what, least, most));
    }
  }
}
