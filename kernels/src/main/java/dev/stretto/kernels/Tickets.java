package dev.stretto.kernels;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;

/** Which tile is a block's: the next one, so that the blocks of all earlier ones have begun. */
final class Tickets {
  private Tickets() {}

  /** {@return the number of the block's tile, the same for all its threads} */
  static int next(ThreadBlock block, GlobalLongs words) {
    SharedInts ticket = block.sharedInts(1);
    if (block.threadIndexX() == 0) {
      ticket.set(0, (int) Atomics.add(words, 0, 1L));
    }
    block.sync();
    return ticket.get(0);
  }

  /** {@return the number of the block's tile, the same for all its threads} */
  static int next(ThreadBlock block, GlobalInts words) {
    SharedInts ticket = block.sharedInts(1);
    if (block.threadIndexX() == 0) {
      ticket.set(0, Atomics.add(words, 0, 1));
    }
    block.sync();
    return ticket.get(0);
  }
}
