package dev.stretto.diagnosis.tally;

import dev.stretto.diagnosis.Finding;
import dev.stretto.diagnosis.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts what was found, by rule, device and place. A device that is opened again counts anew:
 * programs that open a device, wait once and close it have no loop. Safe for any number of threads.
 */
public final class Tally {
  /** A limit for programs that generate code as they run; no other program has as many places. */
  private static final int MOST_PLACES = 10_000;

  /** Of how many occasions at a place the times are kept, which is enough to go and see some. */
  private static final int MOST_MOMENTS = 100;

  /** What is told once, however often the device is opened. */
  private record Key(Rule rule, String device, StackTraceElement place) {}

  private record KeyOfOpening(Key key, long opening) {}

  private static final class Count {
    private long occasions;
    private long times;
    private long nanos;
    private String reason = "";
    private final List<Long> moments = new ArrayList<>();

    void happened(long at) {
      if (moments.size() < MOST_MOMENTS) {
        moments.add(at);
      }
    }

    void add(Count other) {
      other.moments.forEach(this::happened);
      occasions += other.occasions;
      times += other.times;
      nanos += other.nanos;
      reason = reason.isEmpty() ? other.reason : reason;
    }
  }

  private final Map<KeyOfOpening, Count> counts = new LinkedHashMap<>();

  /** What is reported of devices that are closed. */
  private final Map<Key, Count> ended = new LinkedHashMap<>();

  private long openings;

  /** Makes an empty one. */
  public Tally() {}

  /** {@return the number of a device that is watched from now on} */
  public synchronized long opened() {
    return ++openings;
  }

  /** Notes that a device is closed. */
  public synchronized void closed(long opening) {
    counts
        .entrySet()
        .removeIf(
            entry -> {
              if (entry.getKey().opening != opening) {
                return false;
              }
              Key key = entry.getKey().key;
              if (isReported(key.rule, entry.getValue())) {
                ended.computeIfAbsent(key, _ -> new Count()).add(entry.getValue());
              }
              return true;
            });
  }

  /**
   * Counts a violation of a rule.
   *
   * @param opening the number of the device
   * @param place the place in the program; without one nothing is counted
   * @param reason makes a clause; asked once for each place
   * @param nanos how long the caller was in the call
   * @param at when the call began, by the caller's clock
   * @return whether it has happened often enough to be reported
   */
  public synchronized boolean add(
      Rule rule,
      String device,
      long opening,
      @Nullable StackTraceElement place,
      Supplier<String> reason,
      long nanos,
      long at) {
    Count count =
        place == null ? null : count(new KeyOfOpening(new Key(rule, device, place), opening));
    if (place == null || count == null) {
      return false;
    }
    count.occasions++;
    count.times++;
    count.nanos += nanos;
    count.happened(at);
    if (count.reason.isEmpty()) {
      count.reason = reason.get();
    }
    return isReported(rule, count);
  }

  /** {@return what was counted for a place, if it has happened often enough} */
  public synchronized Optional<Finding> finding(
      Rule rule, String device, long opening, StackTraceElement place) {
    Key key = new Key(rule, device, place);
    Count count = counts.get(new KeyOfOpening(key, opening));
    return count == null || !isReported(rule, count)
        ? Optional.empty()
        : Optional.of(finding(key, count));
  }

  /**
   * Counts an occasion that could have violated a rule and did not. A violation is reported only if
   * it happens on at least half of the occasions.
   */
  public synchronized void addGood(
      Rule rule, String device, long opening, @Nullable StackTraceElement place) {
    Count count =
        place == null ? null : count(new KeyOfOpening(new Key(rule, device, place), opening));
    if (count != null) {
      count.occasions++;
    }
  }

  private @Nullable Count count(KeyOfOpening key) {
    return counts.size() < MOST_PLACES || counts.containsKey(key)
        ? counts.computeIfAbsent(key, _ -> new Count())
        : null;
  }

  private static boolean isReported(Rule rule, Count count) {
    return count.times >= rule.least() && count.times * 2 >= count.occasions;
  }

  private static Finding finding(Key key, Count count) {
    Duration blocked = Duration.ofNanos(count.nanos);
    return new Finding(key.rule, key.device, key.place, count.reason, count.times, blocked);
  }

  /**
   * {@return when the first of a finding's calls began, by the clock of those that counted them}
   */
  public synchronized List<Long> moments(Finding finding) {
    Key key = new Key(finding.rule(), finding.device(), finding.place());
    Count all = new Count();
    Count before = ended.get(key);
    if (before != null) {
      all.add(before);
    }
    counts.forEach(
        (of, count) -> {
          if (of.key.equals(key)) {
            all.add(count);
          }
        });
    return List.copyOf(all.moments);
  }

  /** {@return the findings so far: those that took the most time first, then the most frequent} */
  public synchronized List<Finding> findings() {
    Map<Key, Count> all = new LinkedHashMap<>();
    ended.forEach((key, count) -> all.computeIfAbsent(key, _ -> new Count()).add(count));
    counts.forEach(
        (of, count) -> {
          if (isReported(of.key.rule, count)) {
            all.computeIfAbsent(of.key, _ -> new Count()).add(count);
          }
        });
    return all.entrySet().stream()
        .map(entry -> finding(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparing(Finding::blocked).thenComparingLong(Finding::count).reversed())
        .toList();
  }
}
