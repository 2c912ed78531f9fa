package dev.stretto;

/**
 * How much a three-dimensional copy moves.
 *
 * @param width bytes of a row
 * @param rows rows of a plane
 * @param planes how many
 */
public record Extent(long width, long rows, long planes) {
  /** {@return how such an extent lies without gaps} */
  public Pitches packed() {
    return new Pitches(width, width * rows);
  }

  /** {@return how many bytes are moved} */
  public long bytes() {
    return width * rows * planes;
  }

  @Override
  public String toString() {
    return planes + " planes of " + rows + " rows of " + width + " bytes";
  }
}
