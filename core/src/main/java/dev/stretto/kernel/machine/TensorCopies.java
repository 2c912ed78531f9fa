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
    TensorBox box = new TensorBox(what, map, at);
    thread.races().activate();
    thread.cluster().stores().requireFenced(thread, what, box);
    Mbarrier barrier = thread.mbarriers().at(what, barriers, index);
    CopyEnds.shared(what, to, toByte, map.sharedBytes(), ALIGNMENT);
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
    TensorBox box = new TensorBox(what, map, at);
    thread.races().activate();
    thread.cluster().stores().requireFenced(thread, what, box);
    CopyEnds.shared(what, to, toByte, map.sharedBytes(), ALIGNMENT);
    for (BlockState block : thread.cluster().blocks(what, blocks)) {
      SharedStorage storage = block.counterpart(thread.block(), to.storage());
      Mbarrier barrier = block.mbarrier(what, thread.block(), barriers, index);
      begin(what, thread, box, storage, to.firstByte() + toByte, barrier);
    }
  }

  /** Begins a copy to global memory for the calling thread. */
  public static void store(String what, TensorMap map, SharedSpan from, int fromByte, int... at) {
    DeviceThread thread = DeviceThread.current(what);
    TensorBox box = new TensorBox(what, map, at);
    box.requireInside();
    PendingStore store =
        thread.bulkStores().begin(what, from, fromByte, map.sharedBytes(), ALIGNMENT, box.target());
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
    TensorBox box = new TensorBox(what, map, at);
    box.requireInside();
    PendingStore store =
        thread
            .bulkStores()
            .begin(what, from, fromByte, map.sharedBytes(), ALIGNMENT, box.target(join));
    thread.writesGlobal(store, ThreadAccess.UPDATE, box);
  }

  public static void prefetch(TensorMap map) {
    if (!(map.array().allocation() instanceof Resident)) {
      throw new IllegalStateException(map + " is for kernels");
    }
  }

  public static void prefetch(TensorMap map, int... at) {
    String what = "cpAsyncBulkPrefetchTensor";
    new TensorBox(what, map, at);
  }
}
