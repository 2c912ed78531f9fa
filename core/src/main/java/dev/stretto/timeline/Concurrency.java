package dev.stretto.timeline;

import dev.stretto.Observer.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What ran beside what in a timeline, and how long each engine was busy. Times are in seconds by
 * the clock of the timeline.
 *
 * <p>Copies to a device, copies to the host, copies between devices, kernels and so on are told
 * apart by their {@link Kind}. Kernels beside kernels, and other work beside work of its own kind,
 * count where at least two of them ran. The nodes of a graph count each for itself if they are
 * known; a graph whose nodes are not known counts as {@link Kind#GRAPH}. The reading and writing of
 * host threads counts, too. Streams' waits and the numbers that they write are no work, and do not.
 *
 * <p>In a timeline of several devices it does not matter on which of them the two ran; for what ran
 * on one device, give only its spans.
 *
 * @param seconds from the first beginning to the last end
 * @param pairs for each two kinds that both occur, and for each kind that occurs more than once
 *     with itself, how long both ran; in the order of the kinds
 * @param engines how busy each engine was that did anything, device by device
 */
public record Concurrency(double seconds, List<Pair> pairs, List<EngineUse> engines) {
  /**
   * Two kinds of work.
   *
   * @param first one of the two
   * @param second the other, or the same
   * @param seconds for how long both ran; for a kind with itself, at least two of it
   * @param share the fraction that this is of the time during which the kind ran that ran less; 0
   *     if that is none
   */
  public record Pair(Kind first, Kind second, double seconds, double share) {
    /** Refuses null. */
    public Pair {
      Objects.requireNonNull(first, "first");
      Objects.requireNonNull(second, "second");
    }
  }

  /**
   * How busy an engine was, between the first beginning and the last end of the whole timeline.
   *
   * @param device the number of its device in the timeline; negative for a device that was not
   *     recorded, but took part in copies of one that was
   * @param deviceName the name of its device
   * @param engine the engine
   * @param busySeconds for how long it did something
   * @param idleSeconds for how long it did not
   */
  public record EngineUse(
      int device, String deviceName, Engine engine, double busySeconds, double idleSeconds) {
    /** Refuses null. */
    public EngineUse {
      Objects.requireNonNull(deviceName, "deviceName");
      Objects.requireNonNull(engine, "engine");
    }
  }

  private record Edge(long nanos, Kind kind, int change) {}

  /** Keeps immutable copies of the lists. */
  public Concurrency {
    Objects.requireNonNull(pairs, "pairs");
    pairs.forEach(pair -> Objects.requireNonNull(pair, "an element of pairs"));
    pairs = List.copyOf(pairs);
    Objects.requireNonNull(engines, "engines");
    engines.forEach(use -> Objects.requireNonNull(use, "an element of engines"));
    engines = List.copyOf(engines);
  }

  /**
   * {@return what ran beside what}
   *
   * @param spans of one timeline, in any order
   */
  public static Concurrency of(List<Span> spans) {
    Span.requireEach(spans);
    List<Span> work =
        Span.onEngines(spans).stream().filter(span -> span.engine() != Engine.NONE).toList();
    long begin = work.stream().mapToLong(Span::startNanos).min().orElse(0);
    long end = work.stream().mapToLong(Span::endNanos).max().orElse(0);
    return new Concurrency((end - begin) / 1e9, pairs(work), engines(work, end - begin));
  }

  /**
   * {@return how long two kinds of work ran beside each other; 0 s if one of them does not occur}
   *
   * @param first one of the two
   * @param second the other, or the same
   */
  public Pair pair(Kind first, Kind second) {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(second, "second");
    for (Pair pair : pairs) {
      if ((pair.first == first && pair.second == second)
          || (pair.first == second && pair.second == first)) {
        return pair;
      }
    }
    return new Pair(first, second, 0, 0);
  }

  private static List<Pair> pairs(List<Span> work) {
    Kind[] kinds = Kind.values();
    long[][] together = new long[kinds.length][kinds.length];
    long[] alone = new long[kinds.length];
    int[] running = new int[kinds.length];
    int[] count = new int[kinds.length];
    work.forEach(span -> count[span.kind().ordinal()]++);
    long before = 0;
    for (Edge edge : edges(work)) {
      long nanos = edge.nanos - before;
      for (int i = 0; i < kinds.length; i++) {
        if (running[i] == 0) {
          continue;
        }
        alone[i] += nanos;
        together[i][i] += running[i] > 1 ? nanos : 0;
        for (int j = i + 1; j < kinds.length; j++) {
          together[i][j] += running[j] > 0 ? nanos : 0;
        }
      }
      running[edge.kind.ordinal()] += edge.change;
      before = edge.nanos;
    }
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < kinds.length; i++) {
      for (int j = i; j < kinds.length; j++) {
        if (i == j ? count[i] > 1 : count[i] > 0 && count[j] > 0) {
          long less = Math.min(alone[i], alone[j]);
          double share = less == 0 ? 0 : (double) together[i][j] / less;
          pairs.add(new Pair(kinds[i], kinds[j], together[i][j] / 1e9, share));
        }
      }
    }
    return pairs;
  }

  private static Edge[] edges(List<Span> work) {
    Edge[] edges = new Edge[2 * work.size()];
    int count = 0;
    for (Span span : work) {
      edges[count++] = new Edge(span.startNanos(), span.kind(), 1);
      edges[count++] = new Edge(span.endNanos(), span.kind(), -1);
    }
    Arrays.sort(edges, Comparator.comparingLong(Edge::nanos));
    return edges;
  }

  private static List<EngineUse> engines(List<Span> work, long whole) {
    List<EngineUse> engines = new ArrayList<>();
    for (DeviceGroup group : DeviceGroup.of(work)) {
      Map<Engine, List<Span>> byEngine = new EnumMap<>(Engine.class);
      for (Span span : group.spans()) {
        byEngine.computeIfAbsent(span.engine(), engine -> new ArrayList<>()).add(span);
      }
      byEngine.forEach(
          (engine, spans) -> {
            long busy = busy(spans);
            engines.add(
                new EngineUse(
                    group.number(), group.name(), engine, busy / 1e9, (whole - busy) / 1e9));
          });
    }
    return engines;
  }

  /** {@return for how long at least one of these ran} */
  private static long busy(List<Span> spans) {
    TreeMap<Long, Integer> changes = new TreeMap<>();
    for (Span span : spans) {
      changes.merge(span.startNanos(), 1, Integer::sum);
      changes.merge(span.endNanos(), -1, Integer::sum);
    }
    long busy = 0;
    long before = 0;
    int running = 0;
    for (Map.Entry<Long, Integer> change : changes.entrySet()) {
      busy += running > 0 ? change.getKey() - before : 0;
      running += change.getValue();
      before = change.getKey();
    }
    return busy;
  }

  /**
   * {@return a table in words: a line for each pair that ran together, then one for each engine} It
   * ends with a line feed, unless it is empty.
   */
  public String table() {
    StringBuilder table = new StringBuilder();
    for (Pair pair : pairs) {
      if (pair.seconds > 0) {
        table.append(
            String.format(
                Locale.ROOT,
                "%s beside %s: %.1f µs, %.0f %% of the shorter%n",
                words(pair.first),
                pair.first == pair.second ? "another" : words(pair.second),
                pair.seconds * 1e6,
                pair.share * 100));
      }
    }
    for (EngineUse use : engines) {
      String of = use.deviceName.isEmpty() ? "" : use.deviceName + " ";
      table.append(
          String.format(
              Locale.ROOT,
              "%s%s: %.1f µs busy, %.1f µs idle%n",
              of,
              use.engine.title(),
              use.busySeconds * 1e6,
              use.idleSeconds * 1e6));
    }
    return table.toString().replace(System.lineSeparator(), "\n");
  }

  private static String words(Kind kind) {
    return switch (kind) {
      case HOST_TO_DEVICE -> "copy in";
      case DEVICE_TO_HOST -> "copy out";
      case DEVICE_TO_DEVICE -> "copy on the device";
      case PEER -> "copy between devices";
      case FILL -> "fill";
      case KERNEL -> "kernel";
      case GRAPH -> "graph";
      case READ -> "reading";
      case WRITE -> "writing";
      case WRITE_VALUE, WAIT_VALUE, WAIT_EVENT -> "wait";
    };
  }
}
