package dev.stretto.kernel.machine;

/** A barrier object, as those see it who watch stages. */
interface StageBarrier {
  /** {@return whether a thread that waits for a phase again has left something out} */
  boolean isWaitedForOnce();

  /** {@return whether copies complete at it} */
  boolean countsCopies();

  /** {@return the ranks of the threads that wait at it} */
  int[] waiting();
}
