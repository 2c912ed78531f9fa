package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.fault.CopyRule;
import dev.stretto.kernel.machine.CopyMisuse;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.kernel.machine.Resident;
import dev.stretto.memory.GlobalArray;

/**
 * The promises that callers of {@code memcpyAsync} make. A constant that breaks a promise is
 * refused when the kernel is compiled. Other values are checked on a virtual device and in kernels
 * with checks. In other kernels, nothing of this is left at run time.
 */
final class CopyPromises {
  private CopyPromises() {}

  /**
   * Requires that both arrays contain the elements, and that both places have the promised
   * alignment.
   */
  static void require(
      SharedArray shared,
      int sharedIndex,
      GlobalArray global,
      long globalIndex,
      int count,
      int promised) {
    count(count);
    sharedIndex(sharedIndex);
    globalIndex(globalIndex);
    elementsBehind(shared.length() - sharedIndex - count);
    if (CopyNotes.areChecked() && count > 0) {
      int sharedByte = sharedIndex * shared.elementBytes();
      long globalByte = globalIndex * global.elementBytes();
      CopyNotes.requireSlice(sharedIndex, count, shared.length());
      CopyNotes.requireSlice(globalIndex, count, global.length());
      CopyNotes.requireAligned(placeOf(shared, sharedByte), promised);
      CopyNotes.requireAligned(placeOf(global, globalByte), promised);
    }
  }

  /** Requires a valid number of stages of a pipeline, which is a constant. */
  static void stages(int stages) {
    CopyNotes.require(stages >= 1, "a pipeline of less than one stage", "give it 1 stage or more");
  }

  /** Requires a valid number of producers for a pipeline whose threads do not all produce. */
  static void producers(int producers, int threads) {
    producers(producers);
    if (CopyNotes.areChecked()) {
      consumers(threads - producers);
    }
  }

  /** Requires that each tile of a block is whole. */
  static void wholeTiles(ThreadBlock block, int lanes) {
    if (CopyNotes.areChecked()) {
      lanesBeside(block.size() & (lanes - 1));
    }
  }

  /** Requires that a pipeline of a part of the block is one of as many as have been told. */
  static void ofGroup(int group, int groups) {
    groupsBehind(groups - 1 - group);
  }

  /** Requires that some warps are warps of the block, all of them whole, and meet at a barrier. */
  static void warps(ThreadBlock block, int first, int count, int barrier) {
    CopyNotes.require(
        count >= 1 && count <= 32, "a group of no warp, or of more than 32", "give it 1 to 32");
    barrierOfWarps(barrier);
    firstWarp(first);
    if (CopyNotes.areChecked()) {
      threadsBehind(block.size() - 32 * (first + count));
    }
  }

  /** Requires that a thread that copies in a stage of a pipeline is a producer. */
  static void byProducer(boolean producer) {
    if (CopyNotes.areChecked()) {
      producing(producer ? 1 : 0);
    }
  }

  /** Requires that no more threads copy together than the pipeline counts. */
  static void within(int threads, int ofPipeline) {
    if (CopyNotes.areChecked()) {
      threadsBeside(Math.max(0, threads - ofPipeline));
    }
  }

  /** Requires that a thread that acquires or commits a stage is a producer and has not left. */
  static void produces(boolean producer, boolean gone) {
    if (CopyNotes.areChecked()) {
      stagesProduced(producer ? 1 : 0);
      leavesBefore(gone ? 1 : 0);
    }
  }

  /** Requires that a thread that waits for or releases a stage is a consumer and has not left. */
  static void consumes(boolean consumer, boolean gone) {
    if (CopyNotes.areChecked()) {
      stagesConsumed(consumer ? 1 : 0);
      leavesBefore(gone ? 1 : 0);
    }
  }

  /** Requires that a thread leaves a pipeline only once. */
  static void leaves(boolean gone) {
    if (CopyNotes.areChecked()) {
      leavesBefore(gone ? 1 : 0);
    }
  }

  // These methods emit no instructions. Only the annotations of their parameters count.

  @Instruction(
      value = {},
      pure = true)
  static void count(@InRange(what = "the number of elements that memcpyAsync copies") int count) {
    if (count < 0) {
      throw outOfRange("memcpyAsync of " + count + " elements: has to be 0 or more");
    }
  }

  @Instruction(
      value = {},
      pure = true)
  static void sharedIndex(@InRange(what = "the index of memcpyAsync in shared memory") int index) {
    if (index < 0) {
      throw new IndexOutOfBoundsException("memcpyAsync at element " + index + " of shared memory");
    }
  }

  @Instruction(
      value = {},
      pure = true)
  static void globalIndex(@InRange(what = "the index of memcpyAsync in global memory") long index) {
    if (index < 0) {
      throw new IndexOutOfBoundsException("memcpyAsync at element " + index + " of global memory");
    }
  }

  /**
   * Takes effect only in a compiled kernel. Elsewhere, the check of the slice has a better message.
   */
  @Instruction(
      value = {},
      pure = true)
  static void elementsBehind(
      @InRange(
              what =
                  "the number of elements of a shared array behind the last one that memcpyAsync"
                      + " copies")
          int elements) {}

  @Instruction(
      value = {},
      pure = true)
  static void producers(
      @InRange(from = 1, what = "the number of threads of a pipeline that produce") int producers) {
    if (producers < 1) {
      throw outOfRange("a pipeline with " + producers + " producers: has to be 1 or more");
    }
  }

  @Instruction(
      value = {},
      pure = true)
  static void consumers(
      @InRange(from = 1, what = "the number of threads of a pipeline that consume") int consumers) {
    if (consumers < 1) {
      throw outOfRange(
          "a pipeline with " + consumers + " consumers: some threads of the block have to consume");
    }
  }

  @Instruction(
      value = {},
      pure = true)
  static void lanesBeside(
      @InRange(to = 0, what = "the number of threads of a block that are no whole tile")
          int threads) {
    if (threads > 0) {
      throw outOfRange(
          "tiles of a block whose last "
              + threads
              + " threads are no whole tile: its size has to be a multiple of the tile's");
    }
  }

  @Instruction(
      value = {},
      pure = true)
  static void groupsBehind(
      @InRange(what = "the number of groups that may have a pipeline, behind the calling one")
          int groups) {
    if (groups < 0) {
      throw outOfRange(
          "a pipeline for a group that is "
              + -groups
              + " behind the last one that may have one: say how many of the block have one");
    }
  }

  @Instruction(
      value = {},
      pure = true)
  static void barrierOfWarps(
      @InRange(from = 1, to = 15, what = "the number of the barrier at which some warps meet")
          int barrier) {
    if (barrier < 1 || barrier > 15) {
      throw outOfRange(
          "some warps that meet at barrier "
              + barrier
              + ": has to be 1 to 15, and 0 is that of block.sync()");
    }
  }

  @Instruction(
      value = {},
      pure = true)
  static void firstWarp(@InRange(what = "the number of the first of some warps") int first) {
    if (first < 0) {
      throw outOfRange("some warps from warp " + first + ": has to be 0 or more");
    }
  }

  @Instruction(
      value = {},
      pure = true)
  static void threadsBehind(
      @InRange(what = "the number of a block's threads behind some warps") int threads) {
    if (threads < 0) {
      throw outOfRange(
          "some warps that end "
              + -threads
              + " threads behind the block's last one: all of them have to be in the block, and"
              + " whole");
    }
  }

  @Instruction(
      value = {},
      pure = true)
  static void threadsBeside(
      @InRange(
              to = 0,
              what = "by how many threads a copy has more than the pipeline that it completes on")
          int threads) {
    if (threads > 0) {
      throw new CopyMisuse(
          CopyRule.NOT_TOGETHER,
          DeviceThread.current("memcpyAsync")
              + " does its part of a copy of "
              + threads
              + " threads more than its pipeline has: the others' stages would not wait for it;"
              + " copy by the group that made the pipeline, or by a part of it");
    }
  }

  @Instruction(
      value = {},
      pure = true)
  static void insideOf(
      @InRange(from = 1, what = "the number of warps of a group to which the thread belongs")
          int warps) {
    if (warps < 1) {
      throw new CopyMisuse(
          CopyRule.NOT_TOGETHER,
          DeviceThread.current("some warps")
              + " calls a method of some warps to which it does not belong: ask contains()");
    }
  }

  @Instruction(
      value = {},
      pure = true)
  static void producing(
      @InRange(
              from = 1,
              to = 1,
              what = "the number of producers in a thread that copies in a stage")
          int producers) {
    if (producers < 1) {
      throw new CopyMisuse(
          CopyRule.NOT_TOGETHER,
          DeviceThread.current("memcpyAsync")
              + " begins copies in a stage of a pipeline in which it only consumes: producers alone"
              + " commit stages, so that nobody would wait for them");
    }
  }

  @Instruction(
      value = {},
      pure = true)
  static void stagesProduced(
      @InRange(
              from = 1,
              to = 1,
              what = "the number of producers in a thread that acquires or commits a stage")
          int producers) {
    if (producers < 1) {
      throw new CopyMisuse(
          CopyRule.NOT_TOGETHER,
          DeviceThread.current("producerCommit")
              + " acquires or commits a stage of a pipeline in which it only consumes: that is for"
              + " producers, whose number ends a phase");
    }
  }

  @Instruction(
      value = {},
      pure = true)
  static void stagesConsumed(
      @InRange(
              from = 1,
              to = 1,
              what = "the number of consumers in a thread that waits for or releases a stage")
          int consumers) {
    if (consumers < 1) {
      throw new CopyMisuse(
          CopyRule.NOT_TOGETHER,
          DeviceThread.current("consumerRelease")
              + " waits for or releases a stage of a pipeline in which it only produces: that is"
              + " for consumers, whose number ends a phase; drain() waits for what it has"
              + " committed");
    }
  }

  @Instruction(
      value = {},
      pure = true)
  static void leavesBefore(
      @InRange(to = 0, what = "how often a thread has left a pipeline that it uses") int times) {
    if (times > 0) {
      throw new CopyMisuse(
          CopyRule.TOO_MANY_ARRIVALS,
          DeviceThread.current("quit")
              + " uses a pipeline that it has left by quit(), which no longer counts it: leave it"
              + " once, at the end");
    }
  }

  /** Checks the number of stages that a wait leaves. */
  @Instruction(
      value = {},
      pure = true)
  static void stagesLeft(@InRange(what = "the number of stages that a wait leaves") int stages) {
    if (stages < 0) {
      throw outOfRange("a wait that leaves " + stages + " stages: has to be 0 or more");
    }
  }

  /** Checks the number of groups that a wait leaves. */
  @Instruction(
      value = {},
      pure = true)
  static void groupsLeft(@InRange(what = "the number of groups that a wait leaves") int groups) {
    if (groups < 0) {
      throw outOfRange("a wait that leaves " + groups + " groups: has to be 0 or more");
    }
  }

  /** Checks how often a thread arrives. */
  @Instruction(
      value = {},
      pure = true)
  static void arrivals(@InRange(from = 1, what = "the number of arrivals") int count) {
    if (count < 1) {
      throw outOfRange("a thread arrives " + count + " times: has to be 1 or more");
    }
  }

  private static IllegalArgumentException outOfRange(String what) {
    return new IllegalArgumentException(CopyRule.OUT_OF_RANGE.title() + ": " + what);
  }

  /** The lowest bits of an address. */
  @Instruction(value = "and.b32 $r, $&0[1], 127;", pure = true)
  static int placeOf(SharedArray array, int at) {
    return (array.firstByte() + at) & 127;
  }

  @Instruction(
      value = {
        "{",
        ".reg .b64 place;",
        "and.b64 place, $&0[1], 127;",
        "cvt.u32.u64 $r, place;",
        "}"
      },
      pure = true)
  static int placeOf(GlobalArray array, long at) {
    if (array.allocation() instanceof Resident resident) {
      return (int) ((resident.address() + array.byteOffset() + at) & 127);
    }
    throw new IllegalStateException(
        array + " lies in device memory, which the host cannot reach: only kernels can");
  }
}
