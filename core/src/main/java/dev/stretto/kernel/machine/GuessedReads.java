package dev.stretto.kernel.machine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plain reads of threads that may be guesses: what a thread then expects when it compares and
 * exchanges the same element. A guess that is not the newest value fails, and does not race with
 * atomic operations. The reads are kept until the thread does something else.
 */
final class GuessedReads {
  /** How many are kept of a thread: a guess is followed by what the new value is made of. */
  private static final int MOST = 8;

  /** A read that is not noted yet. */
  record Guess(GlobalAccess read, long address, long bytes) {}

  private final @Nullable List<Guess>[] guesses;

  @SuppressWarnings({"unchecked", "rawtypes"}) // no array has a generic type
  GuessedReads(int threads) {
    guesses = new List[threads];
  }

  /** Forgets all. */
  void clear() {
    java.util.Arrays.fill(guesses, null);
  }

  /**
   * Keeps a read.
   *
   * @return the oldest one, if there are too many
   */
  @Nullable Guess keep(int thread, Guess guess) {
    List<Guess> kept = guesses[thread];
    if (kept == null) {
      kept = new ArrayList<>(MOST);
      guesses[thread] = kept;
    }
    kept.add(guess);
    return kept.size() > MOST ? kept.removeFirst() : null;
  }

  /** Drops a read of an element, with which the thread compares and exchanges that element. */
  boolean exchanges(int thread, long address) {
    List<Guess> kept = guesses[thread];
    return kept != null && kept.removeIf(guess -> guess.address == address);
  }

  /** Takes out all reads of a thread. */
  List<Guess> take(int thread) {
    List<Guess> kept = guesses[thread];
    guesses[thread] = null;
    return kept == null ? List.of() : kept;
  }
}
