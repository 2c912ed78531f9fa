package dev.stretto.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * How many blocks a multiprocessor holds at the same time, and why not more. CUDA C++ Programming
 * Guide, "Occupancy Calculator".
 *
 * @param byBlocks the most blocks of any kind
 * @param byThreads how many fit by their threads
 * @param byRegisters how many fit by their registers; empty if the kernel uses none
 * @param bySharedMemory how many fit by their shared memory; empty if they take none
 * @param warpsPerBlock warps of a block
 * @param mostWarps the most warps that a multiprocessor holds
 */
public record ResidentBlocks(
    int byBlocks,
    int byThreads,
    OptionalInt byRegisters,
    OptionalInt bySharedMemory,
    int warpsPerBlock,
    int mostWarps) {
  /** Refuses null. */
  public ResidentBlocks {
    Objects.requireNonNull(byRegisters, "byRegisters");
    Objects.requireNonNull(bySharedMemory, "bySharedMemory");
  }

  /** {@return how many blocks a multiprocessor holds; 0 if such a block cannot be launched} */
  public int blocks() {
    return Math.min(
        Math.min(byBlocks, byThreads),
        Math.min(byRegisters.orElse(Integer.MAX_VALUE), bySharedMemory.orElse(Integer.MAX_VALUE)));
  }

  /** {@return how many warps a multiprocessor holds} */
  public int warps() {
    return blocks() * warpsPerBlock;
  }

  /** {@return the warps among those that a multiprocessor could hold, in percent, rounded} */
  public int percent() {
    return Math.round(100f * warps() / mostWarps);
  }

  /** {@return what there would have to be more of for a further block to fit; one or several} */
  public List<String> limits() {
    int blocks = blocks();
    List<String> limits = new ArrayList<>();
    if (byRegisters.orElse(-1) == blocks) {
      limits.add("registers");
    }
    if (bySharedMemory.orElse(-1) == blocks) {
      limits.add("shared memory");
    }
    if (byThreads == blocks) {
      limits.add("threads");
    }
    if (byBlocks == blocks) {
      limits.add("blocks");
    }
    return limits;
  }
}
