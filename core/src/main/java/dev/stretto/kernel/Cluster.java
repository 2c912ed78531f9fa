package dev.stretto.kernel;

/**
 * The blocks of a launch that run at the same time as the one that asks, and reach its shared
 * memory: what CUDA C++ calls {@code cooperative_groups::cluster_group}. {@code Grid.withCluster}
 * says how many there are; needs compute capability 9.0.
 */
public final class Cluster {
  Cluster() {}

  /** {@return how many blocks there are} */
  public int size() {
    return PtxClusters.clusterBlocks();
  }

  /** {@return which of them this block is, 0 to {@code size() - 1}, x first} */
  public int blockRank() {
    return PtxClusters.clusterBlockRank();
  }

  /** Waits until all threads of all blocks have called it; each sees what the others did before. */
  public void sync() {
    PtxClusters.barrierClusterArrive();
    PtxClusters.barrierClusterWait();
  }

  /** Arrives where {@link #sync()} waits, without waiting; {@link #waitForAll()} has to follow. */
  public void arrive() {
    PtxClusters.barrierClusterArrive();
  }

  /** Waits until all threads of all blocks have arrived. */
  public void waitForAll() {
    PtxClusters.barrierClusterWait();
  }
}
