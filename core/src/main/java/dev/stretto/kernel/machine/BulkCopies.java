package dev.stretto.kernel.machine;

import dev.stretto.memory.GlobalArray;
import java.lang.foreign.MemorySegment;

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
    int bytes = (int) source.byteSize();
    PendingCopy copy =
        new PendingCopy(
            what,
            thread.rank(),
            thread.order().line(),
            storage.memory().asSlice(at, bytes),
            source);
    copy.counted();
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
