package dev.stretto;

import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.RaceException;
import dev.stretto.route.CompletionPoller;
import dev.stretto.route.Deadline;
import dev.stretto.route.Loss;
import dev.stretto.route.OwnTurn;
import dev.stretto.route.Preload;
import dev.stretto.route.StreamQueue;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Queries and awaits a point of a stream. The point is reached when everything that was enqueued
 * before it is done, and the staged copies among that have arrived in host memory.
 */
final class Point {
  /** Stands for all operations that a stream holds. */
  private static final long ALL = -1;

  private Point() {}

  /** Loads in advance the classes that the first wait needs. */
  static void load() {
    Preload.load(MethodHandles.lookup(), Awaited.class, Forgetting.class, OwnTurn.class);
  }

  private record Awaited(StreamQueue queue, long sequence, @Nullable OwnTurn turn)
      implements CompletionPoller.Arrangement {
    @Override
    public Runnable ringWhenDone(Runnable bell) {
      Runnable forget = new Forgetting(queue, queue.whenReached(sequence, bell));
      OwnTurn.isArranged(turn);
      return forget;
    }
  }

  private record Forgetting(StreamQueue queue, Runnable reached) implements Runnable {
    @Override
    public void run() {
      queue.forget(reached);
    }
  }

  static boolean isDone(StreamQueue queue, long sequence) {
    boolean done = hasHappened(queue, sequence);
    if (done) {
      queue.heard(sequence);
      queue.askProcesses(sequence);
      queue.learned(sequence);
    }
    return done;
  }

  /** {@return the same for those who only observe: the program does not learn of it} */
  static boolean hasHappened(StreamQueue queue, long sequence) {
    Capture.requireEnqueued(sequence);
    CompletionPoller watch = queue.watch();
    return watch.isStepped()
        ? watch.ask(queue, sequence, () -> queue.isReached(sequence))
        : queue.isReached(sequence);
  }

  /** {@return whether all operations that a stream holds are done} */
  static boolean isAllDone(StreamQueue queue) {
    CompletionPoller watch = queue.watch();
    long last = queue.lastIssued();
    boolean done =
        watch.isStepped() ? watch.ask(queue, ALL, queue::isAllReached) : queue.isAllReached();
    if (done) {
      queue.heard(last);
      queue.askProcesses(last);
      queue.learned(last);
    }
    return done;
  }

  static boolean await(StreamQueue queue, long sequence, long deadline) {
    Capture.requireEnqueued(sequence);
    queue.heard(sequence); // reported now: if the wait fails, the program learns that too
    CompletionPoller watch = queue.watch();
    watch.checkInterrupt();
    if (queue.isReached(sequence)) {
      requireReached(queue, sequence);
      watch.foundReached();
    } else {
      if (deadline != Long.MAX_VALUE && deadline <= System.nanoTime()) {
        watch.advance(deadline); // a wait of no length is still a wait, not a query
        if (!queue.isReached(sequence)) {
          return false;
        }
        requireReached(queue, sequence);
      } else if (!waitFor(queue, sequence, deadline)) {
        return false;
      }
    }
    queue.askProcesses(sequence);
    queue.learned(sequence);
    var clock = queue.device().driver().clock();
    if (clock.isModelled()) {
      clock.atLeast(queue.doneNanos(sequence));
    }
    return true;
  }

  private static boolean waitFor(StreamQueue queue, long sequence, long deadline) {
    CompletionPoller watch = queue.watch();
    Loss loss = queue.device().loss();
    OwnTurn turn = OwnTurn.waits(queue, sequence, deadline != Long.MAX_VALUE);
    loss.waits();
    try {
      boolean done =
          watch.poll(queue, sequence, deadline)
              || watch.await(new Awaited(queue, sequence, turn), deadline);
      if (done) {
        requireReached(queue, sequence);
      }
      return done;
    } finally {
      loss.waited();
      OwnTurn.waited(turn);
    }
  }

  private static void requireReached(StreamQueue queue, long sequence) {
    if (queue.device().isLost() && !queue.isKnownReached(sequence)) {
      queue.device().requireNotLost();
    }
  }

  static CompletableFuture<Void> future(
      StreamQueue queue, long sequence, Supplier<@Nullable RuntimeException> failure) {
    Capture.requireEnqueued(sequence);
    CompletionPoller watch = queue.watch();
    CompletableFuture<Void> future = watch.future(queue, sequence);
    queue.heard(sequence);
    queue.device().loss().waits();
    queue.whenReached(
        sequence, () -> watch.complete(future, () -> complete(future, queue, sequence, failure)));
    return future;
  }

  private static void complete(
      CompletableFuture<Void> future,
      StreamQueue queue,
      long sequence,
      Supplier<@Nullable RuntimeException> failure) {
    try {
      queue.askProcesses(sequence);
      RuntimeException cause = failure.get();
      try {
        queue.learned(sequence);
      } catch (RaceException e) {
        cause = cause == null ? e : cause;
      }
      try {
        requireReached(queue, sequence);
      } catch (DeviceLostException e) {
        cause = cause == null ? e : cause;
      }
      if (cause == null) {
        future.complete(null);
      } else {
        future.completeExceptionally(cause);
      }
    } finally {
      queue.device().loss().waited();
    }
  }

  static long deadline(Duration atMost) {
    return Deadline.in(atMost);
  }
}
