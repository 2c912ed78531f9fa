package dev.stretto.collective;

import dev.stretto.memory.GlobalBytes;

/** The memory of a {@link Window} on its way: taken, and not yet known to the other ranks. */
interface WindowMemory {
  /**
   * Makes it known to the others, which all do so.
   *
   * @return whether copy engines can reach it
   */
  boolean awaitKnown();

  /** {@return the array, which gives the memory back when it is closed} */
  GlobalBytes array();

  /** Gives it back, without an array. */
  void giveBack();
}
