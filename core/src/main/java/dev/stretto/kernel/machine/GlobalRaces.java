package dev.stretto.kernel.machine;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Watches the global memory that the threads of a launch use, for accesses of two threads that
 * nothing orders. Host threads that run clusters of the launch share it.
 */
public final class GlobalRaces {
  /** Of operations that do not ask for it. */
  static final AddressedMemory NOWHERE = (_, _) -> MemorySegment.NULL;

  private final Map<Long, GlobalPage> pages = new ConcurrentHashMap<>();
  private final Map<Long, AtomicPlace> places = new ConcurrentHashMap<>();
  private final GridPhases gridPhases = new GridPhases();

  /**
   * The part of memory with a number.
   *
   * @param areNumbered whether the launch's places have numbers
   */
  GlobalPage page(long number, boolean areNumbered) {
    GlobalPage known = pages.get(number);
    return known == null ? pages.computeIfAbsent(number, _ -> new GlobalPage(areNumbered)) : known;
  }

  /** What atomic operations on an element make known. */
  AtomicPlace place(long address) {
    return places.computeIfAbsent(address, _ -> new AtomicPlace());
  }

  /** What the barrier of all blocks makes known. */
  GridPhases gridPhases() {
    return gridPhases;
  }
}
