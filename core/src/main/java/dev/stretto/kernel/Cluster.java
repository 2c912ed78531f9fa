package dev.stretto.kernel;

import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.kernel.machine.SharedStorage;

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

  /**
   * {@return what a block of the cluster has at the place of this block's array: the same kernel
   * makes the same arrays in each block} Any thread of the cluster may read and write it with
   * {@code get} and {@code set} and their kind, and use {@link Atomics} on it. Copies do not reach
   * it: {@link PtxClusters} has those that do. The equivalent of {@code
   * cluster_group::map_shared_rank} in CUDA C++; {@code mapa} in PTX.
   *
   * <p>The other block has to have begun before the first access, and not to have returned before
   * the last one: call {@link #sync()} before and after. Accesses are ordered by {@link #sync()},
   * or by barriers of {@link Scope#CLUSTER}.
   *
   * @param array of this block's shared memory
   * @param rank of the block, 0 to {@code size() - 1}; it may be this one
   * @throws IllegalArgumentException on a virtual device, if there is no such block, or the array
   *     is another block's already
   */
  public SharedBytes shared(SharedBytes array, int rank) {
    return new SharedBytes(ofBlock(array, rank), array.firstByte(), array.length());
  }

  /**
   * {@return what a block of the cluster has at the place of this block's array, like {@link
   * #shared(SharedBytes, int)}}
   *
   * @param array of this block's shared memory
   * @param rank of the block, 0 to {@code size() - 1}
   */
  public SharedShorts shared(SharedShorts array, int rank) {
    return new SharedShorts(ofBlock(array, rank), array.firstByte(), array.length());
  }

  /**
   * {@return what a block of the cluster has at the place of this block's array, like {@link
   * #shared(SharedBytes, int)}}
   *
   * @param array of this block's shared memory
   * @param rank of the block, 0 to {@code size() - 1}
   */
  public SharedInts shared(SharedInts array, int rank) {
    return new SharedInts(ofBlock(array, rank), array.firstByte(), array.length());
  }

  /**
   * {@return what a block of the cluster has at the place of this block's array, like {@link
   * #shared(SharedBytes, int)}}
   *
   * @param array of this block's shared memory
   * @param rank of the block, 0 to {@code size() - 1}
   */
  public SharedLongs shared(SharedLongs array, int rank) {
    return new SharedLongs(ofBlock(array, rank), array.firstByte(), array.length());
  }

  /**
   * {@return what a block of the cluster has at the place of this block's array, like {@link
   * #shared(SharedBytes, int)}}
   *
   * @param array of this block's shared memory
   * @param rank of the block, 0 to {@code size() - 1}
   */
  public SharedFloats shared(SharedFloats array, int rank) {
    return new SharedFloats(ofBlock(array, rank), array.firstByte(), array.length());
  }

  /**
   * {@return what a block of the cluster has at the place of this block's array, like {@link
   * #shared(SharedBytes, int)}}
   *
   * @param array of this block's shared memory
   * @param rank of the block, 0 to {@code size() - 1}
   */
  public SharedDoubles shared(SharedDoubles array, int rank) {
    return new SharedDoubles(ofBlock(array, rank), array.firstByte(), array.length());
  }

  /**
   * {@return what a block of the cluster has at the place of this block's array, like {@link
   * #shared(SharedBytes, int)}}
   *
   * @param array of this block's shared memory
   * @param rank of the block, 0 to {@code size() - 1}
   */
  public SharedHalfs shared(SharedHalfs array, int rank) {
    return new SharedHalfs(ofBlock(array, rank), array.firstByte(), array.length());
  }

  /**
   * {@return what a block of the cluster has at the place of this block's array, like {@link
   * #shared(SharedBytes, int)}}
   *
   * @param array of this block's shared memory
   * @param rank of the block, 0 to {@code size() - 1}
   */
  public SharedBfloats shared(SharedBfloats array, int rank) {
    return new SharedBfloats(ofBlock(array, rank), array.firstByte(), array.length());
  }

  private static SharedStorage ofBlock(SharedArray array, int rank) {
    return DeviceThread.current("Cluster.shared").sharedOf(rank, array.span());
  }
}
