package dev.stretto.driver.virtual;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.FunctionProperties;
import dev.stretto.driver.LaunchShape;
import dev.stretto.driver.MultiprocessorLimits;
import dev.stretto.driver.ResidentBlocks;

/** What a multiprocessor of a virtual device has room for: what one of the same GPU has. */
final class Multiprocessor {
  private Multiprocessor() {}

  /** {@return how many blocks of a kernel it holds at the same time} */
  static int blocks(FunctionProperties kernel, LaunchShape shape, DeviceProperties device) {
    return resident(kernel, shape, device).blocks();
  }

  private static ResidentBlocks resident(
      FunctionProperties kernel, LaunchShape shape, DeviceProperties device) {
    return MultiprocessorLimits.of(device)
        .resident(
            kernel.registers(),
            sharedBytes(kernel, shape),
            Math.toIntExact(shape.threadsPerBlock()));
  }

  /** {@return all that it has} */
  static BlockNeeds whole(DeviceProperties device) {
    MultiprocessorLimits has = MultiprocessorLimits.of(device);
    return new BlockNeeds(has.blocks(), has.threads(), has.registers(), has.sharedBytes());
  }

  /**
   * {@return what a block of a kernel takes of it} Of registers a block takes so much that as many
   * blocks fit as {@link #blocks} says, which also counts what remains unused in each part.
   */
  static BlockNeeds needs(FunctionProperties kernel, LaunchShape shape, DeviceProperties device) {
    MultiprocessorLimits has = MultiprocessorLimits.of(device);
    ResidentBlocks resident = resident(kernel, shape, device);
    int fit = Math.max(1, resident.byRegisters().orElse(has.registers()));
    return new BlockNeeds(
        1,
        Math.min(has.threads(), resident.warpsPerBlock() * device.warpSize()),
        Math.max(1, has.registers() / fit),
        Math.clamp(has.takenBytes(sharedBytes(kernel, shape)), 1, has.sharedBytes()));
  }

  private static int sharedBytes(FunctionProperties kernel, LaunchShape shape) {
    return shape.sharedBytes() + kernel.sharedBytes();
  }
}
