package dev.stretto.kernel;

import dev.stretto.fault.CopyRule;
import dev.stretto.memory.GlobalArray;

/** Bulk copies to shared memory: a barrier counts their bytes. */
final class BulkCopies {
  private static final int UNIT = 16;

  private BulkCopies() {}

  /** The thread that calls begins one. */
  static void begin(
      SharedArray to,
      int toByte,
      GlobalArray from,
      long fromByte,
      int bytes,
      SharedLongs barriers,
      int index) {
    String what = "cpAsyncBulkToShared";
    DeviceThread thread = DeviceThread.current(what);
    requireUnits(what, bytes);
    thread.order().activate();
    Mbarrier barrier = thread.mbarriers().at(what, barriers, index);
    PendingCopy copy =
        new PendingCopy(
            what,
            thread.rank(),
            thread.order().line(),
            AsyncCopies.destination(what, to, toByte, bytes, UNIT),
            AsyncCopies.source(what, from, fromByte, UNIT, bytes));
    thread.order().begins(copy, to.storage(), to.firstByte() + toByte, bytes);
    barrier.brings(copy);
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
