package dev.stretto.kernel;

import java.util.OptionalLong;

/**
 * A place in a kernel that accesses memory which it is given, as one launch comes there.
 *
 * @param argument the number of the argument, not counting the thread block
 * @param isWritten whether the place writes; otherwise it reads
 * @param bytes how many bytes a thread accesses there at a time; empty if that depends on numbers
 *     which are not known before it runs
 * @param distance how many bytes behind those of a thread the next one in x accesses its own, in
 *     the same block; negative if before, 0 if the same. Empty if it depends on what is in memory,
 *     or if blocks have only one thread in x.
 */
public record ArgumentAccess(
    int argument, boolean isWritten, OptionalLong bytes, OptionalLong distance) {
  /**
   * {@return whether threads next to each other access bytes next to each other, so that a warp's
   * accesses become as few requests as possible} CUDA C++ Best Practices Guide, "Coalesced Access
   * to Global Memory".
   */
  public boolean isCoalesced() {
    return bytes.isPresent()
        && distance.isPresent()
        && Math.abs(distance.getAsLong()) == bytes.getAsLong();
  }
}
