package dev.stretto.contract;

import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** Kernels of a program: those in the library's own packages count as its vocabulary. */
public final class KernelsThatFail {
  private KernelsThatFail() {}

  /** Sets an element for each thread. */
  public static void beyond(ThreadBlock block, GlobalInts out) {
    out.set(block.globalIndexX(), 1);
  }

  /** The same between two barriers, in a method that is called. */
  public static void beyondTogether(ThreadBlock block, GlobalInts out) {
    block.sync();
    beyond(block, out);
    block.sync();
  }
}
