package dev.stretto.kernel;

import dev.stretto.driver.LaunchShape;

/**
 * The shape of a launch as its threads see it, and for which compute capability the kernel is
 * compiled.
 */
record LaunchExtents(LaunchShape shape, int computeCapability) {
  int gridX() {
    return shape.gridX();
  }

  int gridY() {
    return shape.gridY();
  }

  int gridZ() {
    return shape.gridZ();
  }

  int blockX() {
    return shape.blockX();
  }

  int blockY() {
    return shape.blockY();
  }

  int blockZ() {
    return shape.blockZ();
  }

  int threadsPerBlock() {
    return (int) shape.threadsPerBlock();
  }

  int blocksPerCluster() {
    return (int) shape.blocksPerCluster();
  }

  /** A block of a cluster, both of which are counted x first, then y, then z: its x in the grid. */
  int x(long cluster, int rank) {
    return (int) (cluster % clustersX()) * shape.clusterX() + rank % shape.clusterX();
  }

  int y(long cluster, int rank) {
    return (int) (cluster / clustersX() % clustersY()) * shape.clusterY()
        + rank / shape.clusterX() % shape.clusterY();
  }

  int z(long cluster, int rank) {
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
