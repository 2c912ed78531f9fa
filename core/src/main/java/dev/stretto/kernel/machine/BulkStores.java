package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import dev.stretto.memory.GlobalArray;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * The copies to global memory that a thread has begun. They read and write when the thread waits
 * for them. On a GPU, bulk copies that a kernel begins itself and those of {@code memcpyAsync} are
 * groups of the same queue.
 */
public final class BulkStores {
  private static final String MEMCPY = "memcpyAsync";

  /**
   * Some copies.
   *
   * @param ofMemcpy whether they are those of one {@code memcpyAsync}, and perhaps none
   */
  private record Group(List<PendingStore> stores, boolean ofMemcpy) {}

  private final DeviceThread thread;
  private final List<Group> groups = new ArrayList<>();
  private List<PendingStore> open = new ArrayList<>();
  private List<PendingStore> openOfMemcpy = new ArrayList<>();

  /** Whether the kernel has more than empty groups of {@code memcpyAsync}. */
  private boolean storesByMemcpy;

  BulkStores(DeviceThread thread) {
    this.thread = thread;
  }

  /** Called when a block begins. */
  void clear() {
    groups.clear();
    open.clear();
    openOfMemcpy.clear();
    storesByMemcpy = false;
  }

  public void begin(GlobalArray to, long toByte, SharedSpan from, int fromByte, int bytes) {
    String what = "cpAsyncBulkToGlobal";
    CopyEnds.requireUnits(what, bytes);
    MemorySegment place = CopyEnds.global(what, to, toByte, CopyEnds.BULK, bytes);
    PendingStore store = begin(what, from, fromByte, bytes, CopyEnds.BULK, new Bytes(place));
    thread.writesGlobal(store, ThreadAccess.WRITE, to, toByte, bytes);
  }

  /** Begins the bulk copy of a {@code memcpyAsync}. */
  public void beginBulk(GlobalArray to, long toByte, SharedSpan from, int fromByte, int bytes) {
    MemorySegment place = CopyEnds.global(MEMCPY, to, toByte, CopyEnds.BULK, bytes);
    thread.races().activate();
    PendingStore store = ofMemcpy(from, fromByte, bytes, CopyEnds.BULK, place);
    thread.races().begins(store, from.storage(), from.firstByte() + fromByte, bytes);
    thread.writesGlobal(store, ThreadAccess.WRITE, to, toByte, bytes);
  }

  /**
   * Begins to copy a piece of a {@code memcpyAsync} in the way in which threads store. A block that
   * nobody watches copies it at once.
   */
  public void beginPlain(GlobalArray to, long toByte, SharedSpan from, int fromByte, int bytes) {
    MemorySegment place = CopyEnds.global(MEMCPY, to, toByte, bytes, bytes);
    thread.races().activate();
    if (to.allocation() instanceof Resident resident && resident.isWatched()) {
      resident.stored(to.byteOffset() + toByte, bytes); // a bulk copy of it needs a fence
    }
    if (thread.order().isActive()) {
      MemorySegment _ = from.readBytes(fromByte, bytes); // as the thread does itself
      PendingStore store = ofMemcpy(from, fromByte, bytes, bytes, place);
      thread.races().beginsPlainly(store, from.storage(), from.firstByte() + fromByte, bytes);
      thread.writesGlobal(store, ThreadAccess.WRITE, to, toByte, bytes);
      return;
    }
    CopyEnds.shared(MEMCPY, from, fromByte, bytes, bytes);
    place.copyFrom(from.readBytes(fromByte, bytes).asSlice(fromByte, bytes));
  }

  private PendingStore ofMemcpy(
      SharedSpan from, int fromByte, int bytes, int alignment, MemorySegment place) {
    MemorySegment source = CopyEnds.shared(MEMCPY, from, fromByte, bytes, alignment);
    PendingStore store =
        PendingStore.ofMemcpy(
            thread.rank(),
            thread.order().line(),
            new Bytes(place),
            source,
            from.firstByte() + fromByte);
    openOfMemcpy.add(store);
    storesByMemcpy = true;
    return store;
  }

  /**
   * Begins a reduction.
   *
   * @param join joins an element of shared memory, the second argument, to its counterpart, the
   *     first
   * @param width the size of an element
   */
  public void reduce(
      BiConsumer<MemorySegment, MemorySegment> join,
      int width,
      GlobalArray to,
      long toByte,
      SharedSpan from,
      int fromByte,
      int bytes) {
    String what = "cpReduceAsyncBulk";
    CopyEnds.requireUnits(what, bytes);
    MemorySegment place = CopyEnds.global(what, to, toByte, CopyEnds.BULK, bytes);
    PendingStore store =
        begin(
            what,
            from,
            fromByte,
            bytes,
            CopyEnds.BULK,
            (source, _) -> {
              AtomicJoin each = new AtomicJoin(join, width);
              for (long at = 0; at < place.byteSize(); at += width) {
                each.accept(place, at, source, at);
              }
            });
    thread.writesGlobal(store, ThreadAccess.UPDATE, to, toByte, bytes);
  }

  /** Begins a copy, and returns it. */
  PendingStore begin(
      String what,
      SharedSpan from,
      int fromByte,
      int bytes,
      int alignment,
      PendingStore.Target target) {
    thread.races().activate();
    MemorySegment source = CopyEnds.shared(what, from, fromByte, bytes, alignment);
    int begin = from.firstByte() + fromByte;
    PendingStore store =
        new PendingStore(what, thread.rank(), thread.order().line(), target, source, begin);
    thread.races().begins(store, from.storage(), begin, bytes);
    open.add(store);
    return store;
  }

  public void commit() {
    groups.add(new Group(open, false));
    open = new ArrayList<>();
  }

  /** Makes a group of the copies that a {@code memcpyAsync} has begun, if any. */
  public void commitMemcpy() {
    groups.add(new Group(openOfMemcpy, true));
    openOfMemcpy = new ArrayList<>();
  }

  /** Waits until at most {@code pending} groups are left. */
  public void await(int pending) {
    passOldest(pending, this::isCounted, this::write);
  }

  /** Waits until at most {@code pending} groups of {@code memcpyAsync} are left. */
  public void awaitMemcpy(int pending) {
    passOldest(pending, Group::ofMemcpy, this::write);
  }

  /** Waits until all groups but at most {@code pending} have read their shared memory. */
  public void awaitRead(int pending) {
    passOldest(
        pending,
        this::isCounted,
        group -> {
          group.stores.forEach(store -> store.read(thread.order().now(thread)));
          return false;
        });
  }

  /** Whether the instructions of PTX count a group: only some kernels make those that are empty. */
  private boolean isCounted(Group group) {
    return storesByMemcpy || !group.ofMemcpy;
  }

  private boolean write(Group group) {
    group.stores.forEach(store -> store.write(thread.order().now(thread)));
    return true;
  }

  /**
   * Does something with the oldest groups of a kind.
   *
   * @param pending how many of them are left out, the newest
   * @param act what is done; whether the group is then gone
   */
  private void passOldest(int pending, Predicate<Group> kind, Predicate<Group> act) {
    require(pending);
    long passed = groups.stream().filter(kind).count() - pending;
    Iterator<Group> at = groups.iterator();
    while (passed > 0) {
      Group group = at.next();
      if (kind.test(group)) {
        passed--;
        if (act.test(group)) {
          at.remove();
        }
      }
    }
  }

  private static void require(int pending) {
    if (pending < 0) {
      throw new CopyMisuse(CopyRule.OUT_OF_RANGE, "a wait that leaves " + pending + " groups");
    }
  }

  /**
   * Called when the thread has returned: its shared memory may be gone before a pending copy has
   * read it.
   */
  void leave() {
    for (PendingStore store : open) {
      throw unread(store);
    }
    for (Group group : groups) {
      for (PendingStore store : group.stores) {
        if (group.ofMemcpy) {
          store.read(thread.order().now(thread)); // the compiled kernel waits for that at its end
        } else if (!store.isRead()) {
          throw unread(store);
        }
        store.writeUnawaited();
      }
    }
    clear();
  }

  private CopyMisuse unread(PendingStore store) {
    return thread
        .order()
        .misuse(
            CopyRule.EXIT_BEFORE_READ,
            "thread "
                + thread.rank()
                + " returns while "
                + store
                + " may still read its shared memory: commit it and wait with"
                + " cpAsyncBulkWaitGroupRead");
  }

  /**
   * Bytes in global memory that a copy fills.
   *
   * @param place the bytes
   */
  private record Bytes(MemorySegment place) implements PendingStore.Target {
    @Override
    public void poison() {
      UndefinedValues.fill(place);
    }

    @Override
    public void take(MemorySegment source, int begin) {
      place.copyFrom(source);
    }
  }
}
