package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stretto.driver.CopyList;
import dev.stretto.driver.DriverDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Enqueues several copies, with one call if the driver can do so. */
final class Batches {
  /** The size of a {@code CUmemcpyAttributes}; its first field says when the source may be read. */
  private static final int ATTRIBUTES = 24;

  private static final int IN_STREAM_ORDER = 1;
  private static final int ANY_TIME = 3;
  private static final long NONE = -1;

  private final Context context;
  private final Health health;
  private final Copies copies;

  Batches(Context context, Health health, Copies copies) {
    this.context = context;
    this.health = health;
    this.copies = copies;
  }

  boolean inOneCall() {
    return CopyCalls.hasBatches();
  }

  void copy(CopyList list, long stream) {
    health.require(stream, "stream");
    requirePossible(list);
    // The call refuses the legacy default stream.
    if (list.count() > 1 && inOneCall() && stream != DriverDevice.LEGACY_STREAM) {
      enqueue(list, stream);
      return;
    }
    for (int i = 0; i < list.count(); i++) {
      copies.copy(list.dst(i), list.src(i), list.bytes(i), list.kind(i), stream);
    }
  }

  private void requirePossible(CopyList list) {
    if (list.count() == 0) {
      throw health.invalid("a batch of 0 copies");
    }
    for (int i = 0; i < list.count(); i++) {
      if (list.dst(i) == 0 || list.src(i) == 0 || list.bytes(i) <= 0) {
        throw health.invalid("not a valid copy: " + values(list, i));
      }
    }
  }

  private void enqueue(CopyList list, long stream) {
    int count = list.count();
    long attributesAt = 3L * Long.BYTES * count;
    long startsAt = attributesAt + 2 * ATTRIBUTES;
    long failedAt = startsAt + 2 * Long.BYTES;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment table = arena.allocate(failedAt + Long.BYTES, Long.BYTES);
      int ordered = 0;
      for (int i = 0; i < count; i++) {
        ordered += list.mayReadAnyTime(i) ? 0 : 1;
      }
      // Attributes apply to runs of copies: first those in stream order, then the rest.
      int[] origin = new int[count];
      int nextOrdered = 0;
      int nextFree = ordered;
      for (int i = 0; i < count; i++) {
        int at = list.mayReadAnyTime(i) ? nextFree++ : nextOrdered++;
        origin[at] = i;
        table.setAtIndex(JAVA_LONG, at, list.dst(i));
        table.setAtIndex(JAVA_LONG, count + at, list.src(i));
        table.setAtIndex(JAVA_LONG, 2L * count + at, list.bytes(i));
      }
      boolean both = ordered > 0 && ordered < count;
      table.set(JAVA_INT, attributesAt, ordered > 0 ? IN_STREAM_ORDER : ANY_TIME);
      table.set(JAVA_INT, attributesAt + ATTRIBUTES, ANY_TIME);
      table.set(JAVA_LONG, startsAt + Long.BYTES, ordered);
      table.set(JAVA_LONG, failedAt, NONE);
      long dsts = table.address();
      context.run(
          _ ->
              CopyCalls.batch(
                  dsts,
                  dsts + 8L * count,
                  dsts + 16L * count,
                  count,
                  dsts + attributesAt,
                  dsts + startsAt,
                  both ? 2 : 1,
                  dsts + failedAt,
                  stream),
          code -> {
            long at = table.get(JAVA_LONG, failedAt);
            String which =
                at >= 0 && at < count
                    ? "; the driver refused copy "
                        + origin[(int) at]
                        + ", "
                        + values(list, origin[(int) at])
                    : "";
            return health.failure(code, "cuMemcpyBatchAsync", count + " copies" + which);
          });
    }
  }

  private static String values(CopyList list, int i) {
    return "%d bytes to 0x%x from 0x%x, %s"
        .formatted(list.bytes(i), list.dst(i), list.src(i), list.kind(i));
  }
}
