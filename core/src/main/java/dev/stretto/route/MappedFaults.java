package dev.stretto.route;

import java.lang.foreign.MemorySegment;

/** What happens when a mapped file has been truncated. */
final class MappedFaults {
  private MappedFaults() {}

  /**
   * Has a fault of the last access of a segment thrown here rather than later: the JDK throws its
   * {@link InternalError} when the thread next enters the VM, which it does by this.
   */
  @SuppressWarnings("ThreadPriorityCheck") // not for the scheduler: any call into the VM would do
  static void throwHere(MemorySegment segment) {
    if (segment.isMapped()) {
      Thread.yield();
    }
  }
}
