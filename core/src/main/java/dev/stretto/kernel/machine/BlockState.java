package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The state that the threads of one block share on a virtual device, in a kernel whose threads wait
 * for each other.
 */
public final class BlockState {
  static final int LANES = 32;

  private final HappensBefore order;
  private final int number;
  private final int threads;
  private final WarpMeetings[] warps;
  private final SharedCopies copies;
  private final SharedCopies[] warpCopies;
  private final GroupCopies groupCopies;
  private final BlockBarriers barriers;
  private final BlockMemory memory;
  private final Mbarriers mbarriers;
  private final OutsideUses outside;

  /** Copies of this block's memory to other blocks. */
  private final List<PendingStore> sent = new ArrayList<>();

  private final WarpGroup[] warpGroups;
  private final RegisterPool registers;
  private int live;

  /**
   * Creates the state of a block.
   *
   * @param number the block's number within its cluster
   */
  BlockState(BlockThreads cluster, int number, int threads, int dynamicSharedBytes) {
    this.number = number;
    this.threads = threads;
    this.warps = new WarpMeetings[(threads + LANES - 1) / LANES];
    for (int warp = 0; warp < warps.length; warp++) {
      warps[warp] = new WarpMeetings(warp, Math.min(LANES, threads - LANES * warp));
    }
    this.copies = new SharedCopies("block", cluster.order(), 0, threads);
    this.warpCopies = new SharedCopies[warps.length];
    Arrays.setAll(
        warpCopies,
        warp ->
            new SharedCopies(
                "warp", cluster.order(), LANES * warp, Math.min(LANES, threads - LANES * warp)));
    this.groupCopies = new GroupCopies(cluster.order());
    this.warpGroups = new WarpGroup[threads / ProductShape.THREADS];
    Arrays.setAll(warpGroups, _ -> new WarpGroup());
    this.registers = new RegisterPool(threads);
    this.barriers = new BlockBarriers(cluster.order(), () -> live);
    this.mbarriers = new Mbarriers(cluster);
    this.order = cluster.order();
    this.outside = new OutsideUses(order, number, number * threads, threads, () -> live);
    this.memory = new BlockMemory(dynamicSharedBytes, cluster.races());
  }

  void begin() {
    live = threads;
    copies.begin();
    for (SharedCopies warp : warpCopies) {
      warp.begin();
    }
    groupCopies.begin();
    mbarriers.begin();
    outside.begin();
    sent.clear();
    memory.begin();
    barriers.begin();
    for (WarpMeetings warp : warps) {
      warp.begin();
    }
    for (WarpGroup group : warpGroups) {
      group.begin();
    }
    registers.begin();
  }

  /** Called when a thread has returned from the kernel. */
  void leave(Coroutine thread) {
    live--;
    warps[thread.rankInBlock() / LANES].leave(thread);
    barriers.leave();
    if (live == 0) {
      end();
    }
  }

  /** Called when all threads that were left have returned together; none waits for another one. */
  void leaveTogether() {
    live = 0;
    end();
  }

  private void end() {
    copies.leave();
    for (SharedCopies warp : warpCopies) {
      warp.leave();
    }
    groupCopies.leave();
    mbarriers.leave();
    outside.leave();
    sent.forEach(this::requireRead);
  }

  private void requireRead(PendingStore copy) {
    if (!isKnownRead(copy)) {
      throw order.misuse(
          CopyRule.EXIT_BEFORE_READ,
          "block "
              + number
              + " of the cluster returns while "
              + copy
              + " may still read its shared memory: wait until the other block has it, with"
              + " cluster.sync() behind its wait");
    }
  }

  /** Notes a copy of this block's memory to another block. */
  void sends(PendingStore copy) {
    sent.removeIf(this::isKnownRead);
    sent.add(copy);
  }

  /** Whether any of the block's threads knows that a copy has read its memory. */
  private boolean isKnownRead(PendingStore copy) {
    int first = number * threads;
    return copy.isRead() && order.isKnownToAny(first, first + threads, copy.slot(), copy.number());
  }

  /** What this block has at the place of a calling block's array, for that block's threads. */
  SharedStorage shared(BlockState caller, SharedSpan array) {
    CopyEnds.requireOwn("Cluster.shared", array);
    SharedStorage storage = counterpart(caller, array.storage());
    storage.outside(outside);
    return storage;
  }

  /** This block's counterpart of a storage that belongs to another block of the cluster. */
  SharedStorage counterpart(BlockState other, SharedStorage storage) {
    return other == this ? storage : memory.counterpart(other.memory, storage);
  }

  /**
   * This block's barrier object at the same place as a barrier object of another block of the
   * cluster.
   */
  public Mbarrier mbarrier(String what, BlockState other, SharedSpan barriers, int index) {
    if (live == 0) {
      throw new IllegalStateException(
          what + " to block " + number + " of the cluster, whose threads have all returned");
    }
    CopyEnds.requireOwn(what, barriers);
    SharedStorage storage = counterpart(other, barriers.storage());
    return mbarriers.at(what, storage, barriers, index);
  }

  public int number() {
    return number;
  }

  int liveThreads() {
    return live;
  }

  WarpMeetings meetings(Coroutine thread) {
    return warps[thread.rankInBlock() / LANES];
  }

  /** The thread's warp group: four warps that multiply matrices together. */
  public WarpGroup warpGroup(Coroutine thread) {
    int number = thread.rankInBlock() / ProductShape.THREADS;
    if (number >= warpGroups.length) {
      throw new IllegalStateException(
          thread
              + " begins a product of a warp group, and a block of "
              + threads
              + " threads has "
              + warpGroups.length
              + ": a warp group is 128 threads");
    }
    return warpGroups[number];
  }

  /** The copies that the block's threads make together. */
  public SharedCopies copies() {
    return copies;
  }

  GroupCopies groupCopies() {
    return groupCopies;
  }

  SharedCopies warpCopies(Coroutine thread) {
    return warpCopies[thread.rankInBlock() / LANES];
  }

  public RegisterPool registers() {
    return registers;
  }

  BlockBarriers barriers() {
    return barriers;
  }

  BlockMemory memory() {
    return memory;
  }

  Mbarriers mbarriers() {
    return mbarriers;
  }
}
