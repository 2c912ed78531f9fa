package dev.stretto.enqueue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Refuses batches whose outcome would depend on the order of their copies: two copies write the
 * same bytes, or one reads bytes that another writes.
 */
public final class BatchOverlaps {
  /**
   * The bytes from one address (inclusive) to another (exclusive), and the number of their copy.
   */
  private record Range(long from, long to, int copy) {}

  /** Ranges in the order in which they were added. */
  private static final class Ranges {
    private long[] from;
    private long[] to;
    private int[] copies;
    private int count;

    Ranges(int expected) {
      this.from = new long[expected];
      this.to = new long[expected];
      this.copies = new int[expected];
    }

    void add(int copy, long address, long bytes) {
      if (count == from.length) {
        from = Arrays.copyOf(from, 2 * count);
        to = Arrays.copyOf(to, 2 * count);
        copies = Arrays.copyOf(copies, 2 * count);
      }
      from[count] = address;
      to[count] = address + bytes;
      copies[count] = copy;
      count++;
    }

    /** Whether each range ends before the next one begins, as the parts of an array do. */
    boolean areAscending() {
      for (int i = 1; i < count; i++) {
        if (from[i] < to[i - 1]) {
          return false;
        }
      }
      return true;
    }

    Range get(int index) {
      return new Range(from[index], to[index], copies[index]);
    }
  }

  /** The ranges in one address space. */
  static final class Space {
    private final Ranges written;
    private final Ranges read;

    Space(int expected) {
      this.written = new Ranges(expected);
      this.read = new Ranges(expected);
    }

    /** Removes all ranges. */
    void clear() {
      written.count = 0;
      read.count = 0;
    }
  }

  /** The initial capacity for ranges on the heap; few copies have any. */
  private static final int FEW = 4;

  /**
   * Devices and native memory share one address space; the address of a heap segment is relative to
   * its array.
   */
  private final Space flat;

  private final IdentityHashMap<Object, Space> arrays = new IdentityHashMap<>(0);

  private @Nullable Object lastArray;
  private @Nullable Space lastSpace;

  /** Read-only segments do not reveal their array. */
  private final Map<Integer, MemorySegment> hidden = new HashMap<>();

  private final Map<Integer, MemorySegment> writtenOnHeap = new HashMap<>();

  /**
   * Makes an empty set of ranges.
   *
   * @param flat an empty space
   */
  BatchOverlaps(Space flat) {
    this.flat = flat;
  }

  /**
   * Makes an empty set of ranges.
   *
   * @param count how many copies are expected
   */
  public BatchOverlaps(int count) {
    this(new Space(count));
  }

  /** Notes that a copy reads memory of a device or pinned memory. */
  public void reads(int copy, long address, long bytes) {
    flat.read.add(copy, address, bytes);
  }

  /** Notes that a copy writes memory of a device or pinned memory. */
  public void writes(int copy, long address, long bytes) {
    flat.written.add(copy, address, bytes);
  }

  void reads(int copy, MemorySegment host) {
    if (!host.isNative() && host.heapBase().isEmpty()) {
      hidden.put(copy, host);
      return;
    }
    space(host).read.add(copy, host.address(), host.byteSize());
  }

  void writes(int copy, MemorySegment host) {
    if (!host.isNative()) {
      writtenOnHeap.put(copy, host);
    }
    space(host).written.add(copy, host.address(), host.byteSize());
  }

  @SuppressWarnings("ReferenceEquality") // the same array
  private Space space(MemorySegment host) {
    if (host.isNative()) {
      return flat;
    }
    Object array = host.heapBase().orElseThrow();
    Space last = lastSpace;
    if (last != null && array == lastArray) {
      return last; // usually the copies are slices of one array
    }
    Space space = arrays.computeIfAbsent(array, _ -> new Space(FEW));
    lastArray = array;
    lastSpace = space;
    return space;
  }

  /**
   * Looks for an overlap.
   *
   * @throws IllegalArgumentException if there is an overlap
   */
  public void refuse() {
    refuse(flat);
    arrays.values().forEach(BatchOverlaps::refuse);
    hidden.forEach(
        (reader, source) ->
            writtenOnHeap.forEach(
                (writer, destination) ->
                    source
                        .asOverlappingSlice(destination)
                        .ifPresent(
                            both -> {
                              throw readAndWritten(reader, writer, both.byteSize());
                            })));
  }

  private static void refuse(Space space) {
    Ranges written = space.written;
    boolean ascending = written.areAscending();
    long[] from = ascending ? written.from : Arrays.copyOf(written.from, written.count);
    long[] to = ascending ? written.to : Arrays.copyOf(written.to, written.count);
    if (!ascending) {
      sort(space, from, to);
    }
    for (int i = 0; i < space.read.count; i++) {
      // Written ranges do not overlap each other, so only the last one that begins before can reach
      // here.
      int above = firstFrom(from, written.count, space.read.to[i]);
      if (above > 0 && to[above - 1] > space.read.from[i]) {
        throw readAndWritten(space, space.read.get(i), from[above - 1]);
      }
    }
  }

  private static void sort(Space space, long[] from, long[] to) {
    // Beginnings and ends are sorted separately. If no two ranges overlap, both have the same
    // order. If two overlap, some range begins before as many ranges have ended as come before it.
    Arrays.sort(from);
    Arrays.sort(to);
    for (int i = 1; i < from.length; i++) {
      if (from[i] < to[i - 1]) {
        throw writtenTwice(space);
      }
    }
  }

  private static IllegalArgumentException writtenTwice(Space space) {
    Range[] written = new Range[space.written.count];
    Arrays.setAll(written, space.written::get);
    Arrays.sort(written, Comparator.comparingLong(Range::from));
    int second = 1;
    while (written[second].from >= written[second - 1].to) {
      second++;
    }
    Range a = written[second - 1];
    Range b = written[second];
    return new IllegalArgumentException(
        "copies %d and %d of a batch write %d bytes of the same memory: copies of a batch have"
                .formatted(
                    Math.min(a.copy, b.copy),
                    Math.max(a.copy, b.copy),
                    Math.min(a.to, b.to) - b.from)
            + " no order among each other");
  }

  private static IllegalArgumentException readAndWritten(Space space, Range read, long writtenAt) {
    int writer = 0;
    while (space.written.from[writer] != writtenAt) {
      writer++;
    }
    Range written = space.written.get(writer);
    return readAndWritten(
        read.copy, written.copy, Math.min(read.to, written.to) - Math.max(read.from, written.from));
  }

  /** The index of the first beginning at or after an address. */
  private static int firstFrom(long[] sorted, int count, long address) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < address) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static IllegalArgumentException readAndWritten(int reader, int writer, long bytes) {
    return new IllegalArgumentException(
        reader == writer
            ? "the two ends of copy %d of a batch overlap by %d bytes".formatted(reader, bytes)
            : "copy %d of a batch reads %d bytes that copy %d writes: copies of a batch have no"
                    .formatted(reader, bytes, writer)
                + " order among each other");
  }
}
