package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.PeerAccess;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The devices of a benchmark between devices, and the way it takes samples. */
final class PeerBench {
  private final List<Device> devices;
  private final PeerSize size;
  private final Report report;

  PeerBench(List<Device> devices, PeerSize size, Report report) {
    this.devices = devices;
    this.size = size;
    this.report = report;
  }

  List<Device> devices() {
    return devices;
  }

  Device device(int index) {
    return devices.get(index);
  }

  PeerSize size() {
    return size;
  }

  Report report() {
    return report;
  }

  /** The median nanoseconds of copies, all verified each time. */
  double verified(List<Words> destinations, Samples.Measurement nanos) {
    return Samples.median(
        size.samples(),
        () -> {
          destinations.forEach(Words::poison);
          double once = nanos.once();
          destinations.forEach(Words::compare);
          return once;
        });
  }

  /**
   * The same for copies that the host's clock measures, from the first call to the end of the last
   * await. The Stretto code that they run has been compiled by then.
   */
  double verifiedByHost(List<Words> destinations, Runnable copies) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < size.warmUpNanos()) {
      copies.run();
    }
    return verified(
        destinations,
        () -> {
          long begin = now();
          copies.run();
          return now() - begin;
        });
  }

  /** The host's clock, or the modelled host's. */
  long now() {
    Device first = devices.getFirst();
    return Gate.isModelled(first) ? first.hostClock().now() : System.nanoTime();
  }

  /** Access among the first devices, from each to each other one, until it is closed. */
  Access access(int count) {
    Access access = new Access();
    try {
      for (Device from : devices.subList(0, count)) {
        for (Device to : devices.subList(0, count)) {
          if (from != to) {
            access.all.push(from.enablePeerAccess(to));
          }
        }
      }
      return access;
    } catch (RuntimeException e) {
      access.close();
      throw e;
    }
  }

  /** Access among several devices. */
  static final class Access implements AutoCloseable {
    private final Deque<PeerAccess> all = new ArrayDeque<>();

    private Access() {}

    @Override
    public void close() {
      all.forEach(PeerAccess::close);
    }
  }
}
