package dev.stretto.misuse;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** What was wrong, each kind once; and counts. */
final class Findings {
  private final Map<String, String> found = new LinkedHashMap<>();
  final AtomicLong calls = new AtomicLong();
  final AtomicLong returned = new AtomicLong();
  final AtomicLong refused = new AtomicLong();
  final AtomicLong right = new AtomicLong();
  final AtomicLong withoutMemory = new AtomicLong();
  final AtomicLong interrupted = new AtomicLong();
  private final Map<String, Integer> waited = new TreeMap<>();

  /** Notes something, unless its like is known. */
  synchronized void add(String kind, String story) {
    if (found.putIfAbsent(kind, story) == null) {
      System.out.println("MISUSE " + kind + "\n" + story);
    }
  }

  /** Notes that a call had to be interrupted. */
  synchronized void waited(String call) {
    waited.merge(call, 1, Integer::sum);
  }

  /** {@return all that was wrong} */
  synchronized String text() {
    StringBuilder text = new StringBuilder();
    found.forEach((kind, story) -> text.append(kind).append('\n').append(story).append("\n\n"));
    return text.toString();
  }

  /** {@return the line for the log} */
  synchronized String summary(long seconds, int rounds) {
    return ("misuse fuzz: %,d calls in %,d rounds, %d s: %,d returned, %,d refused; right programs:"
            + " %,d right, %,d without memory, %,d interrupted by the program; %d findings;"
            + " interrupted waits %s")
        .formatted(
            calls.get(),
            rounds,
            seconds,
            returned.get(),
            refused.get(),
            right.get(),
            withoutMemory.get(),
            interrupted.get(),
            found.size(),
            waited);
  }
}
