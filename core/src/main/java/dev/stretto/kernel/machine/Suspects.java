package dev.stretto.kernel.machine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Stores that nothing orders after another thread's store to the same bytes. If both store the same
 * value, whichever comes last changes nothing, so that only those are mistakes that change the
 * bytes: that is known once the thread has stored.
 */
final class Suspects {
  /** A store that is about to happen. */
  @SuppressWarnings("ArrayRecordComponent") // never changed, not compared
  private record Suspect(CopyMisuse misuse, MemorySegment memory, byte[] before) {}

  private final List<Suspect> suspects = new ArrayList<>();
  private boolean any; // asked at each access

  /**
   * Adds a store.
   *
   * @param misuse what it is if it changes the bytes
   * @param memory the bytes, which another thread has stored
   */
  void add(CopyMisuse misuse, MemorySegment memory) {
    suspects.add(new Suspect(misuse, memory, memory.toArray(ValueLayout.JAVA_BYTE)));
    any = true;
  }

  boolean areAny() {
    return any;
  }

  /**
   * Called when the stores have happened.
   *
   * @throws CopyMisuse if one of them has changed what another thread had stored
   */
  void settle() {
    List<Suspect> all = List.copyOf(suspects);
    clear();
    for (Suspect one : all) {
      if (one.memory.mismatch(MemorySegment.ofArray(one.before)) >= 0) {
        throw one.misuse;
      }
    }
  }

  /** Called when a cluster begins. */
  void clear() {
    suspects.clear();
    any = false;
  }
}
