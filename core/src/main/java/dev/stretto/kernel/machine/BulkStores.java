package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import dev.stretto.memory.GlobalArray;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The bulk copies to global memory that a thread has begun. They read and write when the thread
 * waits for them.
 */
public final class BulkStores {
  private final DeviceThread thread;
  private final List<List<PendingStore>> groups = new ArrayList<>();
  private List<PendingStore> open = new ArrayList<>();

  BulkStores(DeviceThread thread) {
    this.thread = thread;
  }

  /** Called when a block begins. */
  void clear() {
    groups.clear();
    open.clear();
  }

  public void begin(GlobalArray to, long toByte, SharedSpan from, int fromByte, int bytes) {
    String what = "cpAsyncBulkToGlobal";
    CopyEnds.requireUnits(what, bytes);
    MemorySegment place = CopyEnds.global(what, to, toByte, CopyEnds.BULK, bytes);
    PendingStore store =
        begin(
            what,
            from,
            fromByte,
            bytes,
            CopyEnds.BULK,
            new PendingStore.Target() {
              @Override
              public void poison() {
                UndefinedValues.fill(place);
              }

              @Override
              public void take(MemorySegment source, int begin) {
                place.copyFrom(source);
              }
            });
    thread.writesGlobal(store, ThreadAccess.WRITE, to, toByte, bytes);
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
    groups.add(open);
    open = new ArrayList<>();
  }

  public void await(int pending) {
    require(pending);
    for (int i = 0; i < groups.size() - pending; i++) {
      groups.get(i).forEach(store -> store.write(thread.order().now(thread)));
    }
    int complete = Math.max(0, groups.size() - pending);
    groups.subList(0, complete).clear();
  }

  public void awaitRead(int pending) {
    require(pending);
    for (int i = 0; i < groups.size() - pending; i++) {
      groups.get(i).forEach(store -> store.read(thread.order().now(thread)));
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
    for (List<PendingStore> group : groups) {
      for (PendingStore store : group) {
        if (!store.isRead()) {
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
}
