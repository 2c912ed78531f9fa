package dev.stretto.observe;

import dev.stretto.driver.HostClock;
import dev.stretto.jfr.FlightOperation;
import dev.stretto.route.Loss;
import dev.stretto.route.OpenStream;
import dev.stretto.route.TimedMark;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Operations of a device that will be written to the Flight Recorder once they are done. The log is
 * checked when another operation is enqueued, when a wait has ended, and when the device is closed.
 */
final class FlightLog {
  /** How many operations are checked when another one is enqueued: enough to catch up. */
  private static final int READS_PER_OPERATION = 3;

  /** The most operations that are kept; more are written without the device's times. */
  private static final int MOST_PENDING = 1 << 16;

  /** See {@code Timeline}: elapsed times are floats. */
  private static final double FAR_NANOS = 1e9;

  private record Pending(FlightOperation operation, TimedMark begin, TimedMark end) {
    void writeWithoutTimes() {
      operation.commitWithoutTimes();
      begin.close();
      end.close();
    }
  }

  private final Map<OpenStream, ArrayDeque<Pending>> streams = new LinkedHashMap<>();
  private int pending;
  private volatile boolean anyPending;
  private @Nullable TimedMark reference;
  private double referenceNanos;

  boolean isPending() {
    return anyPending;
  }

  void add(FlightOperation operation, TimedMark begin, TimedMark end, OpenStream stream) {
    Pending added = new Pending(operation, begin, end);
    keepingTime(
        stream.engine().driver().clock(),
        () -> {
          if (pending >= MOST_PENDING) {
            added.writeWithoutTimes();
            return;
          }
          ArrayDeque<Pending> queue = streams.computeIfAbsent(stream, _ -> new ArrayDeque<>());
          queue.add(added);
          pending++;
          anyPending = true;
          write(queue, READS_PER_OPERATION);
        });
  }

  void writeDone() {
    if (!anyPending) {
      return;
    }
    HostClock clock = clock();
    if (clock != null) {
      keepingTime(
          clock,
          () -> {
            for (Iterator<ArrayDeque<Pending>> i = streams.values().iterator(); i.hasNext(); ) {
              ArrayDeque<Pending> queue = i.next();
              write(queue, Integer.MAX_VALUE);
              if (queue.isEmpty()) {
                i.remove();
              }
            }
          });
    }
  }

  synchronized void writeAll() {
    writeDone();
    streams.values().forEach(queue -> queue.forEach(Pending::writeWithoutTimes));
    streams.clear();
    pending = 0;
    anyPending = false;
    if (reference != null) {
      reference.close();
      reference = null;
    }
  }

  private synchronized @Nullable HostClock clock() {
    return streams.isEmpty() ? null : streams.keySet().iterator().next().engine().driver().clock();
  }

  /**
   * Runs the body and restores the thread's modelled time, because querying an operation advances
   * it.
   */
  private synchronized void keepingTime(HostClock clock, Runnable body) {
    long now = clock.now();
    body.run();
    clock.set(now);
  }

  private void write(ArrayDeque<Pending> queue, int atMost) {
    for (int i = 0; i < atMost; i++) {
      Pending first = queue.peek();
      if (first == null) {
        return;
      }
      try {
        if (!first.end.stream().queue().isDone(first.end.sequence())) {
          return;
        }
        write(first);
      } catch (RuntimeException e) {
        Loss.kept(e);
        first.writeWithoutTimes(); // the device was lost, which awaiting the operation reports
      }
      queue.remove();
      pending--;
      anyPending = pending > 0;
    }
  }

  private void write(Pending done) {
    TimedMark from = reference == null ? done.begin : reference;
    double begin = referenceNanos + from.nanosTo(done.begin);
    double end = referenceNanos + from.nanosTo(done.end);
    done.operation.commit(Math.round(begin), Math.round(end));
    done.begin.close();
    if (reference != null && Math.abs(end - referenceNanos) < FAR_NANOS) {
      done.end.close();
      return;
    }
    if (reference != null) {
      reference.close();
    }
    reference = done.end;
    referenceNanos = end;
  }
}
