package dev.stretto.route;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong on a stream after the call had returned: the first thing that nobody was told of,
 * and the last few by the number of their operation. Guarded by the engine's lock.
 */
final class Failures {
  private static final int REMEMBERED = 1024;

  private record Failed(long sequence, RuntimeException cause) {}

  private final ArrayDeque<Failed> byOperation = new ArrayDeque<>();
  private @Nullable RuntimeException first;

  void add(long sequence, RuntimeException cause) {
    if (first == null) {
      first = cause;
    }
    byOperation.add(new Failed(sequence, cause));
    if (byOperation.size() > REMEMBERED) {
      byOperation.remove();
    }
  }

  @Nullable RuntimeException takeFirst() {
    RuntimeException taken = first;
    first = null;
    return taken;
  }

  @Nullable RuntimeException of(long sequence) {
    for (Failed failed : byOperation) {
      if (failed.sequence() == sequence) {
        return failed.cause();
      }
    }
    return null;
  }
}
