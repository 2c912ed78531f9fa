package dev.stretto.kernel.machine;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The barrier of all threads of a cluster, at which arriving and waiting are two steps. Threads
 * that have returned are never waited for.
 */
public final class ClusterBarrier {
  private final BlockThreads cluster;
  private final List<DeviceThread> waiting = new ArrayList<>();
  private final BitSet arrived = new BitSet();

  /** Threads that have arrived in a phase that has ended, and have not waited for it. */
  private final BitSet owing = new BitSet();

  private final List<Mbarrier> fenced = new ArrayList<>();
  private List<Mbarrier> fencedBefore = List.of();
  private int[] known = {};
  private int[] knownBefore = {};

  ClusterBarrier(BlockThreads cluster) {
    this.cluster = cluster;
  }

  /** A cluster begins. */
  void begin() {
    waiting.clear();
    arrived.clear();
    owing.clear();
    fenced.clear();
    fencedBefore = List.of();
    known = new int[0];
  }

  public void arrive(DeviceThread thread, boolean releases) {
    if (arrived.get(thread.rank()) || owing.get(thread.rank())) {
      throw new IllegalStateException(
          "barrierClusterArrive a second time: wait with barrierClusterWait between");
    }
    arrived.set(thread.rank());
    // A fence makes its barrier objects known by this, whether or not all else becomes known too.
    fenced.addAll(thread.mbarriers().fencedBy(thread));
    if (releases) {
      known = cluster.order().release(thread, known);
    }
    if (isComplete()) {
      complete();
    }
  }

  public void await(DeviceThread thread) {
    if (!arrived.get(thread.rank()) && !owing.get(thread.rank())) {
      throw new IllegalStateException(
          "barrierClusterWait without an arrival: call barrierClusterArrive before");
    }
    if (arrived.get(thread.rank())) {
      waiting.add(thread);
      thread.await(() -> "the cluster's barrier");
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
    known = new int[0];
    fencedBefore = List.copyOf(fenced);
    fenced.clear();
    owing.or(arrived);
    arrived.clear();
    waiting.forEach(DeviceThread::goOn);
    waiting.clear();
  }

  /** A thread has returned from the kernel. */
  void leave(DeviceThread thread) {
    arrived.clear(thread.rank());
    owing.clear(thread.rank());
    if (!arrived.isEmpty() && isComplete()) {
      complete();
    }
  }
}
