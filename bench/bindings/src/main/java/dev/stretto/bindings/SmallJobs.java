package dev.stretto.bindings;

import java.util.Arrays;

/** Jobs whose figure is the cost of a call, or the time until something small is done. */
final class SmallJobs {
  /** So many fit into the driver's queue. */
  private static final int BATCH = 500;

  private static final int BATCHES = 20; // for each round
  private static final int WARM_UPS = 100;
  private static final int SAMPLES = 500;

  private final Library library;
  private final Lines lines;
  private final int rounds;

  SmallJobs(Library library, Lines lines, int rounds) {
    this.library = library;
    this.lines = lines;
    this.rounds = rounds;
  }

  void copies() {
    long[] pinned = Words.pattern(Submission.WORDS, 1);
    long[] heap = Words.pattern(Submission.WORDS, 2);
    for (Way<Submission> way : library.submissions()) {
      Submission work = way.work();
      work.fill(pinned);
      cost("copy-4k", way, work::copy);
      requireCopied(work, pinned);
      latency("copy-4k-awaited", way, () -> work.copyArray(heap));
      requireCopied(work, heap);
    }
  }

  private static void requireCopied(Submission work, long[] expected) {
    long[] actual = new long[expected.length];
    work.copyBack(actual);
    Words.requireSame(expected, actual);
  }

  void submissions() {
    for (Way<Submission> way : library.submissions()) {
      cost("launch", way, way.work()::launch);
      cost("record-wait", way, way.work()::recordAndWait);
    }
  }

  private void cost(String bench, Way<Submission> way, Runnable operation) {
    for (int i = 0; i < WARM_UPS * rounds; i++) {
      batch(way.work(), operation);
    }
    double[] nanos = new double[BATCHES * rounds];
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] = batch(way.work(), operation);
    }
    lines.cost(bench, way, median(nanos));
  }

  /** {@return the nanoseconds that an operation takes until the next can begin} */
  private static double batch(Submission work, Runnable operation) {
    long begin = System.nanoTime();
    for (int i = 0; i < BATCH; i++) {
      operation.run();
    }
    long end = System.nanoTime();
    work.await();
    return (end - begin) / (double) BATCH;
  }

  private void latency(String bench, Way<Submission> way, Runnable operation) {
    double[] micros = new double[SAMPLES * rounds];
    for (int i = -4 * micros.length; i < micros.length; i++) {
      long begin = System.nanoTime();
      operation.run();
      long end = System.nanoTime();
      micros[Math.max(i, 0)] = (end - begin) * 1e-3;
    }
    lines.latency(bench, way, median(micros));
  }

  private static double median(double[] figures) {
    Arrays.sort(figures);
    return figures[figures.length / 2];
  }
}
