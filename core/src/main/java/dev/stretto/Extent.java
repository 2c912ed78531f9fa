package dev.stretto;

/**
 * The size of a three-dimensional copy.
 *
 * @param width bytes per row
 * @param rows rows per plane
 * @param planes the number of planes
 */
public record Extent(long width, long rows, long planes) {
  /** {@return the pitches of memory that holds this extent without gaps} */
  public Pitches packed() {
    return new Pitches(width, width * rows);
  }

  /** {@return how many bytes the copy moves} */
  public long bytes() {
    return width * rows * planes;
  }

  @Override
  public String toString() {
    return planes + " planes of " + rows + " rows of " + width + " bytes";
  }
}
