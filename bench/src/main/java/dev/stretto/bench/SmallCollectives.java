package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.Route;
import dev.stretto.Stream;
import dev.stretto.collective.Collective;
import dev.stretto.memory.GlobalArray;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Small collectives beside the plain copy of as many bytes from one device to another: enqueued to
 * awaited, in turn.
 */
final class SmallCollectives {
  private static final long LEAST_BYTES = 4 << 10;
  private static final long MOST_BYTES = 1 << 20;

  private final PeerBench bench;

  private SmallCollectives(PeerBench bench) {
    this.bench = bench;
  }

  static void run(PeerBench bench) {
    try (PeerBench.Access _ = bench.access(bench.devices().size());
        Collective collective = Collective.of(bench.devices())) {
      for (long bytes = LEAST_BYTES; bytes <= MOST_BYTES; bytes *= 4) {
        new SmallCollectives(bench).measure(collective, bytes);
      }
    }
  }

  private void measure(Collective collective, long bytes) {
    List<Device> devices = bench.devices();
    int count = devices.size();
    List<Words> copies = new ArrayList<>();
    List<GlobalArray> blocks = new ArrayList<>();
    try (Transfer there =
            new Transfer(bench.device(0), bench.device(1), bytes, 10, Route.Kind.PEER);
        Stream stream = bench.device(0).stream()) {
      for (Device device : devices) {
        copies.add(new Words(device, bytes, 12));
        blocks.add(device.allocateBytes(count * bytes));
      }
      copies.getFirst().fill();
      List<GlobalArray> arrays = new ArrayList<>();
      copies.forEach(copy -> arrays.add(copy.array()));
      List<GlobalArray> received = new ArrayList<>();
      for (Device device : devices) {
        received.add(device.allocateBytes(count * bytes));
      }
      Map<String, Runnable> ways = new LinkedHashMap<>();
      ways.put("copy", () -> there.await(there.enqueue(stream)));
      ways.put("broadcast", () -> collective.broadcast(arrays.getFirst(), others(arrays)).await());
      ways.put("allToAll", () -> collective.allToAll(blocks, received).await());
      Map<String, Double> figures = medians(ways);
      copies.subList(1, count).forEach(Words::compare);
      there.destination().compare();
      bench
          .report()
          .note(
              String.format(
                  Locale.ROOT,
                  "{\"bench\":\"small-collectives\",\"devices\":%d,\"bytes\":%d,"
                      + "\"copyMicroseconds\":%.2f,\"broadcastMicroseconds\":%.2f,"
                      + "\"allToAllMicroseconds\":%.2f}",
                  count,
                  bytes,
                  figures.get("copy"),
                  figures.get("broadcast"),
                  figures.get("allToAll")));
      received.forEach(GlobalArray::close);
    } finally {
      copies.forEach(Words::close);
      blocks.forEach(GlobalArray::close);
    }
  }

  private static List<GlobalArray> others(List<GlobalArray> arrays) {
    return Collections.unmodifiableList(arrays.subList(1, arrays.size()));
  }

  /** The median time of each way, which take turns. */
  private Map<String, Double> medians(Map<String, Runnable> ways) {
    int samples = bench.size().latencySamples();
    List<Runnable> jobs = List.copyOf(ways.values());
    double[][] nanos = new double[jobs.size()][samples];
    for (int i = -bench.size().latencyWarmUps(); i < samples; i++) {
      for (int job = 0; job < nanos.length; job++) {
        long begin = bench.now();
        jobs.get(job).run();
        if (i >= 0) {
          nanos[job][i] = bench.now() - begin;
        }
      }
    }
    Map<String, Double> medians = new LinkedHashMap<>();
    int job = 0;
    for (String way : ways.keySet()) {
      Arrays.sort(nanos[job]);
      medians.put(way, nanos[job++][samples / 2] * 1e-3);
    }
    return medians;
  }
}
