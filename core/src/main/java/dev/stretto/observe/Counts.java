package dev.stretto.observe;

import dev.stretto.route.Way;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** What a device's metrics count, once they are asked for. Safe for any number of threads. */
public final class Counts {
  private final LongAdder[] copies = adders(Way.values().length);
  private final LongAdder[] bytes = adders(Way.values().length);
  private final LongAdder[] bytesOfKind = adders(WorkKind.values().length);
  private final LongAdder waits = new LongAdder();
  private final LongAdder waitNanos = new LongAdder();

  Counts() {}

  private static LongAdder[] adders(int count) {
    return Stream.generate(LongAdder::new).limit(count).toArray(LongAdder[]::new);
  }

  /** Counts a copy that was enqueued. */
  public void copied(WorkKind kind, Way way, long moved) {
    int index = way.kind().ordinal();
    copies[index].increment();
    bytes[index].add(moved);
    bytesOfKind[kind.ordinal()].add(moved);
  }

  /** Counts a wait that has ended. */
  void waited(long nanos) {
    waits.increment();
    waitNanos.add(nanos);
  }

  /** {@return how many copies there were} */
  public long copies() {
    return Stream.of(copies).mapToLong(LongAdder::sum).sum();
  }

  /** {@return how many copies took each way; none that no copy took} */
  public Map<String, Long> copiesByWay() {
    return byWay(copies);
  }

  /** {@return how many bytes took each way; none that no copy took} */
  public Map<String, Long> bytesByWay() {
    return byWay(bytes);
  }

  private Map<String, Long> byWay(LongAdder[] adders) {
    Map<String, Long> sums = new TreeMap<>();
    for (Way way : Way.values()) {
      if (copies[way.ordinal()].sum() > 0) {
        sums.put(way.name(), adders[way.ordinal()].sum());
      }
    }
    return Collections.unmodifiableMap(sums);
  }

  /** {@return how many bytes copies of a kind have} */
  public long bytes(WorkKind kind) {
    return bytesOfKind[kind.ordinal()].sum();
  }

  /** {@return how many waits have ended} */
  public long waits() {
    return waits.sum();
  }

  /** {@return how long they took altogether} */
  public long waitNanos() {
    return waitNanos.sum();
  }
}
