package dev.stretto.kernel.machine;

import java.lang.foreign.MemorySegment;

/** Finds memory by its address. */
public interface AddressedMemory {
  /** {@return some bytes} */
  MemorySegment at(long address, long bytes);
}
