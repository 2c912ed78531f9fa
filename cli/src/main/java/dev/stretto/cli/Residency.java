package dev.stretto.cli;

import dev.stretto.compiler.KernelTarget;
import dev.stretto.driver.MultiprocessorLimits;
import dev.stretto.driver.ResidentBlocks;
import java.util.List;

/**
 * How many blocks of a kernel a multiprocessor of the target holds at the same time.
 *
 * @param threads of a block
 * @param dynamicBytes dynamic shared memory of a block
 * @param resident the blocks, and what limits them
 */
record Residency(int threads, int dynamicBytes, ResidentBlocks resident) {
  /** Blocks that kernels are often launched with. */
  private static final List<Integer> USUAL = List.of(128, 256, 512, 1024);

  /**
   * The residency of blocks of a kernel: of the given threads, or of the most that its annotation
   * allows, or else of some usual ones.
   *
   * @param target for example sm_90a
   * @param threads of a block; 0 if they are not given
   * @param maxThreads the most threads of a block; 0 if the kernel does not say
   * @param dynamicBytes dynamic shared memory of a block
   */
  static List<Residency> of(
      String target, Resources resources, int threads, int maxThreads, int dynamicBytes) {
    KernelTarget known = KernelTarget.named(target);
    MultiprocessorLimits limits =
        MultiprocessorLimits.of(known.sm() / 10, known.sm() % 10, known.mostSharedBytes());
    List<Integer> sizes =
        threads > 0 ? List.of(threads) : maxThreads > 0 ? List.of(maxThreads) : USUAL;
    int bytes = resources.sharedBytes() + dynamicBytes;
    return sizes.stream()
        .map(
            size ->
                new Residency(
                    size, dynamicBytes, limits.resident(resources.registers(), bytes, size)))
        .toList();
  }

  /** One line. */
  @Override
  public String toString() {
    String with =
        dynamicBytes == 0
            ? "%d threads".formatted(threads)
            : "%d threads and %d bytes of dynamic shared memory".formatted(threads, dynamicBytes);
    if (resident.blocks() == 0) {
      return "Occupancy with blocks of %s: none fits, for its %s"
          .formatted(with, String.join(" and ", resident.limits()));
    }
    return "Occupancy with blocks of %s: %d %s per multiprocessor, %d of %d warps (%d %%), limited by %s"
        .formatted(
            with,
            resident.blocks(),
            resident.blocks() == 1 ? "block" : "blocks",
            resident.warps(),
            resident.mostWarps(),
            resident.percent(),
            String.join(" and ", resident.limits()));
  }
}
