package dev.stretto.timeline;

import dev.stretto.Observer.Kind;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How much of a timeline's copying was hidden by other work; {@link Concurrency} says what ran
 * beside what. Times are in seconds by the device's clock. Operations of one kind that run at the
 * same time count once; what threads of the host read and write does not count.
 *
 * @param seconds from the first beginning to the last end
 * @param copySeconds during which a copy ran: to the device, to the host, within the device, or
 *     between devices
 * @param kernelSeconds during which a kernel ran, or a graph whose nodes are not known
 * @param togetherSeconds during which a copy and a kernel ran at the same time, or copies to the
 *     device and to the host
 */
public record Overlap(
    double seconds, double copySeconds, double kernelSeconds, double togetherSeconds) {

  /**
   * {@return the fraction of the copying time during which something else ran too; 0 without
   * copies}
   */
  public double ratio() {
    return copySeconds == 0 ? 0 : togetherSeconds / copySeconds;
  }

  private record Edge(long nanos, Kind kind, int change) {}

  /**
   * {@return the overlap of these spans}
   *
   * @param spans of one timeline, in any order
   */
  public static Overlap of(List<Span> spans) {
    Span.requireEach(spans);
    List<Span> ofDevice = Span.onEngines(spans).stream().filter(span -> !span.isOfHost()).toList();
    Edge[] edges = new Edge[2 * ofDevice.size()];
    int count = 0;
    for (Span span : ofDevice) {
      edges[count++] = new Edge(span.startNanos(), span.kind(), 1);
      edges[count++] = new Edge(span.endNanos(), span.kind(), -1);
    }
    Arrays.sort(edges, Comparator.comparingLong(Edge::nanos));
    Map<Kind, Integer> running = new EnumMap<>(Kind.class);
    long copy = 0;
    long kernel = 0;
    long together = 0;
    long before = count == 0 ? 0 : edges[0].nanos;
    for (Edge edge : edges) {
      long nanos = edge.nanos - before;
      boolean toDevice = running.getOrDefault(Kind.HOST_TO_DEVICE, 0) > 0;
      boolean toHost = running.getOrDefault(Kind.DEVICE_TO_HOST, 0) > 0;
      boolean copies =
          toDevice
              || toHost
              || running.getOrDefault(Kind.DEVICE_TO_DEVICE, 0) > 0
              || running.getOrDefault(Kind.PEER, 0) > 0;
      boolean kernels =
          running.getOrDefault(Kind.KERNEL, 0) > 0 || running.getOrDefault(Kind.GRAPH, 0) > 0;
      copy += copies ? nanos : 0;
      kernel += kernels ? nanos : 0;
      together += (copies && kernels) || (toDevice && toHost) ? nanos : 0;
      running.merge(edge.kind, edge.change, Integer::sum);
      before = edge.nanos;
    }
    long all = count == 0 ? 0 : edges[count - 1].nanos - edges[0].nanos;
    return new Overlap(all / 1e9, copy / 1e9, kernel / 1e9, together / 1e9);
  }
}
