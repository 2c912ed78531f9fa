package dev.stretto.contract;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What a stress of observers has done so far, by name. */
final class StressTally {
  private static final String OBSERVED = "operations observed";
  private static final String SPANS = "spans";
  private static final String FINDINGS = "findings";

  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
  private final LongAdder progress = new LongAdder();

  /** Something was done that is counted; whatever is done is progress. */
  void count(String what) {
    add(what, 1);
  }

  private void add(String what, long number) {
    counts.computeIfAbsent(what, _ -> new LongAdder()).add(number);
    progress.increment();
  }

  void observed() {
    count(OBSERVED);
  }

  void spans(int number) {
    add(SPANS, number);
  }

  void findings(int number) {
    add(FINDINGS, number);
  }

  /** {@return a number that grows while anything goes on} */
  long progress() {
    return progress.sum();
  }

  /** Sees to it that nobody looked in vain. */
  void requireEverythingSeen(long flights) {
    for (String what : new String[] {OBSERVED, SPANS, FINDINGS}) {
      if (!counts.containsKey(what) || counts.get(what).sum() == 0) {
        throw new AssertionError("no " + what + ": " + this);
      }
    }
    if (flights == 0) {
      throw new AssertionError("no event of the Flight Recorder: " + this);
    }
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(counts)
        .forEach(
            (what, count) ->
                text.append(text.isEmpty() ? "" : ", ")
                    .append("%,d %s".formatted(count.sum(), what)));
    return text.toString();
  }
}
