package dev.stretto.route;

import java.lang.foreign.MemorySegment;

/**
 * A staged copy that is still to arrive in host memory, as seen by the streams whose points come
 * after it.
 */
interface Arrival {
  /** {@return whether nothing more happens in host memory, the copy having arrived or failed} */
  boolean isSettled();

  /** {@return whether the device was lost before it had arrived} */
  boolean isAbandoned();

  /** {@return on a modelled device when the transfer settled} */
  long settledNanos();

  /** Has an action run when the copy has settled; at once if it has. */
  void whenSettled(Runnable action);

  /** Forgets an action that waits for the copy to settle. */
  void forget(Runnable action);

  /** {@return whether the copy concerns a range of native memory} */
  boolean touches(long address, long bytes);

  /** {@return whether the copy concerns some of this host memory} */
  boolean concerns(MemorySegment other);

  /**
   * Another stream of the same driver comes after the copy, and hears if it fails. Called under the
   * lock.
   *
   * @param heir that stream's failures
   * @param sequence from which of its operations on
   */
  void passFailureTo(Failures heir, long sequence);
}
