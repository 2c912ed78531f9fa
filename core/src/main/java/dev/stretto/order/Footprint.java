package dev.stretto.order;

/**
 * The bytes that an operation accesses: planes of rows. Neither rows nor planes overlap.
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

  /** {@return bytes that follow each other} */
  public static Footprint of(long address, long bytes) {
    return new Footprint(address, bytes, bytes, 1, 0, 1);
  }

  /** {@return all bytes from the first to the last one of the two} */
  Footprint hull(Footprint other) {
    long from = Math.min(address, other.address);
    return of(from, Math.max(end(), other.end()) - from);
  }

  /** {@return whether its bytes follow each other} */
  boolean isWhole() {
    return planes == 1 && rows == 1;
  }

  /** {@return whether each byte of the other one is one of this} */
  boolean covers(Footprint other) {
    return isWhole() ? address <= other.address && other.end() <= end() : equals(other);
  }

  /** {@return whether the two share a byte} */
  public boolean meets(Footprint other) {
    if (address >= other.end() || other.address >= end()) {
      return false;
    }
    if (isAlike(other)) {
      return meetsShifted(other, rows > 1 ? pitch : other.pitch, planes > 1 ? plane : other.plane);
    }
    return rows * planes <= other.rows * other.planes
        ? meetsRowByRow(other)
        : other.meetsRowByRow(this);
  }

  /** Whether rows are equally far apart in both, and planes as well, if there are several. */
  private boolean isAlike(Footprint other) {
    return (rows == 1 || other.rows == 1 || pitch == other.pitch)
        && (planes == 1 || other.planes == 1 || plane == other.plane);
  }

  private long spanOfPlane() {
    return (rows - 1) * pitch + width;
  }

  /** {@return one behind its last byte} */
  public long end() {
    return address + (planes - 1) * plane + spanOfPlane();
  }

  /**
   * Whether this footprint meets another one with the same distances. Takes the same time for any
   * number of rows.
   */
  private boolean meetsShifted(Footprint other, long pitch, long plane) {
    long shift = other.address - address;
    long first = -(planes - 1);
    long last = other.planes - 1;
    if (first < last) {
      long below = -other.width - (other.rows - 1) * pitch - shift;
      long above = width + (rows - 1) * pitch - shift;
      first = Math.max(first, Math.floorDiv(below, plane) + 1);
      last = Math.min(last, Math.ceilDiv(above, plane) - 1);
    }
    for (long planesApart = first; planesApart <= last; planesApart++) {
      long offset = shift + planesApart * plane;
      long row = pitch == 0 ? 0 : Math.floorDiv(-other.width - offset, pitch) + 1;
      long rowsApart = Math.max(row, -(rows - 1));
      long at = offset + rowsApart * pitch;
      if (rowsApart < other.rows && at < width && at > -other.width) {
        return true;
      }
    }
    return false;
  }

  private boolean meetsRowByRow(Footprint other) {
    for (long z = 0; z < planes; z++) {
      for (long y = 0; y < rows; y++) {
        if (other.touches(address + z * plane + y * pitch, width)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Whether some bytes that begin at {@code start} meet this footprint; if any row here meets them,
   * the last row that begins before their end does.
   */
  private boolean touches(long start, long bytes) {
    long last = start + bytes - 1;
    if (last < address) {
      return false;
    }
    long z = planes == 1 ? 0 : Math.min(planes - 1, (last - address) / plane);
    long begin = address + z * plane;
    long y = Math.min(rows - 1, (last - begin) / pitch);
    return begin + y * pitch + width > start;
  }

  @Override
  public String toString() {
    if (isWhole()) {
      return "%d bytes at 0x%x".formatted(width, address);
    }
    String inRows = "%d rows of %d bytes, %d apart,".formatted(rows, width, pitch);
    return planes == 1
        ? inRows
        : "%d planes, %d bytes apart, of ".formatted(planes, plane) + inRows;
  }
}
