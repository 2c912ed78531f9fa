package dev.stretto.kernel.machine;

/** The position of a thread in a launch. */
public record ThreadPosition(
    LaunchExtents extents,
    int blockX,
    int blockY,
    int blockZ,
    int threadX,
    int threadY,
    int threadZ) {
  String describeBlock() {
    return "block (" + blockX + ", " + blockY + ", " + blockZ + ")";
  }

  @Override
  public String toString() {
    return describeBlock() + ", thread (" + threadX + ", " + threadY + ", " + threadZ + ")";
  }
}
