package dev.stretto;

import dev.stretto.Observer.Kind;
import dev.stretto.Observer.Observed;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Who is told of a device's operations. Nobody, as a rule, which costs one read; one observer at
 * most, since the events of an operation are its to close.
 */
final class Observers {
  private final AtomicReference<@Nullable Observer> observer = new AtomicReference<>();

  AutoCloseable add(Observer added) {
    if (!observer.compareAndSet(null, Objects.requireNonNull(added, "observer"))) {
      throw new IllegalStateException(
          "the device is being observed already, by " + observer.get() + ": end that first");
    }
    return () -> observer.compareAndSet(added, null);
  }

  /** Whether somebody is to be told of operations. */
  boolean areTold() {
    return observer.get() != null;
  }

  /** Marks the beginning of an operation if somebody is to be told of it; null otherwise. */
  @Nullable TimedEvent before(Stream stream) {
    return observer.get() != null ? stream.recordTimed() : null;
  }

  /** Tells of an operation whose beginning was marked. */
  void after(
      @Nullable TimedEvent begin,
      Stream stream,
      Kind kind,
      String name,
      long bytes,
      boolean pinned) {
    if (begin == null) {
      return;
    }
    Observer told = observer.get();
    if (told == null) {
      begin.close();
      return;
    }
    told.enqueued(
        new Observed(
            kind, name, stream, bytes, pinned, begin, stream.recordTimed(), System.nanoTime()));
  }
}
