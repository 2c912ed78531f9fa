package dev.stretto.kernel.machine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Plain accesses to words of memory by threads without carriers: the last write of each word, and
 * up to two reads since that do not know of each other. Reads by many threads at one place and time
 * count as one. An access is a number, since most words never need more, and an object for each
 * costs more than all that is asked of it. Words that need more are {@linkplain #give given away}.
 */
final class PackedAccesses {
  /** The logarithm of the bytes of a word. */
  private static final int WORD = 2;

  private static final int PLACES = 16;
  private static final int CLOCKS = 32;
  private static final int MOST = (1 << 16) - 1;

  private static final long NONE = 0; // a thread's own clock begins at 1
  private static final long ELSEWHERE = -1;

  /** In place of a thread: there are several, with the same clock and place. */
  private static final int GROUP = MOST - 1;

  private static final long CLOCK_AND_PLACE = (1L << (CLOCKS + PLACES)) - 1;

  /** So many reads are kept of a word. */
  private static final int READS = 2;

  private final long[] writes;
  private long @Nullable [] reads;

  /** Of which cluster the writes are; null if the memory is that of one. */
  private final int @Nullable [] writers;

  private int @Nullable [] readers;

  /** Which threads have read, where there are several: a bit for each. */
  private long @Nullable [] @Nullable [] groups;

  /** What the threads of a cluster know of each other. */
  interface Clocks {
    /** The number of the cluster. */
    long cluster();

    /** How many threads there are. */
    int threads();

    /** A thread's own number, while the clocks run. */
    int now(int thread);

    /** What a thread knows of others, while the clocks run. The array does not change. */
    int[] clock(int thread);

    /** Up to which of its own numbers every thread of the cluster is known to every other one. */
    int knownToAll();

    /** Whether a thread knows what a thread of another cluster has done. */
    boolean knowsOther(int thread, long otherCluster, int rank, int number);
  }

  /** Who receives the accesses of a word. */
  interface Receiver {
    void write(int word, int cluster, int thread, int clock, int place);

    void read(int word, int cluster, int thread, int clock, int place);
  }

  /**
   * Creates room for accesses.
   *
   * @param areMany whether threads of several clusters use the memory
   */
  PackedAccesses(int words, boolean areMany) {
    this.writes = new long[words];
    this.writers = areMany ? new int[words] : null;
  }

  /** Whether the accesses to a word are kept here. */
  boolean has(int word) {
    return writes[word] != ELSEWHERE;
  }

  /** Notes a read; false if a word needs more than is kept here, or the read races. */
  boolean reads(int from, int bytes, int thread, Clocks order, int place) {
    if (!fits(from, bytes, thread, order, place)) {
      return false;
    }
    long[] kept = room();
    int[] known = order.clock(thread);
    long now = packed(thread, order.now(thread), place);
    int end = (from + bytes) >>> WORD;
    for (int word = from >>> WORD; word < end; word++) {
      boolean undefined = writes[word] == NONE && writers == null; // in shared memory
      if (undefined || !isWriteKnown(word, thread, known, order)) {
        return false;
      }
      int at = READS * word;
      if (!reads(kept, at, now, thread, known, order)
          && !reads(kept, at + 1, now, thread, known, order)) {
        return false;
      }
    }
    return true;
  }

  private boolean reads(long[] kept, int at, long now, int thread, int[] known, Clocks order) {
    long before = kept[at];
    boolean isOurs = readers == null || readers[at] == order.cluster();
    if (((before ^ now) & CLOCK_AND_PLACE) == 0 && isOurs) {
      if (before != now) {
        joins(kept, at, thread, order);
      }
      return true;
    }
    if (!isReadKnown(kept, at, thread, known, order)) {
      return false;
    }
    kept[at] = now;
    if (readers != null) {
      readers[at] = (int) order.cluster();
    }
    return true;
  }

  /** Adds a thread to those that have read at the same place and time. */
  private void joins(long[] kept, int at, int thread, Clocks order) {
    long before = kept[at];
    long[] group = group(at, order.threads());
    if (thread(before) != GROUP) {
      Arrays.fill(group, 0);
      add(group, thread(before));
      kept[at] = packed(GROUP, clock(before), place(before));
    }
    add(group, thread);
  }

  private static void add(long[] group, int thread) {
    group[thread >>> 6] |= 1L << thread;
  }

  private long[] group(int at, int threads) {
    long @Nullable [][] all = groups;
    if (all == null) {
      all = new long[READS * writes.length][];
      groups = all;
    }
    long[] group = all[at];
    if (group == null) {
      group = new long[(threads >>> 6) + 1];
      all[at] = group;
    }
    return group;
  }

  /** The first member of a group from a thread on; -1 if there is none. */
  private int member(int at, int from) {
    long[] group = groups == null ? null : groups[at];
    for (int i = from >>> 6; group != null && i < group.length; i++) {
      long rest = i == from >>> 6 ? group[i] & -1L << from : group[i];
      if (rest != 0) {
        return (i << 6) + Long.numberOfTrailingZeros(rest);
      }
    }
    return -1;
  }

  /** Notes a write; false if a word needs more than is kept here, or the write races. */
  boolean writes(int from, int bytes, int thread, Clocks order, int place) {
    if (!fits(from, bytes, thread, order, place)) {
      return false;
    }
    long[] kept = reads;
    int[] known = order.clock(thread);
    long now = packed(thread, order.now(thread), place);
    int end = (from + bytes) >>> WORD;
    for (int word = from >>> WORD; word < end; word++) {
      if (!isWriteKnown(word, thread, known, order)) {
        return false;
      }
      if (kept != null) {
        int at = READS * word;
        if (!isReadKnown(kept, at, thread, known, order)
            || !isReadKnown(kept, at + 1, thread, known, order)) {
          return false;
        }
        kept[at] = NONE;
        kept[at + 1] = NONE;
      }
      writes[word] = now;
      if (writers != null) {
        writers[word] = (int) order.cluster();
      }
    }
    return true;
  }

  private boolean fits(int from, int bytes, int thread, Clocks order, int place) {
    return ((from | bytes) & ((1 << WORD) - 1)) == 0
        && (thread | place) >>> PLACES == 0
        && thread < GROUP
        && from >= 0
        && (from + bytes) >>> WORD <= writes.length
        && (writers == null || order.cluster() <= Integer.MAX_VALUE);
  }

  private long[] room() {
    long[] kept = reads;
    if (kept == null) {
      kept = new long[READS * writes.length];
      reads = kept;
      readers = writers == null ? null : new int[kept.length];
    }
    return kept;
  }

  /** Keeps a word again that a thread of the only cluster has written; false if it does not fit. */
  boolean takes(int word, int thread, int clock, int place) {
    if (thread >= GROUP || place < 0 || place > MOST || writers != null) {
      return false;
    }
    writes[word] = packed(thread, clock, place);
    long[] kept = reads;
    if (kept != null) {
      kept[READS * word] = NONE;
      kept[READS * word + 1] = NONE;
    }
    return true;
  }

  /** Gives the accesses to a word away. */
  void give(int word, Receiver to) {
    long write = writes[word];
    if (write != NONE) {
      to.write(word, of(writers, word), thread(write), clock(write), place(write));
    }
    long[] kept = reads;
    for (int at = READS * word; kept != null && at < READS * (word + 1); at++) {
      long read = kept[at];
      if (read != NONE && thread(read) == GROUP) {
        for (int one = member(at, 0); one >= 0; one = member(at, one + 1)) {
          to.read(word, of(readers, at), one, clock(read), place(read));
        }
      } else if (read != NONE) {
        to.read(word, of(readers, at), thread(read), clock(read), place(read));
      }
    }
    writes[word] = ELSEWHERE;
  }

  /** Forgets everything. */
  void clear() {
    Arrays.fill(writes, NONE);
    if (reads != null) {
      Arrays.fill(reads, NONE);
    }
  }

  /** Whether a thread knows of the last write of a word. */
  private boolean isWriteKnown(int word, int thread, int[] known, Clocks order) {
    long write = writes[word];
    if (write == NONE || write == ELSEWHERE) {
      return write == NONE;
    }
    return (writers == null || writers[word] == order.cluster())
        ? isKnown(write, thread, known, order)
        : order.knowsOther(thread, writers[word], thread(write), clock(write));
  }

  /** Whether a thread knows of reads of a word. */
  private boolean isReadKnown(long[] kept, int at, int thread, int[] known, Clocks order) {
    long read = kept[at];
    if (read == NONE) {
      return true;
    }
    boolean isOurs = readers == null || readers[at] == order.cluster();
    if (isOurs && clock(read) <= order.knownToAll()) {
      return true;
    }
    int cluster = of(readers, at);
    if (thread(read) != GROUP) {
      return isOurs
          ? isKnown(read, thread, known, order)
          : order.knowsOther(thread, cluster, thread(read), clock(read));
    }
    for (int one = member(at, 0); one >= 0; one = member(at, one + 1)) {
      boolean isOneKnown =
          isOurs
              ? one == thread || (one < known.length && known[one] >= clock(read))
              : order.knowsOther(thread, cluster, one, clock(read));
      if (!isOneKnown) {
        return false;
      }
    }
    return true;
  }

  private static boolean isKnown(long access, int thread, int[] known, Clocks order) {
    int clock = clock(access);
    int other = thread(access);
    return clock <= order.knownToAll()
        || other == thread
        || (other < known.length && known[other] >= clock);
  }

  private static int of(int @Nullable [] clusters, int at) {
    return clusters == null ? 0 : clusters[at];
  }

  private static long packed(int thread, int clock, int place) {
    return ((((long) thread << CLOCKS) | clock) << PLACES) | place;
  }

  private static int thread(long access) {
    return (int) (access >>> (CLOCKS + PLACES));
  }

  private static int clock(long access) {
    return (int) (access >>> PLACES);
  }

  private static int place(long access) {
    return (int) access & MOST;
  }
}
