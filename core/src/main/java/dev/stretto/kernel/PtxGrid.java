package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.DeviceThread;

/**
 * The word at which the blocks of a cooperative launch meet. The driver keeps it in memory of its
 * own, whose address the kernel finds in {@code %envreg1} and {@code %envreg2}; cooperative groups
 * of CUDA C++ use the same one. Its highest bit changes when all blocks have arrived.
 */
final class PtxGrid {
  /** The bit that changes when all blocks have arrived. */
  static final int PHASE = 0x80000000;

  /** What stands in the PTX of kernels that meet there, and in no other. */
  static final String MARK = "%envreg2";

  private PtxGrid() {}

  /** {@return the word before this} Adds to it, and releases what the block has written. */
  @Instruction({
    "{",
    ".reg .b32 high, low;",
    ".reg .b64 workspace;",
    "mov.u32 high, %envreg1;",
    "mov.u32 low, %envreg2;",
    "mov.b64 workspace, {low, high};",
    "atom.add.release.gpu.u32 $r, [workspace+4], $0;",
    "}"
  })
  static int gridBarrierArrive(int summand) {
    DeviceThread thread = DeviceThread.current("gridBarrierArrive");
    return thread.cluster().arriveAtGrid(thread, summand);
  }

  /**
   * {@return whether all blocks have arrived} If so, what they have written is visible from now on.
   *
   * @param arrival the word as it was before the block arrived
   */
  @Instruction({
    "{",
    ".reg .b32 high, low, now;",
    ".reg .b64 workspace;",
    "mov.u32 high, %envreg1;",
    "mov.u32 low, %envreg2;",
    "mov.b64 workspace, {low, high};",
    "ld.acquire.gpu.u32 now, [workspace+4];",
    "xor.b32 now, now, $0;",
    "setp.lt.s32 $r, now, 0;",
    "}"
  })
  static boolean gridBarrierTest(int arrival) {
    DeviceThread thread = DeviceThread.current("gridBarrierTest");
    return thread.cluster().hasGridMet(thread, arrival);
  }
}
