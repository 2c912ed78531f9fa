package dev.stretto.kernel;

import dev.stretto.fault.CopyRule;
import dev.stretto.memory.GlobalArray;
import java.lang.foreign.MemorySegment;

/** Bulk copies to shared memory: a barrier counts their bytes. */
final class BulkCopies {
  static final int UNIT = 16;

  private BulkCopies() {}

  /** The thread that calls begins one. */
  static void begin(
      SharedSpan to,
      int toByte,
      GlobalArray from,
      long fromByte,
      int bytes,
      SharedSpan barriers,
      int index) {
    String what = "cpAsyncBulkToShared";
    DeviceThread thread = DeviceThread.current(what);
    requireUnits(what, bytes);
    thread.order().activate();
    Mbarrier barrier = thread.mbarriers().at(what, barriers, index);
    AsyncCopies.destination(what, to, toByte, bytes, UNIT);
    MemorySegment source = source(what, thread, from, fromByte, bytes);
    begin(what, thread, to.storage(), to.firstByte() + toByte, source, barrier);
  }

  private static void begin(
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
    thread.order().begins(copy, storage, at, bytes);
    barrier.brings(copy);
  }

  private static MemorySegment source(
      String what, DeviceThread thread, GlobalArray from, long fromByte, int bytes) {
    MemorySegment source = AsyncCopies.source(what, from, fromByte, UNIT, bytes);
    long address = from.allocation().address() + from.byteOffset() + fromByte;
    thread.cluster().stores().requireFenced(thread, what, address, bytes);
    return source;
  }

  /** The thread that calls begins one to several blocks of its cluster. */
  static void beginMulticast(
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
    requireUnits(what, bytes);
    thread.order().activate();
    AsyncCopies.destination(what, to, toByte, bytes, UNIT);
    MemorySegment source = source(what, thread, from, fromByte, bytes);
    for (BlockState block : thread.cluster().blocks(what, blocks)) {
      begin(
          what,
          thread,
          block.counterpart(thread.block(), to.storage()),
          to.firstByte() + toByte,
          source,
          block.mbarrier(what, thread.block(), barriers, index));
    }
  }

  static void requireUnits(String what, int bytes) {
    if (bytes < 0 || bytes % UNIT != 0) {
      throw new IllegalArgumentException(
          CopyRule.MISALIGNED.title()
              + ": "
              + what
              + " of "
              + bytes
              + " bytes: has to be a multiple of "
              + UNIT);
    }
  }
}
