package dev.stretto.compiler.lint;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What a path has found out about some expressions.
 *
 * @param known the interval of each expression
 */
record Facts(Map<Integer, Interval> known) {
  static final Facts NONE = new Facts(Map.of());

  @Nullable Interval of(int expression) {
    return known.get(expression);
  }

  Facts with(int expression, Interval interval) {
    Map<Integer, Interval> more = new HashMap<>(known);
    more.put(expression, interval);
    return new Facts(more);
  }

  /** The useful facts only. */
  Facts about(IntPredicate isUseful) {
    if (known.isEmpty()) {
      return this;
    }
    Map<Integer, Interval> fewer = new HashMap<>();
    known.forEach(
        (expression, interval) -> {
          if (isUseful.test(expression)) {
            fewer.put(expression, interval);
          }
        });
    return fewer.size() == known.size() ? this : new Facts(fewer);
  }
}
