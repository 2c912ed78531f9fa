package dev.stretto.observe;

import dev.stretto.diagnosis.tally.Found;
import dev.stretto.diagnosis.tally.KnownPlaces;
import dev.stretto.diagnosis.tally.Places;
import dev.stretto.route.StreamQueue;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The lines of the program that enqueue operations. On a device whose time is modelled, each is
 * looked up, so that a program counts the same on every run; there, nobody asks for the host's
 * time.
 */
final class OperationLines {
  /** Guarded by itself. */
  private final Map<StreamQueue, KnownPlaces> streams = new WeakHashMap<>();

  /** Of no stream. */
  private final KnownPlaces first = new KnownPlaces();

  /** {@return the line of the program that is about to enqueue an operation; or null} */
  @Nullable StackTraceElement ahead(StreamQueue queue, WorkKind kind, String name) {
    return isModelled(queue) ? Places.line() : known(queue).ahead(operation(kind, name, 0)).line();
  }

  /**
   * {@return the line of the program that has enqueued an operation, perhaps through a flow or a
   * collective operation} To be asked for once for each operation.
   */
  Found of(StreamQueue queue, Work work) {
    return isModelled(queue)
        ? Places.found()
        : known(queue).of(operation(work.kind(), work.name(), work.bytes()));
  }

  /** {@return the frames of the program that await an operation of a stream} */
  Found awaiting(StreamQueue queue) {
    return isModelled(queue) ? Places.foundFrames() : known(queue).awaiting();
  }

  private static boolean isModelled(StreamQueue queue) {
    return queue.device().driver().clock().isModelled();
  }

  private KnownPlaces known(StreamQueue queue) {
    synchronized (streams) {
      return streams.computeIfAbsent(queue, _ -> first.ofAnotherStream());
    }
  }

  private static long operation(WorkKind kind, String name, long bytes) {
    int named = kind == WorkKind.GRAPH ? 0 : name.hashCode(); // a graph is asked for without one
    return (bytes * 31 + named) * 31 + kind.ordinal();
  }
}
