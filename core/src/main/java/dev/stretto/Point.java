package dev.stretto;

import dev.stretto.fault.DeviceLostException;
import dev.stretto.route.StreamQueue;
import dev.stretto.route.Transfer;
import dev.stretto.route.Watch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How a point of a stream, with the copies that have to arrive in host memory by then, is asked about and awaited. */
final class Point {
  private Point() {}

  static boolean isDone(StreamQueue queue, long sequence, List<Transfer> settling) {
    queue.engine().watch().nudge();
    for (int i = 0; i < settling.size(); i++) {
      if (!settling.get(i).isSettled()) {
        return false;
      }
    }
    return queue.isDone(sequence);
  }

  static boolean await(
      StreamQueue queue, long sequence, List<Transfer> settling, long deadline) {
    if (!queue.isDone(sequence) || !settling.stream().allMatch(Transfer::isSettled)) {
      Watch.Arrangement arrangement = bell -> whenDone(queue, sequence, settling, bell);
      if (!queue.engine().watch().await(arrangement, deadline)) {
        return false;
      }
    } else {
      queue.engine().watch().checkInterrupt();
    }
    requireReached(queue, sequence);
    var clock = queue.engine().driver().clock();
    if (clock.isModelled()) {
      clock.atLeast(queue.doneNanos(sequence));
      settling.forEach(transfer -> clock.atLeast(transfer.settledNanos()));
    }
    return true;
  }

  private static void requireReached(StreamQueue queue, long sequence) {
    if (!queue.isKnownDone(sequence)) {
      queue.engine().requireNotLost();
    }
  }

  private static void whenDone(
      StreamQueue queue, long sequence, List<Transfer> settling, Runnable action) {
    AtomicInteger remaining = new AtomicInteger(settling.size() + 1);
    Runnable one =
        () -> {
          if (remaining.decrementAndGet() == 0) {
            action.run();
          }
        };
    settling.forEach(transfer -> transfer.whenSettled(one));
    queue.whenDone(sequence, one);
  }

  static CompletableFuture<Void> future(
      StreamQueue queue,
      long sequence,
      List<Transfer> settling,
      Supplier<@Nullable RuntimeException> failure) {
    CompletableFuture<Void> future = new CompletableFuture<>();
    whenDone(
        queue,
        sequence,
        settling,
        // Not on the thread that watches: what depends on the future may block.
        () -> future.defaultExecutor().execute(() -> complete(future, queue, sequence, failure)));
    return future;
  }

  private static void complete(
      CompletableFuture<Void> future,
      StreamQueue queue,
      long sequence,
      Supplier<@Nullable RuntimeException> failure) {
    RuntimeException cause = failure.get();
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
  }

  static long deadline(Duration atMost) {
    long now = System.nanoTime();
    long nanos;
    try {
      nanos = atMost.toNanos();
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE; // some three centuries
    }
    return now + nanos < now && nanos > 0 ? Long.MAX_VALUE : now + nanos;
  }
}
