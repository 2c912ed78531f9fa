package dev.stretto.kernel.machine;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The barrier of all threads of a cluster. Arriving and waiting are separate steps. The barrier
 * does not wait for threads that have returned.
 */
public final class ClusterBarrier {
  private final BlockThreads cluster;
  private final List<DeviceThread> waiting = new ArrayList<>();
  private final BitSet arrived = new BitSet();

  /** Threads that arrived in a phase that has ended, and that have not waited for it yet. */
  private final BitSet owing = new BitSet();

  private final List<Mbarrier> fenced = new ArrayList<>();
  private List<Mbarrier> fencedBefore = List.of();
  private Known known = new Known();
  private Known knownBefore = new Known();

  ClusterBarrier(BlockThreads cluster) {
    this.cluster = cluster;
  }

  /** Called when a cluster begins. */
  void begin() {
    waiting.clear();
    arrived.clear();
    owing.clear();
    fenced.clear();
    fencedBefore = List.of();
    known = new Known();
  }

  public void arrive(DeviceThread thread, boolean releases) {
    if (arrived.get(thread.rank()) || owing.get(thread.rank())) {
      throw new IllegalStateException(
          "barrierClusterArrive a second time: wait with barrierClusterWait between");
    }
    arrived.set(thread.rank());
    // This arrival makes fenced barrier objects known, whether or not it makes anything else known.
    fenced.addAll(thread.mbarriers().fencedBy(thread));
    if (releases) {
      cluster.order().release(thread, known);
    }
    if (isComplete()) {
      complete();
    }
  }

  public void await(DeviceThread thread) {
    boolean again = thread.takesUp(ClusterBarrier.class) != null;
    if (!again && !arrived.get(thread.rank()) && !owing.get(thread.rank())) {
      throw new IllegalStateException(
          "barrierClusterWait without an arrival: call barrierClusterArrive before");
    }
    if (arrived.get(thread.rank())) {
      waiting.add(thread);
      if (thread.leavesOff(this, () -> "the cluster's barrier")) {
        return;
      }
    }
    owing.clear(thread.rank());
    cluster.order().acquire(thread, knownBefore);
    fencedBefore.forEach(barrier -> barrier.becomesKnownTo(thread));
  }

  private boolean isComplete() {
    return arrived.cardinality() >= cluster.liveThreads();
  }

  private void complete() {
    knownBefore = known;
    known = new Known();
    fencedBefore = List.copyOf(fenced);
    fenced.clear();
    owing.or(arrived);
    arrived.clear();
    waiting.forEach(DeviceThread::goOn);
    waiting.clear();
  }

  /** Called when a thread has returned from the kernel. */
  void leave(DeviceThread thread) {
    arrived.clear(thread.rank());
    owing.clear(thread.rank());
    if (!arrived.isEmpty() && isComplete()) {
      complete();
    }
  }
}
