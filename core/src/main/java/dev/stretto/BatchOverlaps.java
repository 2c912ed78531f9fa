package dev.stretto;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Refuses batches whose outcome would depend on the order of their copies: where two write the same
 * bytes, or one reads what another writes.
 */
final class BatchOverlaps {
  /** Bytes from one address to before another, and the copy whose end they are. */
  private record Range(long from, long to, int copy) {}

  /** What lies in one space of addresses. */
  private static final class Space {
    final List<Range> written = new ArrayList<>();
    final List<Range> read = new ArrayList<>();
  }

  /**
   * Devices and native memory share one space; what a heap segment's address means its array says.
   */
  private final Space flat = new Space();

  private final IdentityHashMap<Object, Space> arrays = new IdentityHashMap<>();

  /** Read-only segments do not give their array away. */
  private final Map<Integer, MemorySegment> hidden = new HashMap<>();

  private final Map<Integer, MemorySegment> writtenOnHeap = new HashMap<>();

  void reads(int copy, long address, long bytes) {
    flat.read.add(new Range(address, address + bytes, copy));
  }

  void writes(int copy, long address, long bytes) {
    flat.written.add(new Range(address, address + bytes, copy));
  }

  void reads(int copy, MemorySegment host) {
    if (!host.isNative() && host.heapBase().isEmpty()) {
      hidden.put(copy, host);
      return;
    }
    space(host).read.add(range(host, copy));
  }

  void writes(int copy, MemorySegment host) {
    if (!host.isNative()) {
      writtenOnHeap.put(copy, host);
    }
    space(host).written.add(range(host, copy));
  }

  private Space space(MemorySegment host) {
    return host.isNative()
        ? flat
        : arrays.computeIfAbsent(host.heapBase().orElseThrow(), _ -> new Space());
  }

  private static Range range(MemorySegment host, int copy) {
    return new Range(host.address(), host.address() + host.byteSize(), copy);
  }

  /**
   * Looks for an overlap.
   *
   * @throws IllegalArgumentException if there is one
   */
  void refuse() {
    refuse(flat);
    arrays.values().forEach(BatchOverlaps::refuse);
    hidden.forEach(
        (reader, source) ->
            writtenOnHeap.forEach(
                (writer, destination) ->
                    source
                        .asOverlappingSlice(destination)
                        .ifPresent(both -> throwRead(reader, writer, both.byteSize()))));
  }

  private static void refuse(Space space) {
    Range[] written = space.written.toArray(Range[]::new);
    Arrays.sort(written, Comparator.comparingLong(Range::from));
    for (int i = 1; i < written.length; i++) {
      Range a = written[i - 1];
      Range b = written[i];
      if (b.from < a.to) {
        throw new IllegalArgumentException(
            "copies %d and %d of a batch write %d bytes of the same memory: copies of a batch are"
                    .formatted(
                        Math.min(a.copy, b.copy),
                        Math.max(a.copy, b.copy),
                        Math.min(a.to, b.to) - b.from)
                + " in no order among each other");
      }
    }
    for (Range range : space.read) {
      int above = firstFrom(written, range.to);
      // Those written do not overlap each other, so the last one that begins before is the last.
      if (above > 0 && written[above - 1].to > range.from) {
        Range other = written[above - 1];
        throwRead(
            range.copy,
            other.copy,
            Math.min(range.to, other.to) - Math.max(range.from, other.from));
      }
    }
  }

  /** The first of the sorted ranges that begins at an address or behind it. */
  private static int firstFrom(Range[] sorted, long address) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle].from < address) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static void throwRead(int reader, int writer, long bytes) {
    throw new IllegalArgumentException(
        reader == writer
            ? "the two ends of copy %d of a batch overlap by %d bytes".formatted(reader, bytes)
            : "copy %d of a batch reads %d bytes that copy %d writes: copies of a batch are in no"
                    .formatted(reader, bytes, writer)
                + " order among each other");
  }
}
