package dev.stretto.enqueue;

import dev.stretto.memory.GlobalArray;

/**
 * The bytes that one end of a copy uses: planes of rows. Neither rows nor planes overlap.
 *
 * @param address the address of the first byte
 * @param width bytes per row
 * @param pitch bytes from the beginning of a row to the next, at least the width
 * @param rows rows per plane
 * @param plane bytes from the beginning of a plane to the next; ignored if there is one plane
 * @param planes the number of planes
 */
public record Footprint(long address, long width, long pitch, long rows, long plane, long planes) {
  public static Footprint ofRows(long address, long width, long pitch, long rows) {
    return new Footprint(address, width, pitch, rows, 0, 1);
  }

  /** Refuses a copy whose ends share a byte. */
  public static void requireApart(
      GlobalArray source, Footprint from, GlobalArray destination, Footprint to) {
    if (from.meets(to)) {
      throw new IllegalArgumentException(
          "the two ends of a copy overlap: "
              + from.describe()
              + " of "
              + source
              + ", and "
              + to.describe()
              + " of "
              + destination);
    }
  }

  private String describe() {
    String inRows = "%d rows of %d bytes, %d apart,".formatted(rows, width, pitch);
    return planes == 1
        ? inRows
        : "%d planes, %d bytes apart, of ".formatted(planes, plane) + inRows;
  }

  /** {@return whether the two share a byte} Their rows have the same width. */
  public boolean meets(Footprint other) {
    if (address >= other.end() || other.address >= end()) {
      return false;
    }
    return (pitch == other.pitch && plane == other.plane)
        ? meetsShifted(other.address - address)
        : meetsRowByRow(other);
  }

  private long spanOfPlane() {
    return (rows - 1) * pitch + width;
  }

  private long end() {
    return address + (planes - 1) * plane + spanOfPlane();
  }

  /**
   * Whether this footprint meets a shifted copy of itself. Takes the same time for any number of
   * rows.
   */
  private boolean meetsShifted(long shift) {
    long most = planes - 1;
    long reach = spanOfPlane() - 1;
    long first = most == 0 ? 0 : Math.max(-most, -Math.floorDiv(shift + reach, plane));
    long last = most == 0 ? 0 : Math.min(most, Math.floorDiv(reach - shift, plane));
    for (long apart = first; apart <= last; apart++) {
      long offset = shift + apart * plane;
      long row = Math.min(rows - 1, Math.floorDiv(width - 1 - offset, pitch));
      if (row > -rows && offset + row * pitch > -width) {
        return true;
      }
    }
    return false;
  }

  private boolean meetsRowByRow(Footprint other) {
    for (long z = 0; z < planes; z++) {
      for (long y = 0; y < rows; y++) {
        if (other.touches(address + z * plane + y * pitch)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Whether a row that begins at {@code start} meets this footprint; if any row here meets it, the
   * last row that begins before it does.
   */
  private boolean touches(long start) {
    long last = start + width - 1;
    if (last < address) {
      return false;
    }
    long z = planes == 1 ? 0 : Math.min(planes - 1, (last - address) / plane);
    long begin = address + z * plane;
    long y = Math.min(rows - 1, (last - begin) / pitch);
    return begin + y * pitch + width > start;
  }
}
