package dev.stretto.compiler.reach;

/**
 * Bytes of an array that a launch may access: planes of rows.
 *
 * @param argument the number of the array or tensor map among the arguments
 * @param kind what the launch does with them
 * @param offset the first byte, from the beginning of the array
 * @param width bytes per row; {@link Long#MAX_VALUE} for all that follow
 * @param pitch bytes from the beginning of a row to the next
 * @param rows rows per plane
 * @param plane bytes from the beginning of a plane to the next
 * @param planes the number of planes
 */
public record Reached(
    int argument,
    AccessKind kind,
    long offset,
    long width,
    long pitch,
    long rows,
    long plane,
    long planes) {
  static Reached rows(int argument, AccessKind kind, long offset, long width) {
    return new Reached(argument, kind, offset, width, width, 1, 0, 1);
  }

  static Reached all(int argument, AccessKind kind) {
    return rows(argument, kind, 0, Long.MAX_VALUE);
  }

  /** {@return one behind the last byte} */
  long end() {
    return width == Long.MAX_VALUE
        ? Long.MAX_VALUE
        : offset + (planes - 1) * plane + (rows - 1) * pitch + width;
  }

  private boolean isWhole() {
    return rows == 1 && planes == 1;
  }

  private boolean isOfSameShape(Reached other) {
    return pitch == other.pitch
        && rows == other.rows
        && plane == other.plane
        && planes == other.planes;
  }

  /**
   * {@return exactly the bytes of this and of another one, which begins no earlier, if they are
   * rows again; null if not}
   */
  @org.jspecify.annotations.Nullable
  Reached with(Reached other) {
    if (argument != other.argument || kind != other.kind) {
      return null;
    }
    if (isWhole() && end() >= other.end()) {
      return this;
    }
    if (isWhole() && other.isWhole()) {
      return other.offset <= end() ? to(other.end()) : null;
    }
    if (!isOfSameShape(other) || other.offset > offset + width) {
      return null;
    }
    long both = Math.max(width, other.offset + other.width - offset);
    if (both > pitch) {
      return null;
    }
    return both < pitch
        ? new Reached(argument, kind, offset, both, pitch, rows, plane, planes)
        : dense(both);
  }

  /** {@return the same with rows so wide that nothing is between them} */
  private Reached dense(long width) {
    long all = (rows - 1) * pitch + width;
    return planes == 1
        ? rows(argument, kind, offset, all)
        : plane == all
            ? rows(argument, kind, offset, plane * planes)
            : new Reached(argument, kind, offset, all, plane, planes, 0, 1);
  }

  private Reached to(long end) {
    return rows(argument, kind, offset, end == Long.MAX_VALUE ? end : end - offset);
  }

  /** {@return all bytes from the first of both to the last} */
  Reached hull(Reached other) {
    long first = Math.min(offset, other.offset);
    long last = Math.max(end(), other.end());
    return rows(argument, kind, first, last == Long.MAX_VALUE ? last : last - first);
  }
}
