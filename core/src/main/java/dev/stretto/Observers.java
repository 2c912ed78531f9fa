package dev.stretto;

import dev.stretto.Observer.Kind;
import dev.stretto.Observer.Observed;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Who is told of a device's operations. Nobody, as a rule, which costs one read. */
final class Observers {
  private final List<Observer> list = new CopyOnWriteArrayList<>();
  private volatile boolean any;

  AutoCloseable add(Observer observer) {
    list.add(observer);
    any = true;
    return () -> {
      list.remove(observer);
      any = !list.isEmpty();
    };
  }

  /** Marks the beginning of an operation if somebody is to be told of it; null otherwise. */
  @Nullable TimedEvent before(Stream stream) {
    return any ? stream.recordTimed() : null;
  }

  /** Tells of an operation whose beginning was marked. */
  void after(@Nullable TimedEvent begin, Stream stream, Kind kind, String name, long bytes, boolean pinned) {
    if (begin == null) {
      return;
    }
    Observed observed =
        new Observed(
            kind, name, stream, bytes, pinned, begin, stream.recordTimed(), System.nanoTime());
    for (Observer observer : list) {
      observer.enqueued(observed);
    }
  }
}
