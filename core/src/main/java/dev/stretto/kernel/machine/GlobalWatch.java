package dev.stretto.kernel.machine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The part of the watch that belongs to one cluster at a time. */
final class GlobalWatch {
  /** How many pages a cluster finds at once. */
  private static final int PAGES = 256;

  private final GlobalRaces all;
  private final HappensBefore order;
  private final GlobalReports reports;
  private final GuessedReads guesses;
  private final @Nullable GlobalAccess[][] last;
  private final long[] numbers = new long[PAGES];
  private final @Nullable GlobalPage[] pages = new GlobalPage[PAGES];
  private CallPath[] places = {};

  GlobalWatch(GlobalRaces all, HappensBefore order, int threads) {
    this.all = all;
    this.order = order;
    this.reports = new GlobalReports(order);
    this.guesses = new GuessedReads(threads);
    order.tells(this::comes);
    this.last = new GlobalAccess[ThreadAccess.values().length][threads];
  }

  /** Says which places have numbers: those of threads without carriers. */
  void places(CallPath[] numbered) {
    places = numbered;
  }

  /** Called when a cluster begins. */
  void begin() {
    guesses.clear();
    for (GlobalAccess[] some : last) {
      Arrays.fill(some, null);
    }
  }

  AtomicPlace place(long address) {
    return all.place(address);
  }

  /**
   * Notes a plain access of a thread without a carrier.
   *
   * @param place the number of the place where
   * @return false if it has to be looked at
   */
  boolean plain(ThreadAccess kind, int thread, long address, int bytes, int place) {
    int from = (int) address & GlobalPage.BYTES - 1;
    if (order.isDoubtful() || from + bytes > GlobalPage.BYTES) {
      return false;
    }
    GlobalPage page = page(address >> GlobalPage.BITS);
    synchronized (page) {
      return switch (kind) {
        case READ -> page.reads(from, bytes, thread, order, place);
        case WRITE -> page.writes(from, bytes, thread, order, place);
        case LOAD, UPDATE -> false;
      };
    }
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
    GlobalAccess access = access(kind, thread, wide);
    if (thread.isCarried()) {
      if (kind == ThreadAccess.READ) {
        note(guesses.keep(thread.rank(), new GuessedReads.Guess(access, address, bytes)), thread);
        return;
      }
      comes(thread);
    }
    access(access, thread, memory, address, bytes);
  }

  /** Notes what a thread has read, before it does something else. */
  private void comes(Coroutine thread) {
    for (GuessedReads.Guess guess : guesses.take(thread.rank())) {
      note(guess, (DeviceThread) thread);
    }
  }

  private void note(GuessedReads.@Nullable Guess guess, DeviceThread thread) {
    if (guess != null) {
      access(guess.read(), thread, GlobalRaces.NOWHERE, guess.address(), guess.bytes());
    }
  }

  /** Called before a thread compares an element with what it expects there, and exchanges it. */
  void exchanges(DeviceThread thread, long address, int bytes, boolean wide) {
    if (guesses.exchanges(thread.rank(), address)) {
      access(access(ThreadAccess.LOAD, thread, wide), thread, GlobalRaces.NOWHERE, address, bytes);
    }
  }

  /** Notes that a copy to shared memory reads from now until it is done. */
  void begins(PendingCopy copy, DeviceThread thread, long address, long bytes) {
    order.settle();
    comes(thread);
    CallPath line = order.lineOf(thread);
    access(
        new GlobalAccess(
            ThreadAccess.READ,
            order.cluster(),
            thread.rank(),
            order.now(thread),
            true,
            line == null ? CallPath.here() : line,
            copy,
            null),
        thread,
        GlobalRaces.NOWHERE,
        address,
        bytes);
  }

  /**
   * Notes that a bulk copy to global memory writes from now until it is done.
   *
   * @param kind how: a reduction changes each element atomically
   */
  void begins(
      PendingStore store, ThreadAccess kind, DeviceThread thread, long address, long bytes) {
    order.settle();
    comes(thread);
    CallPath line = order.lineOf(thread);
    access(
        new GlobalAccess(
            kind,
            order.cluster(),
            thread.rank(),
            order.now(thread),
            true,
            line == null ? CallPath.here() : line,
            null,
            store),
        thread,
        GlobalRaces.NOWHERE,
        address,
        bytes);
  }

  private void access(
      GlobalAccess access, DeviceThread thread, AddressedMemory memory, long address, long bytes) {
    long end = address + bytes;
    for (long at = address; at < end; ) {
      long upTo = Math.min(end, ((at >> GlobalPage.BITS) + 1) << GlobalPage.BITS);
      GlobalPage now = page(at >> GlobalPage.BITS);
      synchronized (now) {
        access(now, access, thread, memory, at, (int) (upTo - at));
      }
      at = upTo;
    }
  }

  private GlobalPage page(long of) {
    int at = (int) of & PAGES - 1;
    GlobalPage known = pages[at];
    if (known == null || numbers[at] != of) {
      known = all.page(of, places.length > 0);
      pages[at] = known;
      numbers[at] = of;
    }
    return known;
  }

  /** Threads often do the same at one line again and again. */
  @SuppressWarnings("ReferenceEquality") // a line that is another object may be the same
  private GlobalAccess access(ThreadAccess kind, DeviceThread thread, boolean wide) {
    int clock = order.now(thread);
    CallPath line = order.lineOf(thread);
    GlobalAccess before = last[kind.ordinal()][thread.rank()];
    if (before != null
        && before.clock() == clock
        && before.line() == line
        && before.wide() == wide) {
      return before;
    }
    GlobalAccess access =
        new GlobalAccess(
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
      GlobalPage in,
      GlobalAccess access,
      DeviceThread thread,
      AddressedMemory memory,
      long address,
      int bytes) {
    int from = (int) address & GlobalPage.BYTES - 1;
    int fits = Math.min(in.unit, Integer.numberOfTrailingZeros(from | bytes));
    if (fits < in.unit) {
      in.refine(fits, places);
    }
    int end = (from + bytes) >> in.unit;
    for (int at = from >> in.unit; at < end; at++) {
      in.opens(at, places);
      GlobalAccess write = in.writes[at];
      if (write != null
          && write != access
          && !isOrdered(write, access, thread)
          && !areSame(write, access)) {
        CopyMisuse race = report(write, access, thread);
        if (access.kind() != ThreadAccess.WRITE
            || access.isAsynchronous()
            || write.isAsynchronous()) {
          throw race;
        }
        long place = address - from + ((long) at << in.unit);
        order.suspects().add(race, memory.at(place, 1L << in.unit));
      }
      Object others = in.others[at];
      if (others instanceof GlobalAccess one) {
        requireOrdered(one, access, thread);
      } else if (others instanceof GlobalAccess[] some) {
        for (GlobalAccess one : some) {
          requireOrdered(one, access, thread);
        }
      }
      if (access.kind() == ThreadAccess.WRITE) {
        in.writes[at] = access;
        in.others[at] = null;
      } else if (others != access) {
        in.others[at] = added(others, access, thread);
      }
    }
  }

  /** Whether two copies bring the same bytes. */
  private static boolean areSame(GlobalAccess write, GlobalAccess access) {
    PendingStore before = write.store();
    PendingStore now = access.store();
    return before != null && now != null && now.bringsSame(before);
  }

  @SuppressWarnings("ReferenceEquality") // the same access
  private void requireOrdered(
      @Nullable GlobalAccess one, GlobalAccess access, DeviceThread thread) {
    if (one != null && one != access && conflict(one, access) && !isOrdered(one, access, thread)) {
      throw report(one, access, thread);
    }
  }

  private static boolean conflict(GlobalAccess one, GlobalAccess other) {
    if (!one.kind().writes() && !other.kind().writes()) {
      return false;
    }
    boolean atomic = one.kind().isAtomic() && other.kind().isAtomic();
    return !atomic || (one.cluster() != other.cluster() && !(one.wide() && other.wide()));
  }

  private boolean isOrdered(GlobalAccess before, GlobalAccess now, DeviceThread thread) {
    if (before.copy() != null && before.cluster() == now.cluster()) {
      return before.copy().isDone() && before.copy().isKnownTo(order, thread);
    }
    if (before.store() != null && before.cluster() == now.cluster()) {
      return before.store().isWrittenKnownTo(order, thread);
    }
    if (before.store() != null) {
      return before.store().isWrittenKnownTo(order, thread, before.cluster());
    }
    if (before.copy() != null) {
      return before.copy().isDone() && before.copy().isKnownTo(order, thread, before.cluster());
    }
    return before.cluster() == now.cluster()
        ? before.rank() == now.rank() || order.knows(thread, before.rank(), before.clock())
        : order.knowsOther(thread, before.cluster(), before.rank(), before.clock());
  }

  /** The accesses that are kept beside the last write, with another one. */
  @SuppressWarnings("ReferenceEquality") // the same access
  private Object added(@Nullable Object others, GlobalAccess access, DeviceThread thread) {
    if (others == null) {
      return access;
    }
    if (others instanceof GlobalAccess one) {
      return isReplaced(one, access, thread)
          ? access
          : new @Nullable GlobalAccess[] {one, access, null, null};
    }
    @Nullable GlobalAccess[] some = (GlobalAccess[]) others;
    for (int i = 0; i < some.length; i++) {
      GlobalAccess one = some[i];
      if (one == null || one == access || isReplaced(one, access, thread)) {
        some[i] = access;
        return some;
      }
    }
    some[some.length - 2] = some[some.length - 1]; // the first ones and the last ones are kept
    some[some.length - 1] = access;
    return some;
  }

  /** Whether what races with an earlier access of the same kind would race with a later one. */
  private boolean isReplaced(GlobalAccess one, GlobalAccess access, DeviceThread thread) {
    return one.kind() == access.kind() && isOrdered(one, access, thread);
  }

  private CopyMisuse report(GlobalAccess before, GlobalAccess now, DeviceThread thread) {
    String cluster =
        before.cluster() == now.cluster() ? "" : thread.cluster().describe(before.cluster());
    return reports.race(before, now, thread.isCarried(), cluster);
  }
}
