package dev.stretto.route;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The staged copies that have to arrive in host memory before points of a stream count as reached.
 * There may be tens of thousands, one for each thread that awaits its own. Guarded by the driver's
 * lock.
 */
final class Arrivals {
  private static final int REMEMBERED = 256;

  /** Fewer are looked at one by one. */
  private static final int FEW = 16;

  private final boolean modelled;
  private final DeviceState device;

  /** Each with the number of the first operation that comes after it, in that order. */
  private final LinkedHashMap<Arrival, Long> expected = new LinkedHashMap<>();

  /** By their memory, if there are many. */
  private @Nullable ArrivalPlaces places;

  /** Those who wait until everything before a point has arrived. */
  private final PriorityQueue<Waiter> waiters = new PriorityQueue<>();

  /** The first copy that has not arrived, if somebody waits for it; its arrival is reported. */
  private @Nullable Arrival reporting;

  /** Modelled: for points, the time by which all copies before them had arrived. */
  private final TreeMap<Long, Long> arrivedNanos = new TreeMap<>();

  /** The first point before which a copy never arrived, because its device was lost. */
  private long lostFrom = Long.MAX_VALUE;

  Arrivals(DeviceState device) {
    this.device = device;
    this.modelled = device.driver().clock().isModelled();
  }

  /** Makes all points from this number on wait for a copy. Numbers never decrease. */
  void add(Arrival arrival, long sequence) {
    forgetArrived();
    if (arrival.isSettled() || expected.putIfAbsent(arrival, sequence) != null) {
      return;
    }
    if (places != null) {
      places.add(arrival);
    } else if (expected.size() > FEW) {
      places = new ArrivalPlaces();
      expected.keySet().forEach(places::add);
    }
  }

  /** On a modelled device, notes that points from this number on come after a certain time. */
  void note(long sequence, long nanos) {
    if (nanos > 0) {
      Map.Entry<Long, Long> last = arrivedNanos.floorEntry(sequence);
      arrivedNanos.put(sequence, last == null ? nanos : Math.max(nanos, last.getValue()));
      if (arrivedNanos.size() > REMEMBERED) {
        arrivedNanos.pollFirstEntry();
      }
    }
  }

  /** Whether nothing is expected. */
  boolean isEmpty() {
    forgetArrived();
    return expected.isEmpty();
  }

  /** The copies that have to arrive before a point is reached. */
  List<Arrival> before(long sequence) {
    if (isEmpty()) {
      return List.of();
    }
    List<Arrival> found = new ArrayList<>();
    for (Map.Entry<Arrival, Long> entry : expected.entrySet()) {
      if (entry.getValue() > sequence) {
        break;
      }
      if (!entry.getKey().isSettled()) {
        found.add(entry.getKey());
      }
    }
    return found;
  }

  /** All copies that are still to arrive. */
  List<Arrival> all() {
    return isEmpty()
        ? List.of()
        : expected.keySet().stream().filter(arrival -> !arrival.isSettled()).toList();
  }

  /** The copies that are still to arrive in some of this host memory. */
  List<Arrival> in(MemorySegment host) {
    if (isEmpty()) {
      return List.of();
    }
    List<Arrival> found = null;
    for (Arrival arrival : places == null ? expected.keySet() : places.near(host)) {
      if (!arrival.isSettled() && arrival.concerns(host)) {
        found = found == null ? new ArrayList<>(1) : found;
        found.add(arrival);
      }
    }
    return found == null ? List.of() : found;
  }

  /** Whether all copies that a point comes after have arrived. */
  boolean haveArrivedBefore(long sequence) {
    if (isEmpty()) {
      return true;
    }
    return expected.firstEntry().getValue() > sequence;
  }

  /**
   * Runs an action once everything before a point has arrived.
   *
   * @return false if it has arrived already, so that the action is not run
   */
  boolean whenArrivedBefore(long sequence, Runnable action) {
    if (haveArrivedBefore(sequence)) {
      return false;
    }
    waiters.add(new Waiter(sequence, action));
    report();
    return true;
  }

  /** Has the first copy that is expected settle soon, for a stream that asks again and again. */
  void hasten(Failures by) {
    Map.Entry<Arrival, Long> first = expected.firstEntry();
    if (first != null) {
      first.getKey().hasten(by);
    }
  }

  /** Forgets an action that waits. */
  void forget(Runnable action) {
    waiters.removeIf(waiter -> waiter.action().equals(action));
  }

  /** Has the first copy that is expected report its arrival, as long as somebody waits. */
  private void report() {
    Map.Entry<Arrival, Long> first = expected.firstEntry();
    if (first == null || waiters.isEmpty() || first.getKey().equals(reporting)) {
      return;
    }
    Arrival next = first.getKey();
    reporting = next;
    next.whenSettled(() -> arrived(next));
  }

  private void arrived(Arrival arrival) {
    if (Thread.holdsLock(device.lock)) {
      device.later(() -> arrived(arrival)); // it arrived at this very moment
      return;
    }
    List<Runnable> due = new ArrayList<>(1);
    synchronized (device.lock) {
      if (arrival.equals(reporting)) {
        reporting = null;
      }
      forgetArrived();
      Map.Entry<Arrival, Long> first = expected.firstEntry();
      long reached = first == null ? Long.MAX_VALUE : first.getValue() - 1;
      for (Waiter next = waiters.peek();
          next != null && next.key() <= reached;
          next = waiters.peek()) {
        waiters.remove();
        due.add(next.action());
      }
      report();
    }
    due.forEach(Runnable::run);
  }

  /** Whether a copy that a point comes after never arrived because its device was lost. */
  boolean areLostBefore(long sequence) {
    forgetArrived();
    return lostFrom <= sequence;
  }

  /** {@return the first point that waits for a copy, or {@link Long#MAX_VALUE} if none does} */
  long since(Arrival arrival) {
    return expected.getOrDefault(arrival, Long.MAX_VALUE);
  }

  /** The copies that are still to arrive in a range of native memory. */
  List<Arrival> at(long address, long bytes) {
    if (isEmpty()) {
      return List.of();
    }
    return (places == null ? expected.keySet() : places.near(address, bytes))
        .stream()
            .filter(arrival -> !arrival.isSettled() && arrival.touches(address, bytes))
            .toList();
  }

  /** On a modelled device, the time at which all copies before a point had arrived. */
  long nanos(long sequence) {
    if (!modelled) {
      return 0;
    }
    Map.Entry<Long, Long> past = arrivedNanos.floorEntry(sequence);
    long nanos = past == null ? 0 : past.getValue();
    for (Map.Entry<Arrival, Long> entry : expected.entrySet()) {
      if (entry.getValue() > sequence) {
        break;
      }
      nanos = Math.max(nanos, entry.getKey().settledNanos());
    }
    return nanos;
  }

  private void forgetArrived() {
    if (expected.isEmpty()) {
      return;
    }
    Map.Entry<Arrival, Long> first;
    while ((first = expected.firstEntry()) != null && first.getKey().isSettled()) {
      expected.pollFirstEntry();
      if (places != null) {
        places.remove(first.getKey());
      }
      if (first.getKey().isAbandoned()) {
        lostFrom = Math.min(lostFrom, first.getValue());
      }
      if (modelled) {
        note(first.getValue(), first.getKey().settledNanos());
      }
    }
    if (expected.isEmpty()) {
      places = null;
    }
  }
}
