package dev.stretto.kernel;

import org.jspecify.annotations.Nullable;

/** Where a thread of a launch stands, and what waits for other threads for it. */
abstract class ThreadPosition {
  final LaunchExtents extents;
  final int blockX;
  final int blockY;
  final int blockZ;
  final int threadX;
  final int threadY;
  final int threadZ;
  private final @Nullable DeviceThread thread;

  /**
   * A thread of a block.
   *
   * @param thread what waits for others, or null where threads run one after the other
   */
  ThreadPosition(
      LaunchExtents extents,
      int blockX,
      int blockY,
      int blockZ,
      int threadX,
      int threadY,
      int threadZ,
      @Nullable DeviceThread thread) {
    this.extents = extents;
    this.blockX = blockX;
    this.blockY = blockY;
    this.blockZ = blockZ;
    this.threadX = threadX;
    this.threadY = threadY;
    this.threadZ = threadZ;
    this.thread = thread;
  }

  /** The thread that waits for others. */
  DeviceThread thread(String what) {
    if (thread == null) {
      throw new IllegalStateException(
          what + " in a kernel whose threads run one after the other: they cannot wait");
    }
    return thread;
  }

  String describeBlock() {
    return "block (" + blockX + ", " + blockY + ", " + blockZ + ")";
  }

  @Override
  public String toString() {
    return describeBlock() + ", thread (" + threadX + ", " + threadY + ", " + threadZ + ")";
  }
}
