package dev.stretto.kernel.machine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous operations that change elements in the shared memory of a block of the calling
 * thread's cluster. A barrier object of that block counts the bytes.
 */
public final class BlockReductions {
  private BlockReductions() {}

  /**
   * Begins to join a number to an element.
   *
   * @param join joins the second element to the first
   * @param value the number, in as many bytes as an element has
   */
  public static void join(
      String what,
      BiConsumer<MemorySegment, MemorySegment> join,
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
    Objects.checkIndex(index, to.count());
    CopyEnds.shared(what, to, index * to.width(), bytes, bytes);
    PendingCopy _ =
        begin(
            what,
            thread,
            block.counterpart(thread.block(), to.storage()),
            to.firstByte() + index * to.width(),
            bytes,
            element -> join.accept(element, value),
            barrier,
            null);
  }

  /**
   * Begins to join the elements of a range of the thread's block to their counterparts.
   *
   * @param join joins the second element to the first
   * @param width the size of an element
   */
  public static void join(
      String what,
      BiConsumer<MemorySegment, MemorySegment> join,
      int width,
      SharedSpan to,
      int toByte,
      SharedSpan from,
      int fromByte,
      int bytes,
      SharedSpan barriers,
      int index,
      int rank) {
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
            bytes,
            elements -> {
              for (long at = 0; at < bytes; at += width) {
                join.accept(elements.asSlice(at, width), source.asSlice(at, width));
              }
            },
            barrier,
            read);
  }

  /**
   * Begins an operation.
   *
   * @param read what reads the thread's block for it; null if it is no bulk copy
   */
  private static PendingCopy begin(
      String what,
      DeviceThread thread,
      SharedStorage storage,
      int at,
      int bytes,
      Consumer<MemorySegment> change,
      Mbarrier barrier,
      @Nullable PendingStore read) {
    PendingCopy copy =
        PendingCopy.thatChanges(
            what,
            thread.rank(),
            thread.order().line(),
            storage.memory().asSlice(at, bytes),
            change);
    if (read != null) {
      copy.comesFrom(read);
    }
    thread.races().changes(copy, storage, at, bytes, read != null);
    barrier.brings(copy);
    return copy;
  }
}
