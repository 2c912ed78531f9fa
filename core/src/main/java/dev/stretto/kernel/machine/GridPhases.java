package dev.stretto.kernel.machine;

import org.jspecify.annotations.Nullable;

/**
 * What the blocks of a cooperative launch make known to each other where all of them meet. A block
 * that arrives again before another one has left makes nothing known to that: on a GPU it may, by
 * chance. Host threads that run blocks of the launch share it.
 */
final class GridPhases {
  private @Nullable OtherClusters now;
  private @Nullable OtherClusters before;

  /** Adds what a block makes known that arrives; called with this locked. */
  void arrives(@Nullable OtherClusters known) {
    now = OtherClusters.joined(now, known);
  }

  /** Notes that all blocks have arrived; called with this locked. */
  void ends() {
    before = now;
    now = null;
  }

  /** What all blocks knew that met last. */
  synchronized @Nullable OtherClusters known() {
    return before;
  }
}
