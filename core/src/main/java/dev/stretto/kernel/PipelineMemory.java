package dev.stretto.kernel;

/**
 * The shared memory of a pipeline beside what it copies. The barriers that threads wait for most
 * lie together, also those of several groups of a block: lanes of one warp look at them in the same
 * instruction, which takes longer the more lines of shared memory they lie in.
 */
final class PipelineMemory {
  private static final int LEFT_BYTES = 16;

  /** For each stage, the barrier of its production. */
  final SharedLongs full;

  /** For each stage, the barrier of its consumption. */
  final SharedLongs free;

  /**
   * How many threads have not left; and, of those that have, the greatest number of stages that one
   * of them had.
   */
  final SharedInts left;

  private PipelineMemory(SharedLongs full, SharedLongs free, SharedInts left) {
    this.full = full;
    this.free = free;
    this.left = left;
  }

  static int bytes(int stages) {
    return 16 * stages + LEFT_BYTES;
  }

  /** The memory of one pipeline, which has it alone. */
  static PipelineMemory of(SharedBytes memory, int stages) {
    return part(memory, stages, 0, 1);
  }

  /** The part of some memory that belongs to one group's pipeline, of several that have one. */
  static PipelineMemory of(SharedBytes memory, int stages, int group, int groups) {
    CopyPromises.ofGroup(group, groups);
    return part(memory, stages, group, groups);
  }

  private static PipelineMemory part(SharedBytes memory, int stages, int group, int groups) {
    int barriers = 8 * stages;
    return new PipelineMemory(
        memory.slice(group * barriers, barriers).asLongs(),
        memory.slice((groups + group) * barriers, barriers).asLongs(),
        memory.slice(2 * groups * barriers + group * LEFT_BYTES, LEFT_BYTES).asInts());
  }
}
