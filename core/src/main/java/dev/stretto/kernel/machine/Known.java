package dev.stretto.kernel.machine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What threads have made known where they meet: their clocks, joined. Threads that learn it share
 * one array, so that a barrier of a thousand threads costs no million steps. An array that is
 * shared does not change any more; the next arrival copies it.
 */
final class Known {
  /** The modelled time of the latest thread. */
  private long nanos;

  private int[] numbers = {};
  private boolean isShared;

  /** A clock that {@link #numbers} contains. Most threads come with the same one. */
  private int @Nullable [] contained;

  private @Nullable OtherClusters others;

  /** What {@link #others} contains. */
  private @Nullable OtherClusters containedOthers;

  /** Adds how much modelled time has passed for a thread. */
  void addTime(long elapsed) {
    nanos = Math.max(nanos, elapsed);
  }

  /** How much modelled time has passed for those who have made something known. */
  long nanos() {
    return nanos;
  }

  /** Adds what a thread knows. */
  @SuppressWarnings("ReferenceEquality") // most threads come with the same one
  void add(int[] clock, int rank, int own, @Nullable OtherClusters ofOthers) {
    if (numbers.length == 0) {
      numbers = Arrays.copyOf(clock, Math.max(clock.length, rank + 1));
      isShared = false;
      contained = clock;
    } else if (contained != clock) {
      own(Math.max(clock.length, rank + 1));
      for (int i = 0; i < clock.length; i++) {
        numbers[i] = Math.max(numbers[i], clock[i]);
      }
      contained = clock;
    }
    if (LearningHistory.at(numbers, rank) < own) {
      own(rank + 1);
      numbers[rank] = own;
    }
    if (containedOthers != ofOthers) {
      others = OtherClusters.joined(others, ofOthers);
      containedOthers = ofOthers;
    }
  }

  /** Adds what is known elsewhere. */
  void add(Known known) {
    if (known.numbers.length > 0) {
      own(known.numbers.length);
      for (int i = 0; i < known.numbers.length; i++) {
        numbers[i] = Math.max(numbers[i], known.numbers[i]);
      }
    }
    others = OtherClusters.joined(others, known.others);
  }

  /** Adds a number of a slot. */
  void put(int slot, int number) {
    own(slot + 1);
    numbers[slot] = Math.max(numbers[slot], number);
  }

  private void own(int length) {
    if (isShared || numbers.length < length) {
      numbers = Arrays.copyOf(numbers, Math.max(length, numbers.length));
      isShared = false;
    }
  }

  /** The same as it is now, whatever is added to this later. */
  Known now() {
    Known now = new Known();
    now.numbers = numbers;
    now.isShared = true;
    isShared = true;
    now.contained = contained;
    now.others = others;
    return now;
  }

  /** The clock; nobody may change it any more. */
  int[] shared() {
    isShared = true;
    return numbers;
  }

  boolean isNothing() {
    return numbers.length == 0 && others == null;
  }

  @Nullable OtherClusters others() {
    return others;
  }
}
