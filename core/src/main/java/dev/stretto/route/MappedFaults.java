package dev.stretto.route;

import java.lang.foreign.MemorySegment;

/** What happens when a mapped file has been truncated. */
final class MappedFaults {
  private MappedFaults() {}

  /**
   * Has a fault of the last access of a segment thrown here rather than later: the JDK throws its
   * {@link InternalError} when the thread next comes back from native code, which it does by this.
   */
  static void throwHere(MemorySegment segment) {
    // Not Thread.yield(): a virtual thread would let go of its carrier, under the engine's lock.
    if (segment.isMapped() && Thread.holdsLock(segment)) {
      throw new AssertionError("nobody locks a segment");
    }
  }
}
