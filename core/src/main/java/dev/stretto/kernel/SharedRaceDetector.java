package dev.stretto.kernel;

import dev.stretto.fault.CopyRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Watches a block's shared memory for accesses that are in no order with an asynchronous copy. It
 * knows what happened before what by vector clocks: one number for each thread, and one for each
 * barrier object, by which copies become known to who waits there. What threads do among themselves
 * without a copy is not its matter.
 *
 * <p>To know where a thread is costs more than everything else, so that lines are kept only when a
 * block is run a second time because one was missing in a report.
 */
final class SharedRaceDetector {
  private static final int WORD = 4;

  /** What has been done to four bytes. */
  private static final class Shadow {
    final @Nullable PendingCopy[] copies;
    final BulkStores.@Nullable Store[] stores;
    final @Nullable Reads[] reads;
    final @Nullable Write[] writes;
    final @Nullable Products[] products;

    Shadow(int bytes) {
      int words = (bytes + WORD - 1) / WORD;
      copies = new @Nullable PendingCopy[words];
      stores = new BulkStores.@Nullable Store[words];
      reads = new @Nullable Reads[words];
      writes = new @Nullable Write[words];
      products = new @Nullable Products[words];
    }
  }

  /** Reads since the last copy, the newest first. */
  private static final class Reads {
    private final int thread;
    private final int clock;
    private final int round;
    private final boolean pending;
    private final @Nullable CallPath line;
    private final @Nullable Reads before;

    Reads(DeviceThread thread, int clock, @Nullable CallPath line, @Nullable Reads before) {
      this.thread = thread.rank();
      this.clock = clock;
      this.round = thread.copies().rounds();
      this.pending = thread.copies().arePending();
      this.line = line;
      this.before = before;
    }

    boolean has(int otherThread, int otherClock) {
      for (Reads at = this; at != null; at = at.before) {
        if (at.thread == otherThread && at.clock == otherClock) {
          return true;
        }
      }
      return false;
    }
  }

  /** Products of warp groups that have read since the last copy or write, the newest first. */
  private record Products(WarpGroupProduct product, @Nullable Products before) {}

  /** The last plain write. */
  private record Write(int thread, int clock, @Nullable CallPath line) {}

  private final BlockThreads block;
  private final int threads;
  private final boolean keepsLines;
  private final IdentityHashMap<SharedStorage, Shadow> shadows = new IdentityHashMap<>();
  private final List<List<Integer>> fences = new ArrayList<>();
  private int[][] clocks;
  private final @Nullable CopyVisits visits;
  private final @Nullable LearningHistory history;
  private int[] atomics = new int[0];
  private int slots;
  private boolean active;

  SharedRaceDetector(BlockThreads block, int threads, boolean keepsLines) {
    this.block = block;
    this.threads = threads;
    this.keepsLines = keepsLines;
    this.clocks = new int[threads][];
    this.slots = threads;
    this.visits = keepsLines ? new CopyVisits() : null;
    this.history = keepsLines ? new LearningHistory(threads) : null;
  }

  /** A block begins. */
  void begin() {
    shadows.forEach((storage, _) -> storage.watch(null));
    shadows.clear();
    active = false;
  }

  /** From the first copy or barrier object of a block on everything is watched. */
  void activate() {
    if (active) {
      return;
    }
    active = true;
    slots = threads;
    atomics = new int[0];
    fences.clear();
    for (int thread = 0; thread < threads; thread++) {
      clocks[thread] = new int[threads];
      clocks[thread][thread] = 1;
      fences.add(new ArrayList<>());
    }
    for (BlockState one : block.blocks()) {
      one.memory().live().forEach(this::watch);
    }
  }

  boolean isActive() {
    return active;
  }

  /** An array that a thread has got. */
  void watch(SharedStorage storage) {
    if (active && storage.watch() == null) {
      storage.watch(this);
      shadows.put(storage, new Shadow(storage.bytes()));
    }
  }

  // --- order
  // ----------------------------------------------------------------------------------------------------------

  /** A place in the clocks for a barrier object. */
  int newSlot() {
    return slots++;
  }

  private int[] clock(DeviceThread thread) {
    return clocks[thread.rank()];
  }

  static int at(int[] clock, int slot) {
    return slot < clock.length ? clock[slot] : 0;
  }

  private static int[] join(int[] a, int[] b) {
    int[] both = a.length >= b.length ? a : Arrays.copyOf(a, b.length);
    for (int i = 0; i < b.length; i++) {
      both[i] = Math.max(both[i], b[i]);
    }
    return both;
  }

  /** A thread makes known what it did: gives what was known to others before together with that. */
  int[] release(DeviceThread thread, int[] before) {
    if (!active) {
      return before;
    }
    int[] joined = join(Arrays.copyOf(before, before.length), clock(thread));
    clock(thread)[thread.rank()]++;
    return joined;
  }

  /** A thread learns what others made known. */
  void acquire(DeviceThread thread, int[] known) {
    if (active) {
      clocks[thread.rank()] = join(clock(thread), known);
      if (history != null) {
        history.learns(thread.rank(), now(thread), known);
      }
    }
  }

  /** A thread learns that a phase of a barrier object has ended. */
  void acquire(DeviceThread thread, int slot, int number) {
    if (active) {
      int[] clock = clock(thread);
      if (clock.length <= slot) {
        clock = Arrays.copyOf(clock, slot + 1);
        clocks[thread.rank()] = clock;
      }
      clock[slot] = Math.max(clock[slot], number);
      if (history != null) {
        history.learns(thread.rank(), now(thread), slot, number);
      }
    }
  }

  int now(DeviceThread thread) {
    return active ? clock(thread)[thread.rank()] : 0;
  }

  boolean knows(DeviceThread thread, int slot, int number) {
    return !active || at(clock(thread), slot) >= number;
  }

  /** Atomic operations may be how threads tell each other something: each is taken to be. */
  void atomic(DeviceThread thread) {
    if (active) {
      acquire(thread, atomics);
      atomics = release(thread, atomics);
    }
  }

  /** What the thread did so far comes before what asynchronous copies do that it makes known to. */
  void fenceProxy(DeviceThread thread) {
    if (active) {
      fences.get(thread.rank()).add(clock(thread)[thread.rank()]++);
    }
  }

  private boolean isFenced(Write write, DeviceThread by) {
    for (int fence : fences.get(write.thread)) {
      if (fence >= write.clock) {
        return write.thread == by.rank() || knows(by, write.thread, fence);
      }
    }
    return false;
  }

  // --- accesses
  // -------------------------------------------------------------------------------------------------------

  /** Where the thread that calls is, if lines are kept. */
  @Nullable CallPath line() {
    return keepsLines ? CallPath.here() : null;
  }

  CopyMisuse misuse(CopyRule rule, String what) {
    return new CopyMisuse(rule, what, !keepsLines);
  }

  void read(SharedStorage storage, int from, int bytes) {
    Shadow shadow = shadows.get(storage);
    DeviceThread thread = block.running();
    if (shadow == null || isOutside(storage, from, bytes)) {
      return;
    }
    Reads added = null;
    for (int word = from / WORD; word <= (from + bytes - 1) / WORD; word++) {
      requireFilled(shadow.copies[word], thread, "reads");
      Reads before = shadow.reads[word];
      int clock = now(thread);
      if (before == null || !before.has(thread.rank(), clock)) {
        if (added == null || added.before != before) {
          added = new Reads(thread, clock, line(), before);
        }
        shadow.reads[word] = added;
      }
    }
  }

  void write(SharedStorage storage, int from, int bytes) {
    Shadow shadow = shadows.get(storage);
    DeviceThread thread = block.running();
    if (shadow == null || isOutside(storage, from, bytes)) {
      return;
    }
    Write write = new Write(thread.rank(), now(thread), line());
    for (int word = from / WORD; word <= (from + bytes - 1) / WORD; word++) {
      requireFilled(shadow.copies[word], thread, "writes");
      requireStored(shadow.stores[word], thread, "writes");
      requireMultiplied(shadow.products[word], thread, "writes");
      shadow.products[word] = null;
      shadow.writes[word] = write;
    }
  }

  /** The access itself says so. */
  private static boolean isOutside(SharedStorage storage, int from, int bytes) {
    return from < 0 || bytes <= 0 || from + bytes > storage.bytes();
  }

  private void requireFilled(@Nullable PendingCopy copy, DeviceThread thread, String does) {
    if (copy == null) {
      return;
    }
    if (!copy.isDone() && copy.uncounted() != null) {
      throw misuse(
          CopyRule.BYTE_COUNT,
          name(thread)
              + does
              + " shared memory that "
              + copy
              + " still fills: a phase of "
              + copy.uncounted()
              + " has ended without its "
              + copy.bytes()
              + " bytes, which were not expected");
    }
    if (!copy.isDone()) {
      throw unfinished(copy, thread, does);
    }
    if (!copy.isKnownTo(this, thread)) {
      String what =
          name(thread)
              + does
              + " shared memory that "
              + copy
              + " has filled, and only "
              + copy.knownTo()
              + " knows: ";
      throw isRefill(copy, thread)
          ? misuse(
              CopyRule.EARLY_REFILL,
              what + "put a barrier between this access and the copy that comes after it")
          : misuse(
              CopyRule.MISSING_BARRIER,
              what
                  + "put a barrier between that wait and this access, and one between this access"
                  + " and the next copy");
    }
  }

  /** Whether a thread means what was there before a copy that another thread has begun. */
  private boolean isRefill(PendingCopy copy, DeviceThread thread) {
    ReusedPlace place = copy.place();
    return place != null
        && visits != null
        && history != null
        && thread.rank() != copy.thread()
        && place.isWantedBy(thread.rank(), thread.copies().rounds(), history, visits);
  }

  private CopyMisuse unfinished(PendingCopy copy, DeviceThread thread, String does) {
    String what = name(thread) + does + " shared memory that " + copy + " still fills";
    if (does.equals("writes")) {
      return misuse(
          CopyRule.UNORDERED_WRITES, what + ": nothing says which of the two comes first");
    }
    if (isRefill(copy, thread)) {
      return misuse(
          CopyRule.EARLY_REFILL, what + " anew: put a barrier between this read and that copy");
    }
    if (!copy.isCounted() && copy.thread() != thread.rank()) {
      return misuse(
          CopyRule.MISSING_BARRIER,
          what + ": that thread has to wait for it, and a barrier to come before this access");
    }
    return copy.isGrouped()
        ? misuse(
            CopyRule.WAIT_LEAVES_GROUP,
            what + ": the wait before it leaves its group pending; leave fewer")
        : misuse(CopyRule.MISSING_WAIT, what + ": wait for the copy before");
  }

  private void requireStored(BulkStores.@Nullable Store store, DeviceThread thread, String does) {
    if (store == null) {
      return;
    }
    if (!store.isRead()) {
      throw misuse(
          CopyRule.STORE_NOT_READ,
          name(thread)
              + does
              + " shared memory that "
              + store
              + " still reads: wait with cpAsyncBulkWaitGroupRead before");
    }
    if (!knows(thread, store.thread(), store.number())) {
      throw misuse(
          CopyRule.MISSING_BARRIER,
          name(thread)
              + does
              + " shared memory that "
              + store
              + " has read, as only thread "
              + store.thread()
              + " knows: put a barrier between its wait and this access");
    }
  }

  private void requireMultiplied(@Nullable Products products, DeviceThread thread, String does) {
    for (Products at = products; at != null; at = at.before) {
      if (!at.product.isReadKnownTo(this, thread)) {
        String what = name(thread) + does + " shared memory that " + at.product;
        throw misuse(
            CopyRule.EARLY_REFILL,
            at.product.isRead()
                ? what
                    + " has read, and this thread does not know of every warp's wait: put a barrier"
                    + " between, on which each of the four warps arrives"
                : what
                    + " still reads: put wgmmaWaitGroup and a barrier between the product and"
                    + " this");
      }
    }
  }

  private static String name(DeviceThread thread) {
    return "thread " + thread.rank() + " ";
  }

  static String at(@Nullable CallPath line) {
    return line == null ? "" : " (" + line + ")";
  }

  /** A copy is begun that fills some bytes. */
  void begins(PendingCopy copy, SharedStorage storage, int from, int bytes) {
    Shadow shadow = shadows.get(storage);
    DeviceThread thread = block.running();
    if (shadow == null) {
      return;
    }
    int visit = visits == null ? 0 : visits.visit(copy.line(), thread);
    for (int word = from / WORD; word <= (from + bytes - 1) / WORD; word++) {
      if (keepsLines) {
        copy.fills(place(shadow, word, thread, copy, visit));
      }
      requireOthersDone(shadow, word, thread, copy);
      PendingCopy before = shadow.copies[word];
      if (before != null) {
        before.loses();
      }
      copy.takes();
      shadow.copies[word] = copy;
      shadow.reads[word] = null;
      shadow.writes[word] = null;
      shadow.products[word] = null;
    }
  }

  private ReusedPlace place(
      Shadow shadow, int word, DeviceThread thread, PendingCopy copy, int visit) {
    PendingCopy before = shadow.copies[word];
    ReusedPlace beside = copy.place();
    PendingCopy first = before;
    if (before != null && beside != null && beside.before() == before) {
      first = beside.first();
    } else if (before != null) {
      ReusedPlace former = before.place();
      first = former == null || former.first() == null ? before : former.first();
      before.forgetsPlace(); // or each copy would keep all before it
    }
    Write write = shadow.writes[word];
    return new ReusedPlace(
        first,
        before,
        write == null ? -1 : write.thread,
        write == null ? 0 : write.clock,
        beside == null ? clock(thread).clone() : beside.known(),
        copy.line(),
        visit);
  }

  private void requireOthersDone(Shadow shadow, int word, DeviceThread thread, PendingCopy copy) {
    PendingCopy other = shadow.copies[word];
    if (other != null && !(other.isDone() && other.isKnownTo(this, thread))) {
      throw misuse(
          CopyRule.UNORDERED_WRITES,
          copy + " fills shared memory that " + other + " fills: nothing says which comes first");
    }
    requireStored(shadow.stores[word], thread, "has a copy fill");
    requireMultiplied(shadow.products[word], thread, "has a copy fill");
    for (Reads read = shadow.reads[word]; read != null; read = read.before) {
      if (!knows(thread, read.thread, read.clock)) {
        throw isAhead(read, copy) ? ahead(read, copy) : behind(read, copy);
      }
    }
    Write write = shadow.writes[word];
    if (write != null && !knows(thread, write.thread, write.clock)) {
      throw misuse(
          CopyRule.UNORDERED_WRITES,
          copy
              + " fills shared memory that thread "
              + write.thread
              + " writes"
              + at(write.line)
              + ": put a barrier between that write and this copy");
    }
  }

  /** Whether a thread that has read before a copy began wanted what the copy brings. */
  private boolean isAhead(Reads read, PendingCopy copy) {
    ReusedPlace place = copy.place();
    return place != null
        && visits != null
        && history != null
        && !place.isWantedBy(read.thread, read.round, history, visits);
  }

  private CopyMisuse ahead(Reads read, PendingCopy copy) {
    // Only its own thread waits for a copy that no barrier counts: what others lack is a barrier.
    boolean lacksBarrier = !copy.isCounted() && !read.pending;
    return misuse(
        lacksBarrier ? CopyRule.MISSING_BARRIER : CopyRule.MISSING_WAIT,
        "thread "
            + read.thread
            + " reads"
            + at(read.line)
            + " shared memory that "
            + copy
            + " fills, without having waited for that copy: "
            + (copy.isCounted()
                ? "wait for it before this read"
                : "thread "
                    + copy.thread()
                    + " has to wait for it, and a barrier to come before this read"));
  }

  private CopyMisuse behind(Reads read, PendingCopy copy) {
    return misuse(
        CopyRule.EARLY_REFILL,
        copy
            + " fills shared memory that thread "
            + read.thread
            + " reads"
            + at(read.line)
            + ": put a barrier between that read and this copy");
  }

  /** A bulk copy to global memory is begun that reads some bytes. */
  void begins(BulkStores.Store store, SharedStorage storage, int from, int bytes) {
    Shadow shadow = shadows.get(storage);
    DeviceThread thread = block.running();
    if (shadow == null) {
      return;
    }
    for (int word = from / WORD; word <= (from + bytes - 1) / WORD; word++) {
      requireFilled(shadow.copies[word], thread, "has a bulk copy read");
      requireFenced(shadow.writes[word], thread, store);
      shadow.stores[word] = store;
    }
  }

  /** A product of a warp group is begun that reads some bytes. */
  void begins(WarpGroupProduct product, SharedStorage storage, int from, int bytes) {
    Shadow shadow = shadows.get(storage);
    DeviceThread thread = block.running();
    if (shadow == null) {
      return;
    }
    for (int word = from / WORD; word <= (from + bytes - 1) / WORD; word++) {
      requireFilled(shadow.copies[word], thread, "has a product read");
      requireFenced(shadow.writes[word], thread, product);
      Products before = shadow.products[word];
      if (before == null || before.product != product) {
        shadow.products[word] = new Products(product, before);
      }
    }
  }

  /** What the asynchronous proxy reads has been written before, and made known to it. */
  private void requireFenced(@Nullable Write write, DeviceThread thread, Object reader) {
    if (write != null && !knows(thread, write.thread, write.clock)) {
      throw misuse(
          CopyRule.MISSING_BARRIER,
          reader
              + " reads shared memory that thread "
              + write.thread
              + " writes"
              + at(write.line)
              + ": put fenceProxyAsyncShared and a barrier between that write and this "
              + (reader instanceof BulkStores.Store ? "copy" : "product"));
    }
    if (write != null && !isFenced(write, thread)) {
      throw misuse(
          CopyRule.MISSING_PROXY_FENCE,
          reader
              + " reads shared memory that thread "
              + write.thread
              + " has written"
              + at(write.line)
              + ": that thread has to call fenceProxyAsyncShared between its write and the"
              + " barrier");
    }
  }
}
