package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Watches the global memory that the threads of a launch use, for accesses of two threads that
 * nothing orders. Host threads that run clusters of the launch share it.
 */
public final class GlobalRaces {
  private static final int PAGE_BITS = 12;
  private static final int PAGE = 1 << PAGE_BITS;

  /** How many pages a cluster finds at once. */
  private static final int PAGES = 256;

  /** How many reads of threads that do not know of each other are kept of an element. */
  private static final int MOST = 4;

  /**
   * An access of a thread.
   *
   * @param clock when, by the thread's own clock
   * @param wide whether an atomic operation is one for threads of other clusters
   * @param copy the copy to shared memory that reads; null if a thread does
   * @param store the bulk copy to global memory that writes; null if a thread does
   */
  record Access(
      ThreadAccess kind,
      long cluster,
      int rank,
      int clock,
      boolean wide,
      @Nullable CallPath line,
      @Nullable PendingCopy copy,
      @Nullable PendingStore store) {
    String who() {
      return copy != null ? copy.toString() : store != null ? store.toString() : "thread " + rank;
    }

    boolean isAsynchronous() {
      return copy != null || store != null;
    }
  }

  /** A part of memory: what was done last to each group of bytes. */
  private static final class Page {
    /** The logarithm of the bytes of a group: all accesses begin and end with groups. */
    private int unit = 2;

    private @Nullable Access[] writes = new Access[PAGE >> unit];
    private @Nullable Object[] others = new Object[PAGE >> unit];

    private void refine(int to) {
      @Nullable Access[] finer = new Access[PAGE >> to];
      @Nullable Object[] finerOthers = new Object[PAGE >> to];
      for (int i = 0; i < finer.length; i++) {
        finer[i] = writes[i >> (unit - to)];
        Object all = others[i >> (unit - to)];
        finerOthers[i] = all instanceof Access[] some ? some.clone() : all;
      }
      writes = finer;
      others = finerOthers;
      unit = to;
    }
  }

  /** Of operations that do not ask for it. */
  static final AddressedMemory NOWHERE = (_, _) -> MemorySegment.NULL;

  private final Map<Long, Page> pages = new ConcurrentHashMap<>();
  private final Map<Long, AtomicPlace> places = new ConcurrentHashMap<>();

  /** What atomic operations on an element make known. */
  AtomicPlace place(long address) {
    return places.computeIfAbsent(address, _ -> new AtomicPlace());
  }

  /** The part of the watch that belongs to one cluster at a time. */
  static final class Watch {
    private final GlobalRaces all;
    private final HappensBefore order;
    private final @Nullable Access[][] last;
    private final long[] numbers = new long[PAGES];
    private final @Nullable Page[] pages = new Page[PAGES];

    Watch(GlobalRaces all, HappensBefore order, int threads) {
      this.all = all;
      this.order = order;
      this.last = new Access[ThreadAccess.values().length][threads];
    }

    /** Called when a cluster begins. */
    void begin() {
      for (Access[] some : last) {
        Arrays.fill(some, null);
      }
    }

    AtomicPlace place(long address) {
      return all.place(address);
    }

    /** Notes an access. */
    void access(
        ThreadAccess kind,
        DeviceThread thread,
        AddressedMemory memory,
        long address,
        long bytes,
        boolean wide) {
      order.settle();
      if (bytes <= 0) {
        return;
      }
      access(access(kind, thread, wide), thread, memory, address, bytes);
    }

    /** Notes that a copy to shared memory reads from now until it is done. */
    void begins(PendingCopy copy, DeviceThread thread, long address, long bytes) {
      order.settle();
      CallPath line = order.lineOf(thread);
      access(
          new Access(
              ThreadAccess.READ,
              order.cluster(),
              thread.rank(),
              order.now(thread),
              true,
              line == null ? CallPath.here() : line,
              copy,
              null),
          thread,
          NOWHERE,
          address,
          bytes);
    }

    /** Notes that a bulk copy to global memory writes from now until it is done. */
    void begins(PendingStore store, DeviceThread thread, long address, long bytes) {
      order.settle();
      CallPath line = order.lineOf(thread);
      access(
          new Access(
              ThreadAccess.WRITE,
              order.cluster(),
              thread.rank(),
              order.now(thread),
              true,
              line == null ? CallPath.here() : line,
              null,
              store),
          thread,
          NOWHERE,
          address,
          bytes);
    }

    private void access(
        Access access, DeviceThread thread, AddressedMemory memory, long address, long bytes) {
      long end = address + bytes;
      for (long at = address; at < end; ) {
        long upTo = Math.min(end, ((at >> PAGE_BITS) + 1) << PAGE_BITS);
        Page now = page(at >> PAGE_BITS);
        synchronized (now) {
          access(now, access, thread, memory, at, (int) (upTo - at));
        }
        at = upTo;
      }
    }

    private Page page(long of) {
      int at = (int) of & PAGES - 1;
      Page known = pages[at];
      if (known == null || numbers[at] != of) {
        known = all.pages.computeIfAbsent(of, _ -> new Page());
        pages[at] = known;
        numbers[at] = of;
      }
      return known;
    }

    /** Threads often do the same at one line again and again. */
    @SuppressWarnings("ReferenceEquality") // a line that is another object may be the same
    private Access access(ThreadAccess kind, DeviceThread thread, boolean wide) {
      int clock = order.now(thread);
      CallPath line = order.lineOf(thread);
      Access before = last[kind.ordinal()][thread.rank()];
      if (before != null && before.clock == clock && before.line == line && before.wide == wide) {
        return before;
      }
      Access access =
          new Access(
              kind,
              order.cluster(),
              thread.rank(),
              clock,
              wide,
              line == null ? CallPath.here() : line,
              null,
              null);
      last[kind.ordinal()][thread.rank()] = access;
      return access;
    }

    @SuppressWarnings("ReferenceEquality") // the same access
    private void access(
        Page in,
        Access access,
        DeviceThread thread,
        AddressedMemory memory,
        long address,
        int bytes) {
      int from = (int) address & PAGE - 1;
      int fits = Math.min(in.unit, Integer.numberOfTrailingZeros(from | bytes));
      if (fits < in.unit) {
        in.refine(fits);
      }
      int end = (from + bytes) >> in.unit;
      for (int at = from >> in.unit; at < end; at++) {
        Access write = in.writes[at];
        if (write != null && write != access && !isOrdered(write, access, thread)) {
          CopyMisuse race = race(write, access, thread);
          if (access.kind != ThreadAccess.WRITE
              || access.isAsynchronous()
              || write.isAsynchronous()) {
            throw race;
          }
          long place = address - from + ((long) at << in.unit);
          order.suspects().add(race, memory.at(place, 1L << in.unit));
        }
        Object others = in.others[at];
        if (others instanceof Access one) {
          requireOrdered(one, access, thread);
        } else if (others instanceof Access[] some) {
          for (Access one : some) {
            requireOrdered(one, access, thread);
          }
        }
        if (access.kind == ThreadAccess.WRITE) {
          in.writes[at] = access;
          in.others[at] = null;
        } else if (others != access) {
          in.others[at] = added(others, access, thread);
        }
      }
    }

    @SuppressWarnings("ReferenceEquality") // the same access
    private void requireOrdered(@Nullable Access one, Access access, DeviceThread thread) {
      if (one != null
          && one != access
          && conflict(one, access)
          && !isOrdered(one, access, thread)) {
        throw race(one, access, thread);
      }
    }

    private static boolean conflict(Access one, Access other) {
      if (!one.kind.writes() && !other.kind.writes()) {
        return false;
      }
      boolean atomic = one.kind.isAtomic() && other.kind.isAtomic();
      return !atomic || (one.cluster != other.cluster && !(one.wide && other.wide));
    }

    private boolean isOrdered(Access before, Access now, DeviceThread thread) {
      if (before.copy != null && before.cluster == now.cluster) {
        return before.copy.isDone() && before.copy.isKnownTo(order, thread);
      }
      if (before.store != null && before.cluster == now.cluster) {
        return before.store.isWrittenKnownTo(order, thread);
      }
      return before.cluster == now.cluster
          ? before.rank == now.rank || order.knows(thread, before.rank, before.clock)
          : order.knowsOther(thread, before.cluster, before.rank, before.clock);
    }

    /** The accesses that are kept beside the last write, with another one. */
    @SuppressWarnings("ReferenceEquality") // the same access
    private Object added(@Nullable Object others, Access access, DeviceThread thread) {
      if (others == null) {
        return access;
      }
      if (others instanceof Access one) {
        return one.kind == access.kind && isOrdered(one, access, thread)
            ? access
            : new Access[] {one, access, null, null};
      }
      @Nullable Access[] some = (Access[]) others;
      for (int i = 0; i < MOST; i++) {
        Access one = some[i];
        if (one == null
            || one == access
            || (one.kind == access.kind && isOrdered(one, access, thread))) {
          some[i] = access;
          return some;
        }
      }
      some[2] = some[3]; // the first ones and the last ones are kept
      some[3] = access;
      return some;
    }

    private CopyMisuse race(Access before, Access now, DeviceThread thread) {
      boolean same = before.cluster == now.cluster;
      if (same && before.isAsynchronous()) {
        return unfinished(before, now);
      }
      boolean plain = !before.kind.isAtomic() && !now.kind.isAtomic();
      String what =
          now.who()
              + " "
              + now.kind.does()
              + " global memory that thread "
              + before.rank
              + (same ? " " : " of " + thread.cluster().describe(before.cluster) + " ")
              + before.kind.does()
              + CallPath.inBrackets(before.line)
              + ": a race, as nothing orders the two; ";
      if (!same) {
        return order.race(
            CopyRule.RACE,
            what
                + "blocks of a launch are ordered only by atomic operations of Scope.DEVICE with"
                + " fences, or by Atomics.storeRelease and loadAcquire",
            before.line);
      }
      boolean writes = before.kind == ThreadAccess.WRITE && now.kind == ThreadAccess.WRITE;
      return order.race(
          writes ? CopyRule.UNORDERED_WRITES : CopyRule.MISSING_BARRIER,
          what
              + "put a barrier such as block.sync() between"
              + (plain ? ", or use Atomics" : ", or use Atomics for both"),
          before.line);
    }
  }

  private static CopyMisuse unfinished(Access before, Access now) {
    Object what = before.copy == null ? before.store : before.copy;
    PendingStore store = before.store;
    boolean done =
        before.copy != null
            ? before.copy.isDone() && !before.copy.isCounted()
            : store != null && store.isWritten();
    CopyRule rule =
        done
            ? CopyRule.MISSING_BARRIER
            : store != null && store.isRead() ? CopyRule.READ_WAIT_ONLY : CopyRule.MISSING_WAIT;
    return new CopyMisuse(
        rule,
        now.who()
            + " "
            + now.kind.does()
            + " global memory that "
            + what
            + (what != null && what.toString().endsWith(")")
                ? ""
                : CallPath.inBrackets(before.line))
            + (before.copy == null ? " writes" : " reads")
            + (done
                ? ", which has been waited for: put a barrier between that wait and this"
                : rule == CopyRule.READ_WAIT_ONLY
                    ? ": its wait was only for the reads; wait with cpAsyncBulkWaitGroup before"
                    : ": wait for it before"));
  }
}
