package dev.stretto.diagnosis.tally;

import dev.stretto.diagnosis.Finding;
import dev.stretto.diagnosis.Rule;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What was seen, how often, where. Used by any number of threads. */
public final class Tally {
  /** No program has as many places; one that makes code as it runs may. */
  private static final int MOST_PLACES = 10_000;

  private record Key(Rule rule, String device, StackTraceElement place) {}

  private static final class Count {
    private long occasions;
    private long times;
    private long nanos;
    private String reason = "";
  }

  private final Map<Key, Count> counts = new LinkedHashMap<>();

  /** Makes an empty one. */
  public Tally() {}

  /**
   * Counts something that is against a rule.
   *
   * @param place of the program; nothing is counted without one
   * @param reason a clause
   * @param nanos for how long the caller was in it
   * @return the finding, if it has happened often enough to be told
   */
  public synchronized Optional<Finding> add(
      Rule rule, String device, @Nullable StackTraceElement place, String reason, long nanos) {
    Count count = place == null ? null : count(new Key(rule, device, place));
    if (place == null || count == null) {
      return Optional.empty();
    }
    count.occasions++;
    count.times++;
    count.nanos += nanos;
    count.reason = reason;
    return finding(new Key(rule, device, place), count);
  }

  /**
   * Counts something that could have been against a rule and was not: what is so less than half of
   * the time is not told.
   */
  public synchronized void addGood(Rule rule, String device, @Nullable StackTraceElement place) {
    Count count = place == null ? null : count(new Key(rule, device, place));
    if (count != null) {
      count.occasions++;
    }
  }

  private @Nullable Count count(Key key) {
    return counts.size() < MOST_PLACES || counts.containsKey(key)
        ? counts.computeIfAbsent(key, _ -> new Count())
        : null;
  }

  private static Optional<Finding> finding(Key key, Count count) {
    if (count.times < key.rule.least() || count.times * 2 < count.occasions) {
      return Optional.empty();
    }
    Duration blocked = Duration.ofNanos(count.nanos);
    return Optional.of(
        new Finding(key.rule, key.device, key.place, count.reason, count.times, blocked));
  }

  /** {@return what was found so far: what took most time first, then what happened most often} */
  public synchronized List<Finding> findings() {
    return counts.entrySet().stream()
        .flatMap(entry -> finding(entry.getKey(), entry.getValue()).stream())
        .sorted(Comparator.comparing(Finding::blocked).thenComparingLong(Finding::count).reversed())
        .toList();
  }
}
