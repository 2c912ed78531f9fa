package dev.stretto.diagnosis.tally;

import dev.stretto.diagnosis.Finding;
import dev.stretto.diagnosis.Rule;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts what was found, by rule, device and place. Safe for any number of threads. */
public final class Tally {
  /** A limit for programs that generate code as they run; no other program has as many places. */
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
   * Counts a violation of a rule.
   *
   * @param place the place in the program; without one nothing is counted
   * @param reason makes a clause; asked once for each place
   * @param nanos how long the caller was in the call
   * @return whether it has happened often enough to be reported
   */
  public synchronized boolean add(
      Rule rule,
      String device,
      @Nullable StackTraceElement place,
      Supplier<String> reason,
      long nanos) {
    Count count = place == null ? null : count(new Key(rule, device, place));
    if (place == null || count == null) {
      return false;
    }
    count.occasions++;
    count.times++;
    count.nanos += nanos;
    if (count.reason.isEmpty()) {
      count.reason = reason.get();
    }
    return isReported(rule, count);
  }

  /** {@return what was counted for a place, if it has happened often enough} */
  public synchronized Optional<Finding> finding(Rule rule, String device, StackTraceElement place) {
    Key key = new Key(rule, device, place);
    Count count = counts.get(key);
    return count == null ? Optional.empty() : finding(key, count);
  }

  /**
   * Counts an occasion that could have violated a rule and did not. A violation is reported only if
   * it happens on at least half of the occasions.
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

  private static boolean isReported(Rule rule, Count count) {
    return count.times >= rule.least() && count.times * 2 >= count.occasions;
  }

  private static Optional<Finding> finding(Key key, Count count) {
    if (!isReported(key.rule, count)) {
      return Optional.empty();
    }
    Duration blocked = Duration.ofNanos(count.nanos);
    return Optional.of(
        new Finding(key.rule, key.device, key.place, count.reason, count.times, blocked));
  }

  /** {@return the findings so far: those that took the most time first, then the most frequent} */
  public synchronized List<Finding> findings() {
    return counts.entrySet().stream()
        .flatMap(entry -> finding(entry.getKey(), entry.getValue()).stream())
        .sorted(Comparator.comparing(Finding::blocked).thenComparingLong(Finding::count).reversed())
        .toList();
  }
}
