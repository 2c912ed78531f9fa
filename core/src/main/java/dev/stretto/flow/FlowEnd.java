package dev.stretto.flow;

import dev.stretto.Copy;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ends a flow, on a thread of its own: if something has failed, stops what still runs; then
 * releases everything, and closes the source and the sink. The program's code may wait forever in
 * any of those; once the flow has failed, it is waited for only up to a limit.
 */
final class FlowEnd {
  /** How long the program's code has to return after it was asked to stop. */
  static final int GRACE_MILLIS = 200;

  /** How long it has after that, while it is interrupted now and then. */
  static final int PATIENCE_SECONDS = 5;

  private static final long BETWEEN_INTERRUPTS_NANOS = 100_000_000;

  private final Steps steps;
  private final List<Lane> lanes;
  private final Source source;
  private final Sink sink;
  private final Consumer<@Nullable Throwable> finish;
  private final Set<Slot> kept = new HashSet<>();

  /**
   * @param finish receives the failure, or null
   */
  FlowEnd(
      Steps steps,
      List<Lane> lanes,
      Source source,
      Sink sink,
      Consumer<@Nullable Throwable> finish) {
    this.steps = steps;
    this.lanes = lanes;
    this.source = source;
    this.sink = sink;
    this.finish = finish;
  }

  void bring() {
    Throwable failed = steps.failure();
    if (failed != null) {
      stop(failed);
    }
    Throwable trouble = closeLanes(failed);
    AtomicReference<@Nullable Throwable> closing = new AtomicReference<>();
    Runnable close =
        () -> closing.set(Flow.closeQuietly(source, Flow.closeQuietly(sink, closing.get())));
    if (source instanceof SegmentSource && sink instanceof SegmentSink) {
      close.run(); // returns at once
    } else {
      steps.beside(close);
    }
    steps.awaitOverOrFailure(failed);
    Throwable failedMeanwhile = failed == null ? steps.failure() : null;
    if (failed != null) {
      awaitOver(failed, TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS));
    } else if (failedMeanwhile != null) {
      stop(failedMeanwhile);
    }
    Throwable first = failed == null ? steps.end() : failed;
    finish.accept(together(together(first, trouble), closing.get()));
  }

  private @Nullable Throwable closeLanes(@Nullable Throwable cause) {
    Throwable trouble = cause;
    for (Lane lane : lanes) {
      trouble = lane.close(trouble, kept);
    }
    return trouble;
  }

  private static @Nullable Throwable together(
      @Nullable Throwable first, @Nullable Throwable second) {
    if (first == null || second == null) {
      return first == null ? second : first;
    }
    suppress(second, first);
    return first;
  }

  /** Stops what still runs, including the device's copies into the sink. */
  private void stop(Throwable cause) {
    steps.beside(() -> stop(source::stop, cause));
    steps.beside(() -> stop(sink::stop, cause));
    awaitOver(cause, TimeUnit.MILLISECONDS.toNanos(GRACE_MILLIS));
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    for (Lane lane : lanes) {
      for (Slot slot : lane.slots()) {
        awaitArrival(slot.copyOut, deadline, cause);
      }
    }
  }

  private static void stop(Runnable stop, Throwable cause) {
    try {
      stop.run();
    } catch (Throwable e) {
      suppress(e, cause);
    }
  }

  /** Copies of the device into the sink's own memory must not arrive after the end. */
  private static void awaitArrival(@Nullable Copy copy, long deadline, Throwable cause) {
    if (copy == null) {
      return;
    }
    try {
      if (!copy.await(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())))) {
        suppress(
            new FlowException(
                "a chunk is still in flight on "
                    + copy.stream().device().name()
                    + ", and will be written into the sink's memory although "
                    + "the flow has ended: keep that memory open"),
            cause);
      }
    } catch (RuntimeException e) {
      suppress(e, cause); // the device is lost, or the copy has failed: it brings nothing
    }
  }

  @SuppressWarnings("ReferenceEquality") // the same exception
  private static void suppress(Throwable more, Throwable cause) {
    if (more != cause) {
      cause.addSuppressed(more);
    }
  }

  private void awaitOver(Throwable cause, long graceNanos) {
    if (steps.awaitOver(graceNanos)) {
      return;
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    do {
      steps.interrupt();
      if (steps.awaitOver(BETWEEN_INTERRUPTS_NANOS)) {
        return;
      }
    } while (System.nanoTime() - deadline < 0);
    List<Steps.Running> left = steps.leaveBehind();
    for (Steps.Running call : left) {
      Slot slot = call.slot;
      if (slot != null) {
        kept.add(slot);
      }
      cause.addSuppressed(
          new FlowException(
              "a source, a sink or a stage has not returned %d s after it was stopped and"
                      .formatted(PATIENCE_SECONDS)
                  + " interrupted: the flow has ended without it, and "
                  + call.thread
                  + " is abandoned"));
    }
  }
}
