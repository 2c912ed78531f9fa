package dev.stretto.compiler.ptx;

import dev.stretto.compiler.ir.Asm;
import java.util.List;

/**
 * A kernel as text.
 *
 * @param text the text that a driver assembles
 * @param entry the kernel's name in it
 * @param faults the meaning of the numbers that a check reports; empty if nothing is checked
 * @param movedBytes static shared memory that a launch must add to its dynamic memory, since it
 *     exceeds what a file may request
 * @param staticBytes static shared memory that the file requests
 */
public record PtxText(
    String text, String entry, List<FaultSite> faults, long movedBytes, long staticBytes) {
  /** {@return whether each thread waits itself for the kernels before this one on its stream} */
  public boolean awaitsGrids() {
    return text.contains(Asm.AWAIT_GRIDS);
  }
}
