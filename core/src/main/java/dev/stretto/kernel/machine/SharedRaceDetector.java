package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Watches the shared memory of a cluster for accesses that are not ordered with an asynchronous
 * copy, or with another thread's access.
 */
final class SharedRaceDetector implements SharedStorage.Accesses {
  /** A product of matrices that a warp group has begun. */
  interface Product {
    /** Whether every warp has waited. */
    boolean isRead();

    /** Whether a thread is one of those that multiply. */
    boolean isMultipliedBy(Coroutine thread);

    /** Whether a thread has begun the product and not waited for it. */
    boolean isPendingIn(Coroutine thread);

    /** Whether a thread knows that each warp has begun the product. */
    boolean isBegunKnownTo(HappensBefore order, Coroutine thread);

    /** Whether a thread knows that no warp still reads the product's matrices. */
    boolean isReadKnownTo(HappensBefore order, Coroutine thread);
  }

  /**
   * The last accesses to each group of bytes of an array: of four bytes, until an access does not
   * begin and end with such groups.
   */
  private static final class Shadow implements PackedAccesses.Receiver {
    int unit = WORD;
    @Nullable PendingCopy[] copies = {};
    @Nullable Stores[] stores = {};
    @Nullable Object @Nullable [] barriers;
    @Nullable SharedReads[] reads = {};
    @Nullable Write[] writes = {};
    @Nullable Products[] products = {};
    @Nullable Changes[] changes = {};

    private final SharedStorage storage;
    private final int words;

    /** Where plain accesses are kept as numbers; null if no places have numbers. */
    private final @Nullable PackedAccesses plain;

    /** The same while groups are words. */
    private @Nullable PackedAccesses packed;

    private final CallPath[] places;

    /**
     * Creates the shadow of an array.
     *
     * @param places the places that have numbers
     */
    Shadow(SharedStorage storage, CallPath[] places) {
      this.storage = storage;
      this.words = (storage.bytes() + WORD - 1) / WORD;
      this.plain = places.length == 0 ? null : new PackedAccesses(words, false);
      this.places = places;
    }

    /** Forgets all accesses. */
    void begin() {
      unit = WORD;
      barriers = null;
      packed = plain;
      if (plain == null) {
        open();
      } else {
        plain.clear();
        copies = new @Nullable PendingCopy[0];
      }
    }

    private void open() {
      copies = new @Nullable PendingCopy[words];
      stores = new @Nullable Stores[words];
      reads = new @Nullable SharedReads[words];
      writes = new @Nullable Write[words];
      products = new @Nullable Products[words];
      changes = new @Nullable Changes[words];
    }

    /** Makes the groups as small as an access demands. */
    void fits(int from, int bytes) {
      int least = Integer.lowestOneBit(from | bytes);
      if (least >= unit) {
        return;
      }
      spread(least);
    }

    private void spread(int least) {
      for (int word = 0; word < words; word++) {
        opens(word);
      }
      packed = null;
      storage.unpack();
      int times = unit / least;
      copies = spread(copies, times);
      stores = spread(stores, times);
      reads = spread(reads, times);
      writes = spread(writes, times);
      products = spread(products, times);
      changes = spread(changes, times);
      barriers = barriers == null ? null : spread(barriers, times);
      unit = least;
      for (int i = 0; i < copies.length; i++) {
        PendingCopy copy = copies[i];
        if (copy != null && i % times != 0) {
          copy.takes();
        }
      }
    }

    private static <T> @Nullable T[] spread(@Nullable T[] of, int times) {
      @Nullable T[] spread = Arrays.copyOf(of, of.length * times);
      for (int i = spread.length - 1; i >= 0; i--) {
        spread[i] = spread[i / times];
      }
      return spread;
    }

    /** Plain accesses, while groups are words; null if there are none. */
    @Nullable PackedAccesses packed() {
      return packed;
    }

    /** Has the accesses to a group as objects from now on. */
    void opens(int word) {
      PackedAccesses from = packed;
      if (from == null || !from.has(word)) {
        return;
      }
      if (copies.length == 0) {
        open();
      }
      from.give(word, this);
    }

    @Override
    public void write(int word, int cluster, int thread, int clock, int place) {
      writes[word] = new Write(thread, clock, places[place]);
    }

    @Override
    public void read(int word, int cluster, int thread, int clock, int place) {
      reads[word] = new SharedReads(thread, clock, places[place], reads[word]);
    }

    /**
     * Notes that a thread has written a group, and that nothing else matters any more.
     *
     * @param place the number of the place where; -1 if it has none
     */
    void isWritten(int word, Write write, int place) {
      products[word] = null;
      changes[word] = null;
      reads[word] = null;
      PackedAccesses plainly = packed;
      boolean isPacked =
          plainly != null
              && copies[word] == null
              && stores[word] == null
              && (barriers == null || barriers[word] == null)
              && plainly.takes(word, write.thread, write.clock, place);
      writes[word] = isPacked ? null : write;
    }

    /** Notes which barrier object some bytes are; null if they are none. */
    void barrier(int at, int bytes, @Nullable Object barrier) {
      for (int word = at / unit; word < (at + bytes) / unit; word++) {
        opens(word);
      }
      @Nullable Object[] known = barriers;
      if (known == null) {
        known = new @Nullable Object[writes.length];
        barriers = known;
      }
      Arrays.fill(known, at / unit, (at + bytes) / unit, barrier);
    }
  }

  /** The last plain write. */
  private record Write(int thread, int clock, @Nullable CallPath line) {}

  /** Products of warp groups that have read since the last copy or write, the newest first. */
  private record Products(Product product, @Nullable Products before) {}

  /**
   * Asynchronous operations that have changed the bytes atomically since the last copy or write,
   * the newest first.
   */
  private record Changes(PendingCopy one, @Nullable Changes before, int count) {
    /** The shortest list in which those are looked for that tell nothing new. */
    private static final int FEWEST = 16;

    static Changes of(PendingCopy one, @Nullable Changes before) {
      int count = before == null ? 1 : before.count + 1;
      Changes all = new Changes(one, before, count);
      return count < FEWEST || Integer.bitCount(count) > 1 ? all : all.withoutSame();
    }

    /** The same, with one of those that became known at the same time. */
    private Changes withoutSame() {
      Changes kept = null;
      for (Changes at = this; at != null; at = at.before) {
        PendingCopy other = at.one;
        boolean same = false;
        for (Changes of = kept; of != null && !same; of = of.before) {
          same = other.isKnownLike(of.one);
        }
        if (!same) {
          kept = new Changes(other, kept, kept == null ? 1 : kept.count + 1);
        }
      }
      return Objects.requireNonNull(kept, "at least the newest");
    }
  }

  /** Bulk copies to global memory that have read since the last write, the newest first. */
  private record Stores(PendingStore store, @Nullable Stores before) {}

  private static final int WORD = 4;

  private final Coroutine.Turns turns;
  private final HappensBefore order;

  /** The last accesses to arrays that are watched, or were in an earlier cluster. */
  private final IdentityHashMap<SharedStorage, Shadow> shadows = new IdentityHashMap<>();

  private final List<SharedStorage> watched = new ArrayList<>();
  private @Nullable SharedStorage lastStorage;
  private @Nullable Shadow lastShadow;

  /** Arrays that threads obtained before anything was watched. */
  private final List<SharedStorage> unwatched = new ArrayList<>();

  private final StaleStages stages;
  private final @Nullable CopyVisits visits;
  private final @Nullable LearningHistory history;
  private CallPath[] places = {};

  /**
   * Creates a detector.
   *
   * @param turns knows which thread runs
   * @param order what threads know of each other
   * @param threads how many there are
   * @param keepsLines whether to keep what reports with lines need
   */
  SharedRaceDetector(Coroutine.Turns turns, HappensBefore order, int threads, boolean keepsLines) {
    this.turns = turns;
    this.order = order;
    this.stages = new StaleStages(order, threads);
    this.visits = keepsLines ? new CopyVisits() : null;
    this.history = order.history();
  }

  /** Says which places have numbers: those of threads without carriers. */
  void places(CallPath[] numbered) {
    places = numbered;
  }

  /** Called when a cluster begins. */
  void begin() {
    watched.forEach(storage -> storage.watch(null, null));
    if (shadows.size() > 2 * watched.size()) {
      shadows.clear(); // most are of arrays that are gone
      lastStorage = null;
    }
    watched.clear();
    unwatched.clear();
    stages.begin();
  }

  /** The stages that threads read and give back. */
  StaleStages stages() {
    return stages;
  }

  /**
   * Starts to watch all arrays, unless this has been done: at the first copy or barrier object of a
   * cluster, or at its beginning.
   */
  void activate() {
    if (!order.isActive() && order.mayBeActive()) {
      order.activate();
      unwatched.forEach(this::watch);
      unwatched.clear();
    }
  }

  @SuppressWarnings("ReferenceEquality") // a storage has an identity
  private @Nullable Shadow shadow(SharedStorage storage) {
    if (storage.watch() == null) {
      return null;
    }
    if (storage != lastStorage) {
      lastStorage = storage;
      lastShadow = shadows.get(storage);
    }
    return lastShadow;
  }

  /** Called when a thread has obtained an array. */
  void watch(SharedStorage storage) {
    if (!order.isActive()) {
      unwatched.add(storage);
    } else if (storage.watch() == null) {
      Shadow shadow = shadows.computeIfAbsent(storage, each -> new Shadow(each, places));
      shadow.begin();
      storage.watch(this, shadow.packed());
      lastStorage = null;
      watched.add(storage);
    }
  }

  @Override
  public void read(SharedStorage storage, int from, int bytes) {
    adds(ThreadAccess.READ, storage, from, bytes);
  }

  /** Notes a read or an atomic operation: what any number of threads may do at once. */
  private void adds(ThreadAccess kind, SharedStorage storage, int from, int bytes) {
    Shadow shadow = shadow(storage);
    Coroutine thread = turns.running();
    if (shadow == null || isOutside(storage, from, bytes)) {
      return;
    }
    order.settle();
    SharedReads added = null;
    shadow.fits(from, bytes);
    int unit = shadow.unit;
    String does = kind == ThreadAccess.READ ? "reads" : kind.does();
    for (int word = from / unit; word <= (from + bytes - 1) / unit; word++) {
      shadow.opens(word);
      requireFilled(shadow.copies[word], thread, does);
      if (kind == ThreadAccess.UPDATE) {
        requireNoBarrier(shadow, word, thread, does);
        requireStored(shadow.stores[word], thread, does);
        requireMultiplied(shadow.products[word], thread, does);
      }
      if (!kind.isAtomic()) {
        requireChanged(shadow.changes[word], thread, does);
      }
      requireKnown(shadow.writes[word], thread, kind);
      SharedReads before = shadow.reads[word];
      int clock = order.now(thread);
      if (before == null || !before.has(kind, thread.rank(), clock)) {
        requireKnown(before, thread, kind);
        PendingCopy copy = shadow.copies[word];
        SharedReads.First first = copy == null ? null : stages.first(before, thread);
        if (copy != null && first != null) {
          stages.readsAgain(copy, first, thread, does);
        }
        if (copy == null && shadow.writes[word] == null) {
          stages.readsUndefined(thread);
        }
        if (added == null || added.before != before) {
          added =
              new SharedReads(kind, thread, clock, order.lineOf(thread), before, first).newest();
        }
        shadow.reads[word] = added;
      }
    }
  }

  /** Observes atomic operations on some bytes. */
  AtomicWatch atomic(SharedStorage storage, int from, int bytes) {
    return new AtomicWatch() {
      @Override
      public void loads() {
        adds(ThreadAccess.LOAD, storage, from, bytes);
      }

      @Override
      public void updates() {
        adds(ThreadAccess.UPDATE, storage, from, bytes);
      }
    };
  }

  @Override
  public void write(SharedStorage storage, int from, int bytes) {
    write(storage, from, bytes, -1);
  }

  /**
   * Called when the running thread writes some bytes.
   *
   * @param place the number of the place where; -1 if it has none
   */
  void write(SharedStorage storage, int from, int bytes, int place) {
    Shadow shadow = shadow(storage);
    Coroutine thread = turns.running();
    if (shadow == null || isOutside(storage, from, bytes)) {
      return;
    }
    order.settle();
    Write write = new Write(thread.rank(), order.now(thread), order.lineOf(thread));
    shadow.fits(from, bytes);
    int unit = shadow.unit;
    for (int word = from / unit; word <= (from + bytes - 1) / unit; word++) {
      shadow.opens(word);
      requireNoBarrier(shadow, word, thread, "writes");
      requireFilled(shadow.copies[word], thread, "writes");
      requireChanged(shadow.changes[word], thread, "writes");
      requireStored(shadow.stores[word], thread, "writes");
      requireMultiplied(shadow.products[word], thread, "writes");
      requireKnown(shadow.reads[word], thread, ThreadAccess.WRITE);
      Write before = shadow.writes[word];
      if (before != null && !order.knows(thread, before.thread(), before.clock())) {
        order
            .suspects()
            .add(
                race(
                    ThreadAccess.WRITE, before.thread(), before.line(), thread, ThreadAccess.WRITE),
                storage.memory().asSlice((long) word * unit, unit));
      }
      shadow.isWritten(word, write, place);
    }
  }

  /** Requires that a thread knows of a write before its own access. */
  private void requireKnown(@Nullable Write write, Coroutine thread, ThreadAccess kind) {
    if (write != null && !order.knows(thread, write.thread(), write.clock())) {
      throw race(ThreadAccess.WRITE, write.thread(), write.line(), thread, kind);
    }
  }

  /** Requires that a thread knows of the reads and atomic operations that race with its access. */
  private void requireKnown(@Nullable SharedReads reads, Coroutine thread, ThreadAccess kind) {
    if (reads == null
        || !(kind.writes() || reads.areUpdates)
        || (kind.isAtomic() && reads.areAtomic)) {
      return;
    }
    for (SharedReads at = reads; at != null; at = at.before) {
      boolean conflict =
          (kind.writes() || at.kind.writes()) && !(kind.isAtomic() && at.kind.isAtomic());
      if (conflict && !order.knows(thread, at.thread, at.clock)) {
        throw race(at.kind, at.thread, at.line, thread, kind);
      }
    }
  }

  private CopyMisuse race(
      ThreadAccess before, int other, @Nullable CallPath line, Coroutine thread, ThreadAccess now) {
    boolean writes = before == ThreadAccess.WRITE && now == ThreadAccess.WRITE;
    boolean plain = !before.isAtomic() && !now.isAtomic();
    return order.race(
        writes ? CopyRule.UNORDERED_WRITES : CopyRule.MISSING_BARRIER,
        name(thread)
            + now.does()
            + " shared memory that thread "
            + other
            + " "
            + before.does()
            + CallPath.inBrackets(line)
            + ": a race, as nothing orders the two; put a barrier such as block.sync() between"
            + (plain ? "" : ", or use Atomics for both"),
        line);
  }

  /** Whether an access is out of bounds. The access itself reports that. */
  private static boolean isOutside(SharedStorage storage, int from, int bytes) {
    return from < 0 || bytes <= 0 || from + bytes > storage.bytes();
  }

  private void requireFilled(@Nullable PendingCopy copy, Coroutine thread, String does) {
    if (copy == null) {
      return;
    }
    if (!copy.isDone() && copy.uncounted() != null) {
      throw order.misuse(
          CopyRule.BYTE_COUNT,
          name(thread)
              + does
              + " shared memory that "
              + copy
              + " still "
              + copy.does()
              + ": a phase of "
              + copy.uncounted()
              + " has ended without its "
              + copy.bytes()
              + " bytes, which were not expected");
    }
    if (!copy.isDone()) {
      throw unfinished(copy, thread, does);
    }
    if (!copy.isKnownTo(order, thread)) {
      String what =
          name(thread)
              + does
              + " shared memory that "
              + copy
              + " "
              + copy.hasDone()
              + ", and only "
              + copy.knownTo()
              + " knows: ";
      if (isRefill(copy, thread)) {
        throw order.misuse(
            CopyRule.EARLY_REFILL,
            what + "put a barrier between this access and the copy that comes after it");
      }
      throw stages.waitsItself(copy, thread)
          ? order.misuse(CopyRule.MISSING_WAIT, what + "wait there before this access")
          : order.misuse(
              CopyRule.MISSING_BARRIER,
              what
                  + "put a barrier between that wait and this access, and one between this access"
                  + " and the next copy");
    }
  }

  /** Whether a thread wants the content from before a copy that another thread has begun. */
  private boolean isRefill(PendingCopy copy, Coroutine thread) {
    ReusedPlace place = copy.place();
    return place != null
        && visits != null
        && history != null
        && thread.rank() != copy.thread()
        && place.isWantedBy(thread.rank(), thread.copies().rounds(), history, visits);
  }

  private CopyMisuse unfinished(PendingCopy copy, Coroutine thread, String does) {
    String what = name(thread) + does + " shared memory that " + copy + " still " + copy.does();
    if (does.equals("writes")) {
      return order.misuse(
          CopyRule.UNORDERED_WRITES, what + ": nothing says which of the two comes first");
    }
    if (isRefill(copy, thread)) {
      return order.misuse(
          CopyRule.EARLY_REFILL, what + " anew: put a barrier between this read and that copy");
    }
    if (!copy.isCounted() && copy.thread() != thread.rank()) {
      return order.misuse(
          CopyRule.MISSING_BARRIER,
          what + ": that thread has to wait for it, and a barrier to come before this access");
    }
    return copy.isGrouped()
        ? order.misuse(
            CopyRule.WAIT_LEAVES_GROUP,
            what + ": the wait before it leaves its group pending; leave fewer")
        : order.misuse(CopyRule.MISSING_WAIT, what + ": wait for the copy before");
  }

  /** Requires that all operations have changed the bytes, as the thread knows. */
  private void requireChanged(@Nullable Changes changes, Coroutine thread, String does) {
    for (Changes at = changes; at != null; at = at.before()) {
      requireFilled(at.one(), thread, does);
    }
  }

  private void requireStored(@Nullable Stores stores, Coroutine thread, String does) {
    for (Stores at = stores; at != null; at = at.before()) {
      requireStored(at.store(), thread, does);
    }
  }

  private void requireStored(PendingStore store, Coroutine thread, String does) {
    if (!store.isRead()) {
      throw order.misuse(
          CopyRule.STORE_NOT_READ,
          name(thread)
              + does
              + " shared memory that "
              + store
              + " still reads: "
              + store.howToWait()
              + " before");
    }
    if (!order.knows(thread, store.slot(), store.number())) {
      throw order.misuse(
          CopyRule.MISSING_BARRIER,
          name(thread)
              + does
              + " shared memory that "
              + store
              + " has read, as this thread does not know: "
              + (store.slot() == store.thread()
                  ? "only thread " + store.thread() + " does; put a barrier between its wait"
                  : "put a barrier of the cluster between the other block's wait")
              + " and this access");
    }
  }

  private void requireMultiplied(@Nullable Products products, Coroutine thread, String does) {
    for (Products at = products; at != null; at = at.before()) {
      if (!at.product().isReadKnownTo(order, thread)) {
        throw unmultiplied(at, thread, does);
      }
    }
  }

  private CopyMisuse unmultiplied(Products at, Coroutine thread, String does) {
    Product product = at.product();
    String what = name(thread) + does + " shared memory that " + product;
    if (isGivenBack(at, thread)) {
      return order.misuse(
          CopyRule.MISSING_WAIT,
          what
              + " reads, although its warps had given the memory back: call wgmmaWaitGroup before"
              + " that, and wait for what fills the memory before the product");
    }
    if (product.isRead()) {
      return order.misuse(
          CopyRule.EARLY_REFILL,
          what
              + " has read, and this thread does not know of every warp's wait: put a barrier"
              + " between, on which each of the four warps arrives");
    }
    return order.misuse(
        product.isPendingIn(thread) ? CopyRule.MISSING_WAIT : CopyRule.EARLY_REFILL,
        what + " still reads: put wgmmaWaitGroup and a barrier between the product and this");
  }

  /**
   * Whether a thread has been told that the warps of a product are done with memory: since they had
   * begun the product, or done with an earlier product that read the same content.
   */
  private boolean isGivenBack(Products at, Coroutine thread) {
    if (at.product().isMultipliedBy(thread)) {
      return false;
    }
    if (at.product().isBegunKnownTo(order, thread)) {
      return true;
    }
    for (Products before = at.before(); before != null; before = before.before()) {
      if (before.product().isReadKnownTo(order, thread)) {
        return true;
      }
    }
    return false;
  }

  private static String name(Coroutine thread) {
    return "thread " + thread.rank() + " ";
  }

  /** Called when a thread begins a copy that fills some bytes. */
  void begins(PendingCopy copy, SharedStorage storage, int from, int bytes) {
    Shadow shadow = shadow(storage);
    Coroutine thread = turns.running();
    if (shadow == null) {
      return;
    }
    int visit = visits == null ? 0 : visits.visit(copy.line(), thread.rank(), thread.copies());
    shadow.fits(from, bytes);
    int unit = shadow.unit;
    copy.begunAt(stages.turns().fills(thread));
    for (int word = from / unit; word <= (from + bytes - 1) / unit; word++) {
      shadow.opens(word);
      if (visits != null) {
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
      shadow.changes[word] = null;
    }
  }

  /**
   * Called when a thread begins an operation that changes some bytes atomically. Others may do so
   * at the same time, and threads may by atomic operations.
   *
   * @param ofBulk whether it is a bulk copy, which does not see what threads wrote before a fence
   */
  void changes(PendingCopy copy, SharedStorage storage, int from, int bytes, boolean ofBulk) {
    Shadow shadow = shadow(storage);
    Coroutine thread = turns.running();
    if (shadow == null) {
      return;
    }
    shadow.fits(from, bytes);
    int unit = shadow.unit;
    for (int word = from / unit; word <= (from + bytes - 1) / unit; word++) {
      shadow.opens(word);
      requireNoBarrier(shadow, word, copy, "changes");
      requireFilledBefore(shadow.copies[word], thread, copy);
      requireStored(shadow.stores[word], thread, "has a reduction change");
      requireMultiplied(shadow.products[word], thread, "has a reduction change");
      requireAccessedBefore(shadow, word, thread, copy);
      if (ofBulk) {
        requireFenced(shadow.copies[word], thread, copy);
        requireFenced(shadow.writes[word], thread, copy);
      }
      shadow.changes[word] = Changes.of(copy, shadow.changes[word]);
    }
  }

  /** Requires that threads have read and written before an operation changes what is there. */
  private void requireAccessedBefore(Shadow shadow, int word, Coroutine thread, PendingCopy copy) {
    String what = copy + " " + copy.does() + " shared memory that thread ";
    for (SharedReads at = shadow.reads[word]; at != null; at = at.before) {
      if (!at.kind.isAtomic() && !order.knows(thread, at.thread, at.clock)) {
        throw order.misuse(
            CopyRule.MISSING_BARRIER,
            what
                + at.thread
                + " reads"
                + CallPath.inBrackets(at.line)
                + ": nothing says which of the two comes first; put a barrier between that read"
                + " and this, or wait for this before that read");
      }
    }
    Write write = shadow.writes[word];
    if (write != null && !order.knows(thread, write.thread(), write.clock())) {
      throw order.misuse(
          CopyRule.UNORDERED_WRITES,
          what
              + write.thread()
              + " writes"
              + CallPath.inBrackets(write.line())
              + ": nothing says which of the two comes first; put a barrier between that write and"
              + " this, or use Atomics for it");
    }
  }

  /** Requires that what is there has come before a copy or a reduction that a thread begins. */
  private void requireFilledBefore(
      @Nullable PendingCopy other, Coroutine thread, PendingCopy copy) {
    if (other != null && !(other.isDone() && other.isKnownTo(order, thread))) {
      throw order.misuse(
          CopyRule.UNORDERED_WRITES,
          copy
              + " "
              + copy.does()
              + " shared memory that "
              + other
              + " "
              + other.does()
              + ": nothing says which comes first");
    }
  }

  private ReusedPlace place(
      Shadow shadow, int word, Coroutine thread, PendingCopy copy, int visit) {
    PendingCopy before = shadow.copies[word];
    ReusedPlace beside = copy.place();
    PendingCopy first = before;
    if (before != null && beside != null && beside.before() == before) {
      first = beside.first();
    } else if (before != null) {
      ReusedPlace former = before.place();
      first = former == null || former.first() == null ? before : former.first();
      before.forgetsPlace(); // otherwise each copy would keep all copies before it
    }
    Write write = shadow.writes[word];
    return new ReusedPlace(
        first,
        before,
        write == null ? -1 : write.thread(),
        write == null ? 0 : write.clock(),
        beside == null ? order.knownBy(thread) : beside.known(),
        copy.line(),
        visit);
  }

  private void requireOthersDone(Shadow shadow, int word, Coroutine thread, PendingCopy copy) {
    requireNoBarrier(shadow, word, copy, "fills");
    PendingCopy other = shadow.copies[word];
    requireFilledBefore(other, thread, copy);
    for (Changes at = shadow.changes[word]; at != null; at = at.before()) {
      requireFilledBefore(at.one(), thread, copy);
    }
    requireStored(shadow.stores[word], thread, "has a copy fill");
    requireMultiplied(shadow.products[word], thread, "has a copy fill");
    SharedReads stale = stages.fills(copy, other, shadow.reads[word], thread);
    if (stale != null && other != null) {
      throw order.knows(thread, stale.thread, stale.clock)
          ? stages.stale(stale, other, copy)
          : ahead(stale, copy);
    }
    for (SharedReads read = shadow.reads[word]; read != null; read = read.before) {
      if (!order.knows(thread, read.thread, read.clock)) {
        throw isAhead(read, copy) ? ahead(read, copy) : behind(read, copy);
      }
    }
    Write write = shadow.writes[word];
    if (write != null && !order.knows(thread, write.thread(), write.clock())) {
      throw order.misuse(
          CopyRule.UNORDERED_WRITES,
          copy
              + " fills shared memory that thread "
              + write.thread()
              + " writes"
              + CallPath.inBrackets(write.line())
              + ": put a barrier between that write and this copy");
    }
  }

  /** Whether a thread that read before a copy began wanted the content that the copy brings. */
  private boolean isAhead(SharedReads read, PendingCopy copy) {
    ReusedPlace place = copy.place();
    return place != null
        && visits != null
        && history != null
        && !place.isWantedBy(read.thread, read.round, history, visits);
  }

  private CopyMisuse ahead(SharedReads read, PendingCopy copy) {
    // Only its own thread waits for a copy that no barrier counts. Other threads lack a barrier.
    boolean counted = copy.isCounted() || isCounted(copy);
    boolean lacksBarrier = !counted && !read.pending;
    return order.misuse(
        lacksBarrier ? CopyRule.MISSING_BARRIER : CopyRule.MISSING_WAIT,
        "thread "
            + read.thread
            + " reads"
            + CallPath.inBrackets(read.line)
            + " shared memory that "
            + copy
            + " fills, without having waited for that copy: "
            + (counted
                ? "wait for it before this read"
                : "thread "
                    + copy.thread()
                    + " has to wait for it, and a barrier to come before this read"));
  }

  /** Whether barrier objects count the copies of the thread that has begun this one. */
  private boolean isCounted(PendingCopy copy) {
    Coroutine thread = turns.running();
    return copy.thread() == thread.rank()
        && (thread.copies().areCounted() || stages.turns().guard(thread) != null);
  }

  private CopyMisuse behind(SharedReads read, PendingCopy copy) {
    return order.misuse(
        CopyRule.EARLY_REFILL,
        copy
            + " fills shared memory that thread "
            + read.thread
            + " reads"
            + CallPath.inBrackets(read.line)
            + ": put a barrier between that read and this copy");
  }

  /** Called when a thread begins a bulk copy to global memory that reads some bytes. */
  void begins(PendingStore store, SharedStorage storage, int from, int bytes) {
    Shadow shadow = shadow(storage);
    Coroutine thread = turns.running();
    if (shadow == null) {
      return;
    }
    shadow.fits(from, bytes);
    int unit = shadow.unit;
    for (int word = from / unit; word <= (from + bytes - 1) / unit; word++) {
      shadow.opens(word);
      requireFilled(shadow.copies[word], thread, "has a bulk copy read");
      requireChanged(shadow.changes[word], thread, "has a bulk copy read");
      requireFenced(shadow.copies[word], thread, store);
      requireFenced(shadow.writes[word], thread, store);
      requireKnown(shadow.reads[word], thread, ThreadAccess.READ);
      shadow.stores[word] = new Stores(store, unread(shadow.stores[word], thread));
    }
  }

  /**
   * Called when a thread has read some bytes for a copy to global memory that may also read them
   * later.
   */
  void beginsPlainly(PendingStore store, SharedStorage storage, int from, int bytes) {
    Shadow shadow = shadow(storage);
    if (shadow == null) {
      return;
    }
    Coroutine thread = turns.running();
    shadow.fits(from, bytes);
    int unit = shadow.unit;
    for (int word = from / unit; word <= (from + bytes - 1) / unit; word++) {
      shadow.stores[word] = new Stores(store, unread(shadow.stores[word], thread));
    }
  }

  /** The stores of which a thread does not know that they have read. */
  private @Nullable Stores unread(@Nullable Stores stores, Coroutine thread) {
    if (stores == null) {
      return null;
    }
    Stores before = unread(stores.before(), thread);
    PendingStore store = stores.store();
    boolean known = store.isRead() && order.knows(thread, store.slot(), store.number());
    return known ? before : new Stores(store, before);
  }

  /** Requires that a copy that writes as threads do has been made known to the proxy. */
  private void requireFenced(@Nullable PendingCopy copy, Coroutine thread, Object reader) {
    if (copy != null && copy.needsFence() && !copy.isFencedFor(order, thread)) {
      throw order.misuse(
          CopyRule.MISSING_PROXY_FENCE,
          reader
              + " reads shared memory that "
              + copy
              + " has filled: a thread that has waited for that copy has to call"
              + " fenceProxyAsyncShared, and a barrier has to come between if it is another"
              + " thread");
    }
  }

  /** Called when a thread begins or ends a barrier object; null if it ends. */
  void barrier(SharedStorage storage, int at, @Nullable Object barrier) {
    Shadow shadow = shadow(storage);
    if (shadow == null) {
      return;
    }
    shadow.barrier(at, Long.BYTES, barrier);
  }

  private void requireNoBarrier(Shadow shadow, int word, Object who, String does) {
    @Nullable Object[] known = shadow.barriers;
    if (known != null && known[word] != null) {
      throw new CopyMisuse(
          CopyRule.BARRIER_OVERWRITTEN,
          who
              + " "
              + does
              + " shared memory that is "
              + known[word]
              + ": call mbarrierInval and a barrier of the block before, or use other memory");
    }
  }

  /** Called when a warp group begins a product that reads some bytes. */
  @SuppressWarnings("ReferenceEquality") // the product's identity counts
  void begins(Product product, SharedStorage storage, int from, int bytes) {
    Shadow shadow = shadow(storage);
    Coroutine thread = turns.running();
    if (shadow == null) {
      return;
    }
    shadow.fits(from, bytes);
    int unit = shadow.unit;
    for (int word = from / unit; word <= (from + bytes - 1) / unit; word++) {
      shadow.opens(word);
      requireFilled(shadow.copies[word], thread, "has a product read");
      requireChanged(shadow.changes[word], thread, "has a product read");
      requireFenced(shadow.copies[word], thread, product);
      requireFenced(shadow.writes[word], thread, product);
      requireKnown(shadow.reads[word], thread, ThreadAccess.READ);
      Products before = shadow.products[word];
      if (before == null || before.product() != product) {
        shadow.products[word] = new Products(product, before);
      }
    }
  }

  /**
   * Requires that a write to bytes that the asynchronous proxy reads came before, and was made
   * known to the proxy.
   */
  private void requireFenced(@Nullable Write write, Coroutine thread, Object reader) {
    if (write != null && !order.knows(thread, write.thread(), write.clock())) {
      throw order.misuse(
          CopyRule.MISSING_BARRIER,
          reader
              + " reads shared memory that thread "
              + write.thread()
              + " writes"
              + CallPath.inBrackets(write.line())
              + ": put fenceProxyAsyncShared and a barrier between that write and this "
              + (reader instanceof Product ? "product" : "copy"));
    }
    if (write != null && !order.isFenced(write.thread(), write.clock(), thread)) {
      throw order.misuse(
          CopyRule.MISSING_PROXY_FENCE,
          reader
              + " reads shared memory that thread "
              + write.thread()
              + " has written"
              + CallPath.inBrackets(write.line())
              + ": that thread has to call fenceProxyAsyncShared between its write and the"
              + " barrier");
    }
  }
}
