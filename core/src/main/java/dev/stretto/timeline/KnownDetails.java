package dev.stretto.timeline;

import dev.stretto.driver.FunctionProperties;
import dev.stretto.driver.LaunchShape;
import dev.stretto.route.Way;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The details of operations, one for all that are alike: a program has as many operations as it has
 * time, but few lines that enqueue them.
 */
final class KnownDetails {
  /** So that programs whose operations are all different need no more memory. */
  private static final int MOST = 1024;

  private final Map<Key, Detail> known = new HashMap<>();

  private record Key(
      @Nullable StackTraceElement place,
      @Nullable Way kind,
      @Nullable LaunchShape shape,
      @Nullable FunctionProperties function) {}

  /** {@return {@link Detail#of}} */
  Detail of(
      @Nullable StackTraceElement place,
      @Nullable Way way,
      @Nullable LaunchShape shape,
      @Nullable FunctionProperties function) {
    if (known.size() >= MOST) {
      known.clear();
    }
    return known.computeIfAbsent(
        new Key(place, way == null ? null : way.kind(), shape, function),
        _ -> Detail.of(place, way, shape, function));
  }
}
