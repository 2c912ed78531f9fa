package dev.stretto.kernel.machine;

import java.util.ArrayList;
import java.util.List;

/**
 * What each thread learned, and when by its own clock. The history is kept while a cluster runs
 * again for a report, so that the report can say which of two waits is missing.
 */
final class LearningHistory {
  /**
   * Something that a thread learned: what others had made known, or that a phase of a barrier
   * object had ended.
   */
  @SuppressWarnings("ArrayRecordComponent") // entries are not compared
  private record Lesson(int clock, int[] known, int slot, int number) {
    boolean teaches(int wantedSlot, int wantedNumber) {
      return (slot == wantedSlot && number >= wantedNumber)
          || at(known, wantedSlot) >= wantedNumber;
    }
  }

  private static final int[] NOTHING = {};
  private static final int NO_SLOT = -1;

  private final List<List<Lesson>> lessons = new ArrayList<>();

  LearningHistory(int threads) {
    for (int thread = 0; thread < threads; thread++) {
      lessons.add(new ArrayList<>());
    }
  }

  /**
   * A clock's number in a slot; 0 if the clock has no such slot, because it does not know the
   * barrier object.
   */
  static int at(int[] clock, int slot) {
    return slot < clock.length ? clock[slot] : 0;
  }

  /** Called when a thread learns what others made known. */
  void learns(int thread, int clock, int[] known) {
    lessons.get(thread).add(new Lesson(clock, known, NO_SLOT, 0));
  }

  /** Called when a thread learns that a phase of a barrier object has ended. */
  void learns(int thread, int clock, int slot, int number) {
    lessons.get(thread).add(new Lesson(clock, NOTHING, slot, number));
  }

  /**
   * {@return when a thread learned something, by its own clock; {@link Integer#MAX_VALUE} if it has
   * not}
   */
  int learned(int thread, int slot, int number) {
    if (slot == thread) {
      return number; // the thread did it itself
    }
    for (Lesson lesson : lessons.get(thread)) {
      if (lesson.teaches(slot, number)) {
        return lesson.clock;
      }
    }
    return Integer.MAX_VALUE;
  }
}
