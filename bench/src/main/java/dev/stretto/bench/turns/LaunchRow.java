package dev.stretto.bench.turns;

import dev.stretto.Event;
import dev.stretto.Stream;

/**
 * Launches of a kernel that follow each other without a gap. The host stays ahead of the device,
 * but by fewer launches than the driver's queue holds (about 1,000).
 */
final class LaunchRow {
  /** {@code attention.py} has the same. */
  private static final int BATCH = 100;

  private final Stream stream;
  private final Runnable enqueuing;
  private Event batchBefore;
  private long hostNanos;

  LaunchRow(Stream stream, Runnable enqueuing) {
    this.stream = stream;
    this.enqueuing = enqueuing;
    this.batchBefore = stream.record();
  }

  /** Enqueues launches; waits meanwhile for all batches but the last two. */
  void enqueue(int count) {
    for (int first = 0; first < count; first += BATCH) {
      long begun = System.nanoTime();
      for (int i = first; i < Math.min(count, first + BATCH); i++) {
        enqueuing.run();
      }
      Event batch = stream.record();
      hostNanos += System.nanoTime() - begun;
      batchBefore.await();
      batchBefore = batch;
    }
  }

  /** {@return the time that the host needed so far, without waiting} */
  double hostNanos() {
    return hostNanos;
  }
}
