package dev.stretto.kernel.machine;

import dev.stretto.memory.TensorMap;
import java.lang.foreign.MemorySegment;
import java.util.function.BiConsumer;

/** Copies of boxes of tensors, on a virtual device. */
public final class TensorCopies {
  private static final int ALIGNMENT = 128;

  private TensorCopies() {}

  /** The thread that calls begins a copy to its block's shared memory. */
  public static void begin(
      SharedSpan to, int toByte, TensorMap map, SharedSpan barriers, int index, int... at) {
    String what = "cpAsyncBulkTensorToShared";
    DeviceThread thread = DeviceThread.current(what);
    TensorBox box = new TensorBox(what, map, at);
    thread.races().activate();
    box.requireFenced(thread, what);
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
  }

  /** The thread that calls begins a copy to the shared memory of blocks of its cluster. */
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
    box.requireFenced(thread, what);
    CopyEnds.shared(what, to, toByte, map.sharedBytes(), ALIGNMENT);
    for (BlockState block : thread.cluster().blocks(what, blocks)) {
      SharedStorage storage = block.counterpart(thread.block(), to.storage());
      Mbarrier barrier = block.mbarrier(what, thread.block(), barriers, index);
      begin(what, thread, box, storage, to.firstByte() + toByte, barrier);
    }
  }

  /** The thread that calls begins a copy to global memory. */
  public static void store(String what, TensorMap map, SharedSpan from, int fromByte, int... at) {
    DeviceThread thread = DeviceThread.current(what);
    TensorBox box = new TensorBox(what, map, at);
    box.requireInside();
    thread.bulkStores().begin(what, from, fromByte, map.sharedBytes(), ALIGNMENT, box.target());
  }

  /**
   * The thread that calls begins a reduction.
   *
   * @param join joins an element of shared memory, the second one, to one of the tensor
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
    thread.bulkStores().begin(what, from, fromByte, map.sharedBytes(), ALIGNMENT, box.target(join));
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
