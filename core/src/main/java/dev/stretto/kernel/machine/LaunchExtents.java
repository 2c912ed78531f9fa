package dev.stretto.kernel.machine;

import dev.stretto.driver.LaunchShape;

/**
 * The shape of a launch as its threads see it, and the compute capability for which the kernel is
 * compiled.
 */
public record LaunchExtents(LaunchShape shape, int computeCapability) {
  public int gridX() {
    return shape.gridX();
  }

  public int gridY() {
    return shape.gridY();
  }

  public int gridZ() {
    return shape.gridZ();
  }

  public int blockX() {
    return shape.blockX();
  }

  public int blockY() {
    return shape.blockY();
  }

  public int blockZ() {
    return shape.blockZ();
  }

  public int threadsPerBlock() {
    return (int) shape.threadsPerBlock();
  }

  public int blocksPerCluster() {
    return (int) shape.blocksPerCluster();
  }

  /** Whether all blocks of the launch are there at the same time. */
  boolean areAllThere() {
    return shape.isCooperative() || shape.clusters() == 1;
  }

  /** Whether all threads have different numbers along x. */
  boolean isLine() {
    return gridY() == 1 && gridZ() == 1 && blockY() == 1 && blockZ() == 1;
  }

  /**
   * The x coordinate in the grid of a block of a cluster. Clusters, and blocks within one, are
   * counted x first, then y, then z.
   */
  public int x(long cluster, int rank) {
    return (int) (cluster % clustersX()) * shape.clusterX() + rank % shape.clusterX();
  }

  public int y(long cluster, int rank) {
    return (int) (cluster / clustersX() % clustersY()) * shape.clusterY()
        + rank / shape.clusterX() % shape.clusterY();
  }

  public int z(long cluster, int rank) {
    return (int) (cluster / clustersX() / clustersY()) * shape.clusterZ()
        + rank / shape.clusterX() / shape.clusterY();
  }

  private int clustersX() {
    return shape.gridX() / shape.clusterX();
  }

  private int clustersY() {
    return shape.gridY() / shape.clusterY();
  }
}
