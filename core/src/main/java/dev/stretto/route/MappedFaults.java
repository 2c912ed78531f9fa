package dev.stretto.route;

import dev.stretto.driver.HostBytes;
import java.lang.foreign.MemorySegment;

/** What happens when a mapped file has been truncated. */
final class MappedFaults {
  private MappedFaults() {}

  /** Has a fault of the last access of a segment thrown here rather than later. */
  static void throwHere(MemorySegment segment) {
    HostBytes.throwFaultHere(segment);
  }
}
