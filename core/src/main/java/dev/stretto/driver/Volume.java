package dev.stretto.driver;

/**
 * The shape of a copy of several planes of rows, and their layout at both ends.
 *
 * @param dstPitch bytes from row to row of a plane at the destination
 * @param dstPlane bytes from plane to plane at the destination
 * @param srcPitch bytes from row to row of a plane at the source
 * @param srcPlane bytes from plane to plane at the source
 * @param width bytes of a row
 * @param rows rows of a plane
 * @param planes how many planes
 */
public record Volume(
    long dstPitch,
    long dstPlane,
    long srcPitch,
    long srcPlane,
    long width,
    long rows,
    long planes) {

  /**
   * {@return the shape of a copy of one run of bytes}
   *
   * @param bytes how many
   */
  public static Volume run(long bytes) {
    return new Volume(bytes, bytes, bytes, bytes, bytes, 1, 1);
  }

  /**
   * {@return the shape of a copy of one plane}
   *
   * @param dstPitch bytes from row to row at the destination
   * @param srcPitch bytes from row to row at the source
   * @param width bytes of a row
   * @param rows how many rows
   */
  public static Volume rows(long dstPitch, long srcPitch, long width, long rows) {
    return new Volume(dstPitch, rows * dstPitch, srcPitch, rows * srcPitch, width, rows, 1);
  }

  /** {@return whether there are no gaps at either end, so that the copy is one run of bytes} */
  public boolean isRun() {
    return dstSpan() == bytes() && srcSpan() == bytes();
  }

  /** {@return how many bytes are copied} */
  public long bytes() {
    return width * rows * planes;
  }

  /** {@return the bytes from the first to the last at the destination} */
  public long dstSpan() {
    return (planes - 1) * dstPlane + (rows - 1) * dstPitch + width;
  }

  /** {@return the bytes from the first to the last at the source} */
  public long srcSpan() {
    return (planes - 1) * srcPlane + (rows - 1) * srcPitch + width;
  }

  /**
   * {@return whether the shape is valid: at least one byte, rows and planes that do not overlap at
   * either end, and spans that fit into the address space}
   */
  public boolean isPossible() {
    return width > 0
        && rows > 0
        && planes > 0
        && lies(dstPitch, dstPlane)
        && lies(srcPitch, srcPlane);
  }

  private boolean lies(long pitch, long plane) {
    return pitch >= width
        && rows <= (Long.MAX_VALUE >> 2) / pitch
        && plane >= (rows - 1) * pitch + width
        && planes <= (Long.MAX_VALUE >> 2) / plane;
  }

  @Override
  public String toString() {
    return "%d planes of %d rows of %d bytes to pitches of %d and %d from pitches of %d and %d"
        .formatted(planes, rows, width, dstPitch, dstPlane, srcPitch, srcPlane);
  }
}
