package dev.stretto.route;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A staged copy that has not yet arrived in host memory, as seen by streams with points that come
 * after it.
 */
interface Arrival {
  /** {@return whether the copy has arrived or failed, so that it no longer touches host memory} */
  boolean isSettled();

  /** {@return whether the device was lost before the copy arrived} */
  boolean isAbandoned();

  /** {@return the time at which the transfer settled, on a modelled device} */
  long settledNanos();

  /** Runs an action when the copy has settled; at once if it already has. */
  void whenSettled(Runnable action);

  /** {@return the memory in which the copy arrives, or null if it is in many places or a file} */
  @Nullable MemorySegment host();

  /** {@return whether the copy arrives in a file} */
  boolean isInFile();

  /**
   * Has the copy settle as soon as it can, because somebody waits for that. Called with the lock of
   * the waiting stream's driver held.
   *
   * @param by the failures of the stream that asks; it finds out by itself what is done on it
   */
  void hasten(Failures by);

  /** {@return whether the copy concerns a range of native memory} */
  boolean touches(long address, long bytes);

  /** {@return whether the copy concerns some of this host memory} */
  boolean concerns(MemorySegment other);

  /**
   * Reports a failure of the copy also to another stream of the same driver, which comes after the
   * copy. Called with the lock held.
   *
   * @param heir the failures of that stream
   * @param sequence its first operation that comes after the copy
   */
  void passFailureTo(Failures heir, long sequence);
}
