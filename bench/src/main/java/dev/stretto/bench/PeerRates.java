package dev.stretto.bench;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Route;
import dev.stretto.Stream;
import java.util.List;

/** Large copies between two devices, with access and without. */
final class PeerRates {
  private PeerRates() {}

  /** The sender's stream writes. */
  static void peerOne(PeerBench bench) {
    oneWayWithAccess(bench, "peer-one", 0);
  }

  /** The receiver's stream reads. */
  static void peerRead(PeerBench bench) {
    oneWayWithAccess(bench, "peer-read", 1);
  }

  private static void oneWayWithAccess(PeerBench bench, String name, int streamOf) {
    try (PeerBench.Access _ = bench.access(2);
        Transfer there = transfer(bench, 0, 1, 1, Route.Kind.PEER);
        Stream stream = bench.device(streamOf).stream()) {
      double nanos =
          bench.verified(
              List.of(there.destination()),
              () -> Gate.nanos(new Gate.Job(stream, () -> there.enqueue(stream))));
      report(bench, name, there.bytes(), nanos);
    }
  }

  static void peerBoth(PeerBench bench) {
    try (PeerBench.Access _ = bench.access(2);
        Transfer there = transfer(bench, 0, 1, 2, Route.Kind.PEER);
        Transfer back = transfer(bench, 1, 0, 3, Route.Kind.PEER);
        Stream stream0 = bench.device(0).stream();
        Stream stream1 = bench.device(1).stream()) {
      double nanos =
          bench.verified(
              List.of(there.destination(), back.destination()),
              () ->
                  Gate.nanos(
                      new Gate.Job(stream0, () -> there.enqueue(stream0)),
                      new Gate.Job(stream1, () -> back.enqueue(stream1))));
      report(bench, "peer-both", there.bytes() + back.bytes(), nanos);
    }
  }

  /** Stretto's own staging. */
  static void offOne(PeerBench bench) {
    try (Transfer there = transfer(bench, 0, 1, 4, Route.Kind.PEER_STAGED);
        Stream stream = bench.device(0).stream()) {
      double nanos =
          bench.verifiedByHost(
              List.of(there.destination()), () -> there.await(there.enqueue(stream)));
      report(bench, "off-one", there.bytes(), nanos);
    }
  }

  /** One thread enqueues both: neither call waits. */
  static void offBoth(PeerBench bench) {
    try (Transfer there = transfer(bench, 0, 1, 5, Route.Kind.PEER_STAGED);
        Transfer back = transfer(bench, 1, 0, 6, Route.Kind.PEER_STAGED);
        Stream stream0 = bench.device(0).stream();
        Stream stream1 = bench.device(1).stream()) {
      double nanos =
          bench.verifiedByHost(
              List.of(there.destination(), back.destination()),
              () -> {
                Copy first = there.enqueue(stream0);
                Copy second = back.enqueue(stream1);
                there.await(first);
                back.await(second);
              });
      report(bench, "off-both", there.bytes() + back.bytes(), nanos);
    }
  }

  private static Transfer transfer(PeerBench bench, int from, int to, long seed, Route.Kind way) {
    Device sender = bench.device(from);
    return new Transfer(sender, bench.device(to), bench.size().bytes(), seed, way);
  }

  private static void report(PeerBench bench, String name, long bytes, double nanos) {
    bench.report().rate(name, bytes, bytes / nanos);
  }
}
