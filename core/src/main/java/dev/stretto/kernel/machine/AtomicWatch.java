package dev.stretto.kernel.machine;

/** Observes atomic operations on one element. */
interface AtomicWatch {
  /** Called when a thread only reads it. */
  void loads();

  /** Called when a thread writes it, and may read it before. */
  void updates();

  /** Called before that if the thread only writes it where it holds what the thread expects. */
  default void exchanges() {}
}
