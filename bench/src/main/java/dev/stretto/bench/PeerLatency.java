package dev.stretto.bench;

import dev.stretto.Copy;
import dev.stretto.Route;
import dev.stretto.Stream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** A small copy from one device to another: how long until its caller knows that it is done. */
final class PeerLatency {
  private final PeerBench bench;
  private final Transfer there;

  private PeerLatency(PeerBench bench, Transfer there) {
    this.bench = bench;
    this.there = there;
  }

  static void withAccess(PeerBench bench) {
    try (PeerBench.Access _ = bench.access(2)) {
      measure(bench, "latency-on", Route.Kind.PEER);
    }
  }

  static void withoutAccess(PeerBench bench) {
    measure(bench, "latency-off", Route.Kind.PEER_STAGED);
  }

  private static void measure(PeerBench bench, String name, Route.Kind way) {
    long bytes = bench.size().smallBytes();
    try (Transfer there = new Transfer(bench.device(0), bench.device(1), bytes, 10, way);
        Stream source = bench.device(0).stream();
        Stream destination = bench.device(1).stream()) {
      Map<String, Runnable> ways = new LinkedHashMap<>();
      ways.put("source-stream", () -> there.await(there.enqueue(source)));
      ways.put("destination-stream", () -> there.await(there.enqueue(destination)));
      ways.put("source-stream-polled", () -> poll(there.enqueue(source)));
      ways.put("destination-stream-polled", () -> poll(there.enqueue(destination)));
      PeerLatency latency = new PeerLatency(bench, there);
      Map<String, Double> figures = new LinkedHashMap<>();
      ways.forEach((which, operation) -> figures.put(which, latency.microseconds(operation)));
      bench.report().leastMicroseconds(name, bytes, figures);
    }
  }

  private static void poll(Copy copy) {
    while (!copy.isDone()) {
      Thread.onSpinWait();
    }
  }

  /** The median time of an operation that ends with the copy. */
  private double microseconds(Runnable operation) {
    verify(operation);
    double[] figures = new double[bench.size().latencySamples()];
    for (int i = -bench.size().latencyWarmUps(); i < figures.length; i++) {
      long begin = bench.now();
      operation.run();
      long nanos = bench.now() - begin;
      if (i >= 0) {
        figures[i] = nanos * 1e-3;
      }
    }
    verify(operation);
    Arrays.sort(figures);
    return figures[figures.length / 2];
  }

  private void verify(Runnable operation) {
    there.destination().poison();
    operation.run();
    there.destination().compare();
  }
}
