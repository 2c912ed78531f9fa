package dev.stretto.route;

import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The slots that nobody uses, and halves of slots, those that were used last first. A thread that
 * fills a half prefers one that it has filled before: those bytes are still in its core's cache,
 * and to fetch them from another core's takes as long as from memory.
 */
final class FreeSlots {
  private final ArrayDeque<Slots.Slot> whole = new ArrayDeque<>();
  private final ArrayDeque<Slots.Slot> halves = new ArrayDeque<>();

  /** The most halves that are used at a time: more would not stay in the caches. */
  private final int mostHalves;

  /** How many slots both of whose halves are among these. */
  private int pairs;

  private int usedHalves;

  /**
   * @param mostHalves the most halves that are used at a time
   */
  FreeSlots(int mostHalves) {
    this.mostHalves = mostHalves;
  }

  synchronized void add(Slots.Slot slot) {
    whole.add(slot);
  }

  synchronized void push(Slots.Slot slot) {
    if (slot.whole() == null) {
      whole.push(slot);
    } else {
      usedHalves--;
      pushHalf(slot);
    }
  }

  /** {@return whether as many halves are used as may be, so that more slots would not help} */
  synchronized boolean isLimit(long bytes) {
    return bytes <= Slots.HALF_BYTES && usedHalves >= mostHalves;
  }

  /** {@return whether a copy whose turn has not come would leave some halves to the others} */
  synchronized boolean leavesSome(long bytes) {
    return bytes > Slots.HALF_BYTES || usedHalves < mostHalves - mostHalves / 4;
  }

  private void pushHalf(Slots.Slot half) {
    halves.push(half);
    half.isFree = true;
    pairs += half.otherHalf().isFree ? 1 : 0;
  }

  /** Takes out a half that has been removed from the queue, or is about to be. */
  private Slots.Slot taken(Slots.Slot half) {
    half.isFree = false;
    pairs -= half.otherHalf().isFree ? 1 : 0;
    return half;
  }

  /** {@return how many there are of which both halves are free} */
  synchronized int size() {
    return whole.size() + pairs;
  }

  synchronized void clear() {
    whole.clear();
    halves.clear();
    pairs = 0;
    usedHalves = 0;
  }

  /**
   * {@return a slot with room for so many bytes, which is no longer free: a half if that is enough;
   * null if there is none}
   */
  synchronized Slots.@Nullable Slot poll(long bytes) {
    if (bytes > Slots.HALF_BYTES) {
      Slots.Slot slot = whole.poll();
      return slot == null ? joined() : slot;
    }
    if (usedHalves >= mostHalves) {
      return null;
    }
    Slots.Slot half = halves.poll();
    if (half != null) {
      usedHalves++;
      return taken(half);
    }
    Slots.Slot slot = whole.poll();
    if (slot == null) {
      return null;
    }
    usedHalves++;
    pushHalf(slot.secondHalf());
    return slot.firstHalf();
  }

  /** {@return a slot of which both halves were free, if there is one} */
  private Slots.@Nullable Slot joined() {
    for (Slots.Slot half : halves) {
      Slots.Slot slot = half.whole();
      if (slot != null && half.otherHalf().isFree) {
        boolean _ = halves.remove(half);
        boolean _ = halves.remove(half.otherHalf());
        taken(half).otherHalf().isFree = false;
        return slot;
      }
    }
    return null;
  }

  /**
   * {@return a half that the calling thread has filled before, or nobody has, and that is no longer
   * free, in exchange for another one; null if the thread has to take that one}
   *
   * @param given a half, all of which the thread was given
   */
  synchronized Slots.@Nullable Slot own(Slots.Slot given) {
    Thread self = Thread.currentThread();
    Slots.Slot found = self.equals(given.filler) ? null : better(given, self);
    if (found == null) {
      given.filler = self;
      return null;
    }
    boolean _ = halves.remove(found);
    found = taken(found);
    boolean _ = given.giveBack(); // before anybody else can take it
    pushHalf(given);
    found.filler = self;
    return found;
  }

  private Slots.@Nullable Slot better(Slots.Slot given, Thread self) {
    Slots.Slot found = null;
    for (Iterator<Slots.Slot> it = halves.iterator(); it.hasNext(); ) {
      Slots.Slot half = it.next();
      if (self.equals(half.filler)) {
        return half;
      }
      if (found == null && half.filler == null && given.filler != null) {
        found = half;
      }
    }
    return found;
  }
}
