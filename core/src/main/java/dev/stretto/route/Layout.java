package dev.stretto.route;

import dev.stretto.driver.Volume;

/**
 * How a staged copy is cut into pieces: whole rows if they fit into a piece, parts of a row if not.
 * Rows without gaps at both ends count as one long row, and planes without gaps as one long plane.
 * A piece may begin and end within a plane.
 *
 * @param rows how many rows, of all planes
 * @param width bytes of a row
 * @param planeRows rows of a plane
 * @param host the layout in host memory
 * @param device the layout in device memory
 * @param pieceBytes the most bytes of a piece
 */
record Layout(long rows, long width, long planeRows, Pitch host, Pitch device, long pieceBytes) {
  /**
   * The layout of rows and planes.
   *
   * @param row bytes from row to row of a plane
   * @param plane bytes from plane to plane
   */
  record Pitch(long row, long plane) {
    long offset(long row, long planeRows) {
      return row / planeRows * plane + row % planeRows * this.row;
    }
  }

  /**
   * How finely a copy is cut.
   *
   * @param parts into how many pieces, if they are neither too small nor too large
   * @param leastBytes of a piece, unless the copy is smaller
   * @param mostBytes of a piece
   */
  record Cut(int parts, long leastBytes, long mostBytes) {
    /** Smaller pieces are not worth the driver's calls, unless a copy is alone. */
    static final long LEAST = 256 << 10;

    /** The least for a copy that is alone: its first piece is on its way sooner. */
    static final long LEAST_ALONE = 64 << 10;

    private static final int PARTS_ALONE = 8;

    long pieceBytes(long bytes) {
      long share = whole(bytes / parts);
      long least = Math.clamp(whole(bytes / PARTS_ALONE), leastBytes, Math.max(leastBytes, LEAST));
      return Math.min(mostBytes, Math.max(least, share));
    }

    /** {@return the same, with so many times smaller pieces} */
    Cut divided(int by) {
      return new Cut(parts, leastBytes, Math.max(LEAST_ALONE, mostBytes / by));
    }

    private static long whole(long bytes) {
      return (bytes + LEAST_ALONE - 1) & -LEAST_ALONE;
    }
  }

  static Layout of(long rows, long width, long hostPitch, long devicePitch, Cut cut) {
    return of(
        rows,
        1,
        width,
        new Pitch(hostPitch, rows * hostPitch),
        new Pitch(devicePitch, rows * devicePitch),
        cut);
  }

  static Layout of(Volume shape, boolean toDevice, Cut cut) {
    Pitch dst = new Pitch(shape.dstPitch(), shape.dstPlane());
    Pitch src = new Pitch(shape.srcPitch(), shape.srcPlane());
    return of(
        shape.rows(),
        shape.planes(),
        shape.width(),
        toDevice ? src : dst,
        toDevice ? dst : src,
        cut);
  }

  static Layout of(long rows, long planes, long width, Pitch host, Pitch device, Cut cut) {
    return of(rows, planes, width, host, device, cut.pieceBytes(rows * planes * width));
  }

  /**
   * {@return the layout of a copy from one device to another, in which the source counts as host
   * memory}
   *
   * @param pieceBytes the most bytes of a piece
   */
  static Layout between(Volume shape, long pieceBytes) {
    return of(
        shape.rows(),
        shape.planes(),
        shape.width(),
        new Pitch(shape.srcPitch(), shape.srcPlane()),
        new Pitch(shape.dstPitch(), shape.dstPlane()),
        pieceBytes);
  }

  private static Layout of(
      long rows, long planes, long width, Pitch host, Pitch device, long piece) {
    boolean dense = rows == 1 || (host.row == width && device.row == width);
    if (dense && planes > 1) {
      // Each plane is one long row, and the planes' pitch is that of these rows.
      Pitch hostRows = new Pitch(host.plane, planes * host.plane);
      Pitch deviceRows = new Pitch(device.plane, planes * device.plane);
      return of(planes, 1, rows * width, hostRows, deviceRows, piece);
    }
    boolean even =
        planes == 1 || (host.plane == rows * host.row && device.plane == rows * device.row);
    long bytes = rows * planes * width;
    if (dense) {
      Pitch none = new Pitch(bytes, bytes);
      return new Layout(1, bytes, 1, none, none, piece);
    }
    return new Layout(rows * planes, width, even ? rows * planes : rows, host, device, piece);
  }

  /** {@return the same copy with its two ends exchanged} */
  Layout swapped() {
    return new Layout(rows, width, planeRows, device, host, pieceBytes);
  }

  /** {@return the bytes of all rows} */
  long bytes() {
    return rows * width;
  }

  private long piecesInRow() {
    return (width + pieceBytes - 1) / pieceBytes;
  }

  private long rowsInPiece() {
    return Math.max(1, pieceBytes / width);
  }

  /** {@return the bytes of the largest piece} */
  long mostBytes() {
    return width > pieceBytes ? pieceBytes : Math.min(rowsInPiece(), rows) * width;
  }

  long pieces() {
    return width > pieceBytes ? rows * piecesInRow() : (rows + rowsInPiece() - 1) / rowsInPiece();
  }

  long firstRow(long piece) {
    return width > pieceBytes ? piece / piecesInRow() : piece * rowsInPiece();
  }

  long firstColumn(long piece) {
    return width > pieceBytes ? piece % piecesInRow() * pieceBytes : 0;
  }

  long rowsOf(long piece) {
    return width > pieceBytes ? 1 : Math.min(rowsInPiece(), rows - firstRow(piece));
  }

  long widthOf(long piece) {
    return width > pieceBytes ? Math.min(pieceBytes, width - firstColumn(piece)) : width;
  }

  /** {@return where a row of a piece begins in host memory} */
  long hostOffset(long piece, long row) {
    return host.offset(firstRow(piece) + row, planeRows) + firstColumn(piece);
  }

  /** {@return where a row of a piece begins in device memory} */
  long deviceOffset(long piece, long row) {
    return device.offset(firstRow(piece) + row, planeRows) + firstColumn(piece);
  }

  /**
   * {@return how many rows of a piece one driver call copies, beginning at a row: to the end of its
   * plane, or whole planes}
   */
  long rowsAtOnce(long piece, long row) {
    long left = rowsOf(piece) - row;
    long within = (firstRow(piece) + row) % planeRows;
    return within == 0 && left >= planeRows
        ? left / planeRows * planeRows
        : Math.min(left, planeRows - within);
  }

  /** {@return the shape of a copy of whole planes from a slot to the device, or back} */
  Volume planes(long count, boolean fromSlot) {
    long slotPlane = width * planeRows;
    return fromSlot
        ? new Volume(device.row, device.plane, width, slotPlane, width, planeRows, count)
        : new Volume(width, slotPlane, device.row, device.plane, width, planeRows, count);
  }
}
