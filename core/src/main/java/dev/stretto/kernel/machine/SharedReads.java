package dev.stretto.kernel.machine;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads of some bytes of shared memory, and atomic operations, since the last copy or plain write,
 * the newest first.
 */
final class SharedReads {
  /** The shortest list of reads in which older ones are looked for. */
  private static final int FEWEST = 8;

  final ThreadAccess kind;
  final int thread;
  final int clock;
  final int round;
  final boolean pending;
  final @Nullable CallPath line;
  final @Nullable SharedReads before;
  private final int count;

  /** At which count older reads of the same threads are left out. */
  private final int most;

  /** Whether a thread has changed the bytes atomically. */
  final boolean areUpdates;

  /** Whether there are no plain reads. */
  final boolean areAtomic;

  /** The first read by the same thread, if it has given the bytes back or waited since. */
  final @Nullable First first;

  /** A thread's first read of some content, by its own clock. */
  record First(int clock, @Nullable CallPath line) {}

  SharedReads(
      ThreadAccess kind,
      Coroutine thread,
      int clock,
      @Nullable CallPath line,
      @Nullable SharedReads before,
      @Nullable First first) {
    this.kind = kind;
    this.areUpdates = kind == ThreadAccess.UPDATE || (before != null && before.areUpdates);
    this.areAtomic = kind.isAtomic() && (before == null || before.areAtomic);
    this.thread = thread.rank();
    this.clock = clock;
    this.round = thread.copies().rounds();
    this.pending = thread.copies().arePending();
    this.line = line;
    this.before = before;
    this.count = before == null ? 1 : before.count + 1;
    this.most = before == null ? FEWEST : before.most;
    this.first = first;
  }

  /** A plain read by a thread that has begun no copies. */
  SharedReads(int thread, int clock, @Nullable CallPath line, @Nullable SharedReads before) {
    this.kind = ThreadAccess.READ;
    this.areUpdates = before != null && before.areUpdates;
    this.areAtomic = false;
    this.thread = thread;
    this.clock = clock;
    this.round = 0;
    this.pending = false;
    this.line = line;
    this.before = before;
    this.count = before == null ? 1 : before.count + 1;
    this.most = before == null ? FEWEST : before.most;
    this.first = null;
  }

  private SharedReads(SharedReads same, @Nullable SharedReads before, int most) {
    this.kind = same.kind;
    this.areUpdates = kind == ThreadAccess.UPDATE || (before != null && before.areUpdates);
    this.areAtomic = kind.isAtomic() && (before == null || before.areAtomic);
    this.thread = same.thread;
    this.clock = same.clock;
    this.round = same.round;
    this.pending = same.pending;
    this.line = same.line;
    this.before = before;
    this.count = before == null ? 1 : before.count + 1;
    this.most = most;
    this.first = same.first;
  }

  /**
   * The same, with only the newest read of each thread once the list is long. A thread that knows
   * of another's newest read knows of its earlier ones too.
   */
  SharedReads newest() {
    if (count < most) {
      return this;
    }
    BitSet threads = new BitSet();
    List<SharedReads> kept = new ArrayList<>();
    for (SharedReads at = this; at != null; at = at.before) {
      int which = at.thread * ThreadAccess.values().length + at.kind.ordinal();
      if (!threads.get(which)) {
        threads.set(which);
        kept.add(at);
      }
    }
    SharedReads list = null;
    for (SharedReads one : kept.reversed()) {
      list = new SharedReads(one, list, Math.max(FEWEST, 2 * kept.size()));
    }
    return Objects.requireNonNull(list, "at least the newest read");
  }

  /** Whether one of the newest is such a read. */
  boolean has(ThreadAccess wanted, int otherThread, int otherClock) {
    SharedReads at = this;
    for (int i = 0; i < FEWEST && at != null; i++, at = at.before) {
      if (at.thread == otherThread && at.clock == otherClock && at.kind == wanted) {
        return true;
      }
    }
    return false;
  }

  /** The newest of a thread's reads; null if there is none. */
  static @Nullable SharedReads newestOf(@Nullable SharedReads reads, int thread) {
    for (SharedReads at = reads; at != null; at = at.before) {
      if (at.thread == thread) {
        return at;
      }
    }
    return null;
  }

  /** The thread's first read of the content. */
  First first() {
    return first == null ? new First(clock, line) : first;
  }
}
