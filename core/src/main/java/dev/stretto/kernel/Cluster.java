package dev.stretto.kernel;

/**
 * The blocks of a launch that run at the same time as the calling block, and can access its shared
 * memory: the equivalent of {@code cooperative_groups::cluster_group} in CUDA C++. {@code
 * Grid.withCluster} sets their number; needs compute capability 9.0.
 */
public final class Cluster {
  Cluster() {}

  /** {@return the number of blocks} */
  public int size() {
    return PtxClusters.clusterBlocks();
  }

  /** {@return the rank of this block, 0 to {@code size() - 1}, with x varying fastest} */
  public int blockRank() {
    return PtxClusters.clusterBlockRank();
  }

  /**
   * Waits until all threads of all blocks have called it; each sees what the others wrote before.
   */
  public void sync() {
    PtxClusters.barrierClusterArrive();
    PtxClusters.barrierClusterWait();
  }

  /** Arrives at {@link #sync()}'s barrier without waiting; call {@link #waitForAll()} next. */
  public void arrive() {
    PtxClusters.barrierClusterArrive();
  }

  /** Waits until all threads of all blocks have arrived. */
  public void waitForAll() {
    PtxClusters.barrierClusterWait();
  }
}
