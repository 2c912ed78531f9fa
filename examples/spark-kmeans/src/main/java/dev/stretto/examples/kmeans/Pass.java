package dev.stretto.examples.kmeans;

/** Reads all points of a process. */
@FunctionalInterface
public interface Pass {
  /**
   * Adds each point once. Returns when the device has added them.
   *
   * @param step of the iteration
   */
  void addAll(KMeansStep step);
}
