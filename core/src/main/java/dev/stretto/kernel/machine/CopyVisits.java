package dev.stretto.kernel.machine;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts how often each thread has come to each line that begins copies. A round counts once, even
 * if it copies several pieces. Threads that have come to a line equally often are in the same round
 * of that line.
 */
final class CopyVisits {
  /** The rounds in which a thread came to a line. */
  private static final class Visits {
    private int[] rounds = new int[4];
    private int count;

    void add(int round) {
      if (count > 0 && rounds[count - 1] == round) {
        return;
      }
      if (count == rounds.length) {
        rounds = Arrays.copyOf(rounds, 2 * count);
      }
      rounds[count++] = round;
    }

    int until(int round) {
      int visits = 0;
      while (visits < count && rounds[visits] <= round) {
        visits++;
      }
      return visits;
    }
  }

  private final Map<CallPath, Map<Integer, Visits>> lines = new HashMap<>();

  /**
   * {@return how often a thread has come to a line that begins a copy, including this time}
   *
   * @param thread the thread's rank
   * @param rounds the rounds of the thread's copies
   */
  int visit(@Nullable CallPath line, int thread, CopyRounds rounds) {
    if (line == null) {
      return 0;
    }
    Visits visits =
        lines
            .computeIfAbsent(line, _ -> new HashMap<>())
            .computeIfAbsent(thread, _ -> new Visits());
    visits.add(rounds.beginRound());
    return visits.count;
  }

  /** {@return how often a thread had come to a line up to and including one of its rounds} */
  int until(@Nullable CallPath line, int thread, int round) {
    Visits visits = lines.getOrDefault(line, Map.of()).get(thread);
    return visits == null ? 0 : visits.until(round);
  }
}
