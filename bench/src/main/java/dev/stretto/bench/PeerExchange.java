package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Route;
import dev.stretto.Stream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Copies among all devices at once. */
final class PeerExchange implements AutoCloseable {
  private final PeerBench bench;
  private final int count;
  private final PeerBench.Access access;
  private final List<Stream> streams = new ArrayList<>();
  private final List<Words> destinations = new ArrayList<>();
  private final Deque<Runnable> memory = new ArrayDeque<>();

  private PeerExchange(PeerBench bench) {
    this.bench = bench;
    this.count = bench.devices().size();
    this.access = bench.access(count);
  }

  static void allToAll(PeerBench bench) {
    try (PeerExchange exchange = new PeerExchange(bench)) {
      exchange.allToAll();
    }
  }

  static void chainBroadcast(PeerBench bench) {
    try (PeerExchange exchange = new PeerExchange(bench)) {
      exchange.chainBroadcast();
    }
  }

  /** From each device to each other one. */
  private void allToAll() {
    List<Transfer> transfers = new ArrayList<>();
    // By distance, so that the copies enqueued first use different devices.
    for (int distance = 1; distance < count; distance++) {
      for (int from = 0; from < count; from++) {
        Device sender = bench.device(from);
        Transfer transfer =
            new Transfer(
                sender,
                bench.device((from + distance) % count),
                bench.size().exchangeBytes(),
                100 + transfers.size(),
                Route.Kind.PEER);
        memory.push(transfer::close);
        transfers.add(transfer);
        destinations.add(transfer.destination());
        streams.add(sender.stream());
      }
    }
    double nanos =
        bench.verifiedByHost(
            destinations,
            () -> {
              for (int i = 0; i < transfers.size(); i++) {
                transfers.get(i).enqueue(streams.get(i));
              }
              streams.forEach(Stream::await);
            });
    long bytes = transfers.size() * bench.size().exchangeBytes();
    bench.report().groupRate("all-to-all", count, bytes, bytes / nanos);
  }

  /** From each device to the next one, each chunk as soon as it has arrived. */
  private void chainBroadcast() {
    long bytes = broadcastBytes();
    List<Words> copies = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Words copy = new Words(bench.device(i), bytes, 11);
      memory.push(copy::close);
      copies.add(copy);
      if (i + 1 < count) {
        streams.add(bench.device(i).stream());
      }
    }
    copies.getFirst().fill();
    destinations.addAll(copies.subList(1, count));
    double nanos = bench.verifiedByHost(destinations, () -> broadcast(copies, bytes));
    bench
        .report()
        .chunkedGroupRate(
            "chain-broadcast", count, bytes, bench.size().chunkBytes(), bytes / nanos);
  }

  private void broadcast(List<Words> copies, long bytes) {
    long chunk = bench.size().chunkBytes();
    for (long offset = 0; offset < bytes; offset += chunk) {
      Event arrived = null;
      for (int i = 0; i < streams.size(); i++) {
        Stream link = streams.get(i);
        if (arrived != null) {
          link.waitFor(arrived);
        }
        Transfer.requireWay(
            link.copy(copies.get(i).part(offset, chunk), copies.get(i + 1).part(offset, chunk)),
            Route.Kind.PEER);
        arrived = link.record();
      }
    }
    streams.forEach(Stream::await);
  }

  /** The size of the broadcast, halved until every device has room for it. */
  private long broadcastBytes() {
    long bytes = bench.size().broadcastBytes();
    for (Device device : bench.devices()) {
      long free = device.freeBytes();
      while (bytes > bench.size().chunkBytes() && bytes > free / 10 * 9) {
        bytes /= 2;
      }
    }
    return bytes;
  }

  @Override
  public void close() {
    streams.forEach(Stream::close);
    memory.forEach(Runnable::run);
    access.close();
  }
}
