package dev.stretto.compiler.lint;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** What a path has found out about some expressions: the interval of each. It never changes. */
final class Facts {
  static final Facts NONE = new Facts(Map.of());

  private final Map<Integer, Interval> known;

  /** Paths are looked up in sets all the time. */
  private final int hash;

  private Facts(Map<Integer, Interval> known) {
    this.known = known;
    this.hash = known.hashCode();
  }

  @Nullable Interval of(int expression) {
    return known.get(expression);
  }

  Facts with(int expression, Interval interval) {
    if (interval.equals(known.get(expression))) {
      return this;
    }
    Map<Integer, Interval> more = new HashMap<>(known);
    more.put(expression, interval);
    return new Facts(more);
  }

  /** The useful facts only. */
  Facts about(IntPredicate isUseful) {
    Map<Integer, Interval> fewer = null;
    for (int expression : known.keySet()) {
      if (!isUseful.test(expression)) {
        fewer = fewer == null ? new HashMap<>(known) : fewer;
        fewer.remove(expression);
      }
    }
    return fewer == null ? this : new Facts(fewer);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Facts facts
        && (facts == this || (hash == facts.hash && known.equals(facts.known)));
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
