package dev.stretto.bench;

import dev.stretto.Launch;
import dev.stretto.Route;
import dev.stretto.Stream;
import java.util.List;

/**
 * Kernels on two devices at the same time as copies both ways between them: how much of the copying
 * they hide.
 */
final class PeerOverlap {
  private final PeerBench bench;
  private final Busy busy0;
  private final Busy busy1;
  private final int steps;
  private final int[] results;

  private PeerOverlap(PeerBench bench, Busy busy0, Busy busy1) {
    this.bench = bench;
    this.busy0 = busy0;
    this.busy1 = busy1;
    this.steps = steps();
    this.results = Busy.results(steps);
  }

  static void run(PeerBench bench) {
    int blocks = bench.size().busyBlocks();
    try (PeerBench.Access _ = bench.access(2);
        Busy busy0 = new Busy(bench.device(0), blocks);
        Busy busy1 = new Busy(bench.device(1), blocks)) {
      new PeerOverlap(bench, busy0, busy1).run();
    }
  }

  private void run() {
    long bytes = bench.size().bytes();
    try (Transfer there =
            new Transfer(bench.device(0), bench.device(1), bytes, 12, Route.Kind.PEER);
        Transfer back = new Transfer(bench.device(1), bench.device(0), bytes, 13, Route.Kind.PEER);
        Stream kernels0 = bench.device(0).stream();
        Stream kernels1 = bench.device(1).stream();
        Stream copies0 = bench.device(0).stream();
        Stream copies1 = bench.device(1).stream()) {
      Launch launch0 = busy0.prepare(steps);
      Launch launch1 = busy1.prepare(steps);
      Gate.Job kernel0 = new Gate.Job(kernels0, () -> kernels0.launch(launch0));
      Gate.Job kernel1 = new Gate.Job(kernels1, () -> kernels1.launch(launch1));
      Gate.Job copy0 = new Gate.Job(copies0, () -> there.enqueue(copies0));
      Gate.Job copy1 = new Gate.Job(copies1, () -> back.enqueue(copies1));

      List<Words> destinations = List.of(there.destination(), back.destination());
      double kernels = Samples.median(bench.size().samples(), () -> compute(kernel0, kernel1));
      double copies = bench.verified(destinations, () -> Gate.nanos(copy0, copy1));
      double together = bench.verified(destinations, () -> compute(kernel0, kernel1, copy0, copy1));
      bench.report().overlap("overlap", there.bytes() + back.bytes(), kernels, copies, together);
    }
  }

  /** The nanoseconds of jobs that include both kernels. */
  private double compute(Gate.Job... jobs) {
    busy0.poison();
    busy1.poison();
    double nanos = Gate.nanos(jobs);
    busy0.compare(results);
    busy1.compare(results);
    return nanos;
  }

  /** How many steps keep the first device busy for the intended time. */
  private int steps() {
    int trial = bench.size().busySteps();
    if (bench.size().busyNanos() == 0) {
      return trial;
    }
    try (Stream stream = busy0.device().stream()) {
      Launch launch = busy0.prepare(trial);
      Gate.Job job = new Gate.Job(stream, () -> stream.launch(launch));
      double nanos = Samples.median(bench.size().samples(), () -> Gate.nanos(job));
      return (int) (trial * bench.size().busyNanos() / nanos);
    }
  }
}
