package dev.stretto.kernel.machine;

import dev.stretto.memory.TensorMap;
import java.lang.foreign.MemorySegment;
import java.util.function.BiConsumer;

/** Copies of boxes of tensors on a virtual device. */
public final class TensorCopies {
  private static final int ALIGNMENT = 128;

  private TensorCopies() {}

  /** Begins a copy to the shared memory of the calling thread's block. */
  public static void begin(
      SharedSpan to, int toByte, TensorMap map, SharedSpan barriers, int index, int... at) {
    String what = "cpAsyncBulkTensorToShared";
    DeviceThread thread = DeviceThread.current(what);
    begin(what, thread, TensorBox.of(what, map, at), to, toByte, barriers, index);
  }

  /** Begins a copy of a column to the shared memory of the calling thread's block. */
  public static void beginColumn(
      SharedSpan to,
      int toByte,
      TensorMap map,
      SharedSpan barriers,
      int index,
      int[] at,
      int... offsets) {
    String what = "cpAsyncBulkTensorIm2colToShared";
    DeviceThread thread = DeviceThread.current(what);
    TensorBox column = TensorBox.column(what, map, at, offsets);
    begin(what, thread, column, to, toByte, barriers, index);
  }

  private static void begin(
      String what,
      DeviceThread thread,
      TensorBox box,
      SharedSpan to,
      int toByte,
      SharedSpan barriers,
      int index) {
    thread.races().activate();
    thread.cluster().stores().requireFenced(thread, what, box);
    Mbarrier barrier = thread.mbarriers().at(what, barriers, index);
    CopyEnds.shared(what, to, toByte, box.map().sharedBytes(), ALIGNMENT);
    begin(what, thread, box, to.storage(), to.firstByte() + toByte, barrier);
  }

  private static void begin(
      String what,
      DeviceThread thread,
      TensorBox box,
      SharedStorage storage,
      int at,
      Mbarrier barrier) {
    int bytes = box.map().sharedBytes();
    PendingCopy copy =
        new PendingCopy(
            what,
            thread.rank(),
            thread.order().line(),
            storage.memory().asSlice(at, bytes),
            box.map().boxBytes(),
            to -> box.load(to, at));
    copy.counted();
    thread.races().begins(copy, storage, at, bytes);
    barrier.brings(copy);
    thread.readsGlobal(copy, box);
  }

  /** Begins a copy to the shared memory of several blocks of the calling thread's cluster. */
  public static void beginMulticast(
      SharedSpan to,
      int toByte,
      TensorMap map,
      SharedSpan barriers,
      int index,
      int blocks,
      int... at) {
    String what = "cpAsyncBulkTensorToSharedMulticast";
    DeviceThread thread = DeviceThread.current(what);
    beginMulticast(what, thread, TensorBox.of(what, map, at), to, toByte, barriers, index, blocks);
  }

  /** Begins a copy of a column to the shared memory of several blocks of the cluster. */
  public static void beginColumnMulticast(
      SharedSpan to,
      int toByte,
      TensorMap map,
      SharedSpan barriers,
      int index,
      int blocks,
      int[] at,
      int... offsets) {
    String what = "cpAsyncBulkTensorIm2colToSharedMulticast";
    DeviceThread thread = DeviceThread.current(what);
    TensorBox column = TensorBox.column(what, map, at, offsets);
    beginMulticast(what, thread, column, to, toByte, barriers, index, blocks);
  }

  private static void beginMulticast(
      String what,
      DeviceThread thread,
      TensorBox box,
      SharedSpan to,
      int toByte,
      SharedSpan barriers,
      int index,
      int blocks) {
    thread.races().activate();
    thread.cluster().stores().requireFenced(thread, what, box);
    CopyEnds.shared(what, to, toByte, box.map().sharedBytes(), ALIGNMENT);
    for (BlockState block : thread.cluster().blocks(what, blocks)) {
      SharedStorage storage = block.counterpart(thread.block(), to.storage());
      Mbarrier barrier = block.mbarrier(what, thread.block(), barriers, index);
      begin(what, thread, box, storage, to.firstByte() + toByte, barrier);
    }
  }

  /** Begins a copy to global memory for the calling thread. */
  public static void store(String what, TensorMap map, SharedSpan from, int fromByte, int... at) {
    DeviceThread thread = DeviceThread.current(what);
    store(what, thread, TensorBox.of(what, map, at), from, fromByte);
  }

  /** Begins a copy of a column to global memory for the calling thread. */
  public static void storeColumn(TensorMap map, SharedSpan from, int fromByte, int... at) {
    String what = "cpAsyncBulkTensorIm2colToGlobal";
    DeviceThread thread = DeviceThread.current(what);
    int[] offsets = PixelRows.noOffsets(at.length);
    store(what, thread, TensorBox.column(what, map, at, offsets), from, fromByte);
  }

  private static void store(
      String what, DeviceThread thread, TensorBox box, SharedSpan from, int fromByte) {
    box.requireInside();
    PendingStore store =
        thread
            .bulkStores()
            .begin(what, from, fromByte, box.map().sharedBytes(), ALIGNMENT, box.target());
    thread.writesGlobal(store, ThreadAccess.WRITE, box);
  }

  /**
   * Begins a reduction for the calling thread.
   *
   * @param join joins an element of shared memory, the second argument, to an element of the
   *     tensor, the first
   */
  public static void reduce(
      BiConsumer<MemorySegment, MemorySegment> join,
      TensorMap map,
      SharedSpan from,
      int fromByte,
      int... at) {
    String what = "cpReduceAsyncBulkTensor";
    DeviceThread thread = DeviceThread.current(what);
    reduce(what, thread, join, TensorBox.of(what, map, at), from, fromByte);
  }

  /**
   * Begins a reduction of a column for the calling thread.
   *
   * @param join as for boxes
   */
  public static void reduceColumn(
      BiConsumer<MemorySegment, MemorySegment> join,
      TensorMap map,
      SharedSpan from,
      int fromByte,
      int... at) {
    String what = "cpReduceAsyncBulkTensorIm2col";
    DeviceThread thread = DeviceThread.current(what);
    int[] offsets = PixelRows.noOffsets(at.length);
    reduce(what, thread, join, TensorBox.column(what, map, at, offsets), from, fromByte);
  }

  private static void reduce(
      String what,
      DeviceThread thread,
      BiConsumer<MemorySegment, MemorySegment> join,
      TensorBox box,
      SharedSpan from,
      int fromByte) {
    box.requireInside();
    PendingStore store =
        thread
            .bulkStores()
            .begin(what, from, fromByte, box.map().sharedBytes(), ALIGNMENT, box.target(join));
    thread.writesGlobal(store, ThreadAccess.UPDATE, box);
  }

  public static void prefetch(TensorMap map) {
    if (!(map.array().allocation() instanceof Resident)) {
      throw new IllegalStateException(map + " is for kernels");
    }
  }

  public static void prefetch(TensorMap map, int... at) {
    String what = "cpAsyncBulkPrefetchTensor";
    TensorBox.of(what, map, at);
  }

  /** Requires that a column may be loaded into the cache. */
  public static void prefetchColumn(TensorMap map, int[] at, int... offsets) {
    TensorBox.column("cpAsyncBulkPrefetchTensorIm2col", map, at, offsets);
  }
}
