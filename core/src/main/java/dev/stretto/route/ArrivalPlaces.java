package dev.stretto.route;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Finds, among very many copies that are to arrive in host memory, those that may touch a given
 * part of it: by their array on the heap, or by where they begin in native memory.
 */
final class ArrivalPlaces {
  private final IdentityHashMap<Object, List<Arrival>> onHeap = new IdentityHashMap<>();

  /**
   * In native memory, by their first address, in a map for each power of two of their size: so a
   * copy that reaches into a range begins at most twice that far before it.
   */
  private final Map<Integer, TreeMap<Long, List<Arrival>>> inNative = new TreeMap<>();

  /** In memory in many places, of which each may be anywhere. */
  private final List<Arrival> anywhere = new ArrayList<>(0);

  void add(Arrival arrival) {
    MemorySegment host = arrival.host();
    if (host == null) {
      anywhere.add(arrival);
      return;
    }
    // The destination of a copy can be written, so its array is known.
    List<Arrival> there =
        host.isNative()
            ? inNative
                .computeIfAbsent(power(host), _ -> new TreeMap<>())
                .computeIfAbsent(host.address(), _ -> new ArrayList<>(1))
            : onHeap.computeIfAbsent(array(host), _ -> new ArrayList<>(1));
    there.add(arrival);
  }

  void remove(Arrival arrival) {
    MemorySegment host = arrival.host();
    if (host == null) {
      boolean _ = anywhere.remove(arrival);
      return;
    }
    if (!host.isNative()) {
      List<Arrival> there = onHeap.get(array(host));
      if (there != null && there.remove(arrival) && there.isEmpty()) {
        onHeap.remove(array(host));
      }
      return;
    }
    TreeMap<Long, List<Arrival>> alike = inNative.get(power(host));
    List<Arrival> there = alike == null ? null : alike.get(host.address());
    if (alike != null && there != null && there.remove(arrival) && there.isEmpty()) {
      alike.remove(host.address());
      if (alike.isEmpty()) {
        inNative.remove(power(host));
      }
    }
  }

  /** {@return the copies that may touch some of this memory, and perhaps others} */
  Collection<Arrival> near(MemorySegment host) {
    if (host.isNative()) {
      return near(host.address(), host.byteSize());
    }
    if (host.isReadOnly()) {
      // It does not say which array it is a view of.
      return Stream.concat(onHeap.values().stream().flatMap(List::stream), anywhere.stream())
          .toList();
    }
    List<Arrival> there = onHeap.getOrDefault(array(host), List.of());
    return anywhere.isEmpty() ? there : Stream.concat(there.stream(), anywhere.stream()).toList();
  }

  /** {@return the copies that may touch a range of native memory, and perhaps others} */
  Collection<Arrival> near(long address, long bytes) {
    List<Arrival> near = new ArrayList<>(anywhere);
    inNative.forEach(
        (power, alike) ->
            alike
                .subMap(address - (2L << power), false, address + bytes, false)
                .values()
                .forEach(near::addAll));
    return near;
  }

  private static Object array(MemorySegment host) {
    return host.heapBase().orElseThrow();
  }

  private static int power(MemorySegment host) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, host.byteSize()));
  }
}
