package dev.stretto.kernel;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The barrier of all threads of a cluster, at which arriving and waiting are two steps. Threads
 * that have returned are never waited for.
 */
final class ClusterBarrier {
  private final BlockThreads cluster;
  private final List<DeviceThread> waiting = new ArrayList<>();
  private final BitSet arrived = new BitSet();

  /** Threads that have arrived in a phase that has ended, and have not waited for it. */
  private final BitSet owing = new BitSet();

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
    known = new int[0];
  }

  void arrive(DeviceThread thread, boolean releases) {
    if (arrived.get(thread.rank()) || owing.get(thread.rank())) {
      throw new IllegalStateException(
          "barrierClusterArrive a second time: wait with barrierClusterWait between");
    }
    arrived.set(thread.rank());
    if (releases) {
      known = cluster.order().release(thread, known);
    }
    if (isComplete()) {
      complete();
    }
  }

  void await(DeviceThread thread) {
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
  }

  private boolean isComplete() {
    return arrived.cardinality() >= cluster.liveThreads();
  }

  private void complete() {
    knownBefore = known;
    known = new int[0];
    owing.or(arrived);
    arrived.clear();
    waiting.forEach(DeviceThread::goOn);
    waiting.clear();
  }

  /** A thread has returned from the kernel. */
  void leave() {
    if (!arrived.isEmpty() && isComplete()) {
      complete();
    }
  }
}
