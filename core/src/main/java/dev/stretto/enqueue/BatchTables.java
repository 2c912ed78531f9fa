package dev.stretto.enqueue;

import dev.stretto.driver.CopyList;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The arrays that planning a batch takes, which have a few numbers for each copy. They are lent for
 * the time of a call, so that enqueuing a batch allocates next to nothing.
 */
final class BatchTables {
  /** Tables for more copies than this are not kept. */
  private static final int MOST = 1024;

  /** How many threads may enqueue batches at the same time without allocating; a power of two. */
  private static final int PLACES = 8;

  private static final int LEAST = 64;

  private static final AtomicReferenceArray<@Nullable BatchTables> FREE =
      new AtomicReferenceArray<>(PLACES);

  final CopyList direct;

  /** The index in the batch of each copy in {@link #direct}. */
  final int[] directCopies;

  final BatchOverlaps.Space flat;

  private BatchTables(int count) {
    this.direct = new CopyList(count);
    this.directCopies = new int[count];
    this.flat = new BatchOverlaps.Space(count);
  }

  /** {@return empty tables for so many copies} */
  static BatchTables take(int count) {
    if (count <= MOST) {
      int first = first();
      for (int i = 0; i < PLACES; i++) {
        int place = (first + i) & (PLACES - 1);
        BatchTables free = FREE.getPlain(place) == null ? null : FREE.getAndSet(place, null);
        if (free != null && free.directCopies.length >= count) {
          return free;
        }
      }
    }
    return new BatchTables(Math.max(count, LEAST));
  }

  /** Gives the tables back, which nobody refers to any more. */
  void giveBack() {
    if (directCopies.length > MOST) {
      return;
    }
    direct.clear();
    flat.clear();
    int first = first();
    for (int i = 0; i < PLACES; i++) {
      if (FREE.compareAndSet((first + i) & (PLACES - 1), null, this)) {
        return;
      }
    }
  }

  /** Threads begin at different places to avoid contention. */
  private static int first() {
    return (int) Thread.currentThread().threadId();
  }
}
