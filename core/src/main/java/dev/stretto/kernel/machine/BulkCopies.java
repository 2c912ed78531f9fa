package dev.stretto.kernel.machine;

import dev.stretto.memory.GlobalArray;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Bulk copies to shared memory. A barrier object counts their bytes. */
public final class BulkCopies {
  private BulkCopies() {}

  /** Begins a bulk copy for the calling thread. */
  public static void begin(
      SharedSpan to,
      int toByte,
      GlobalArray from,
      long fromByte,
      int bytes,
      SharedSpan barriers,
      int index) {
    String what = "cpAsyncBulkToShared";
    DeviceThread thread = DeviceThread.current(what);
    CopyEnds.requireUnits(what, bytes);
    thread.races().activate();
    Mbarrier barrier = thread.mbarriers().at(what, barriers, index);
    CopyEnds.shared(what, to, toByte, bytes, CopyEnds.BULK);
    MemorySegment source = source(what, thread, from, fromByte, bytes);
    PendingCopy copy = begin(what, thread, to.storage(), to.firstByte() + toByte, source, barrier);
    thread.readsGlobal(copy, from, fromByte, bytes);
  }

  private static PendingCopy begin(
      String what,
      DeviceThread thread,
      SharedStorage storage,
      int at,
      MemorySegment source,
      Mbarrier barrier) {
    return begin(what, thread, storage, at, source, barrier, null);
  }

  /**
   * Begins a copy.
   *
   * @param read what reads the source, if it is shared memory
   */
  private static PendingCopy begin(
      String what,
      DeviceThread thread,
      SharedStorage storage,
      int at,
      MemorySegment source,
      Mbarrier barrier,
      @Nullable PendingStore read) {
    int bytes = (int) source.byteSize();
    PendingCopy copy =
        new PendingCopy(
            what,
            thread.rank(),
            thread.order().line(),
            storage.memory().asSlice(at, bytes),
            source);
    copy.counted();
    if (read != null) {
      copy.comesFrom(read);
    }
    thread.races().begins(copy, storage, at, bytes);
    barrier.brings(copy);
    return copy;
  }

  private static MemorySegment source(
      String what, DeviceThread thread, GlobalArray from, long fromByte, int bytes) {
    MemorySegment source = CopyEnds.global(what, from, fromByte, CopyEnds.BULK, bytes);
    long address = from.allocation().address() + from.byteOffset() + fromByte;
    thread.cluster().stores().requireFenced(thread, what, address, bytes);
    return source;
  }

  /** Begins a bulk copy from the calling thread's block to another one of its cluster. */
  public static void beginToBlock(
      SharedSpan to,
      int toByte,
      SharedSpan from,
      int fromByte,
      int bytes,
      SharedSpan barriers,
      int index,
      int rank) {
    String what = "cpAsyncBulkToBlock";
    DeviceThread thread = DeviceThread.current(what);
    CopyEnds.requireUnits(what, bytes);
    thread.races().activate();
    BlockState block = thread.cluster().block(what, rank);
    Mbarrier barrier = block.mbarrier(what, thread.block(), barriers, index);
    CopyEnds.shared(what, to, toByte, bytes, CopyEnds.BULK);
    MemorySegment source = CopyEnds.shared(what, from, fromByte, bytes, CopyEnds.BULK);
    PendingStore read = PendingStore.toBlock(what, thread.rank(), thread.order().line(), source);
    thread.races().begins(read, from.storage(), from.firstByte() + fromByte, bytes);
    thread.block().sends(read);
    PendingCopy _ =
        begin(
            what,
            thread,
            block.counterpart(thread.block(), to.storage()),
            to.firstByte() + toByte,
            source,
            barrier,
            read);
  }

  /** Begins to store a number in the shared memory of a block of the calling thread's cluster. */
  public static void storeInBlock(
      String what,
      SharedSpan to,
      int index,
      MemorySegment value,
      SharedSpan barriers,
      int barrierIndex,
      int rank) {
    DeviceThread thread = DeviceThread.current(what);
    thread.races().activate();
    BlockState block = thread.cluster().block(what, rank);
    Mbarrier barrier = block.mbarrier(what, thread.block(), barriers, barrierIndex);
    int bytes = (int) value.byteSize();
    Objects.checkFromIndexSize(index, bytes / to.width(), to.count()); // before bytes wrap around
    CopyEnds.shared(what, to, index * to.width(), bytes, bytes);
    PendingCopy _ =
        begin(
            what,
            thread,
            block.counterpart(thread.block(), to.storage()),
            to.firstByte() + index * to.width(),
            value,
            barrier);
  }

  /** Begins a bulk copy to several blocks of the calling thread's cluster. */
  public static void beginMulticast(
      SharedSpan to,
      int toByte,
      GlobalArray from,
      long fromByte,
      int bytes,
      SharedSpan barriers,
      int index,
      int blocks) {
    String what = "cpAsyncBulkToSharedMulticast";
    DeviceThread thread = DeviceThread.current(what);
    CopyEnds.requireUnits(what, bytes);
    thread.races().activate();
    CopyEnds.shared(what, to, toByte, bytes, CopyEnds.BULK);
    MemorySegment source = source(what, thread, from, fromByte, bytes);
    for (BlockState block : thread.cluster().blocks(what, blocks)) {
      PendingCopy copy =
          begin(
              what,
              thread,
              block.counterpart(thread.block(), to.storage()),
              to.firstByte() + toByte,
              source,
              block.mbarrier(what, thread.block(), barriers, index));
      thread.readsGlobal(copy, from, fromByte, bytes);
    }
  }
}
