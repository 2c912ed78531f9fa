package dev.stretto.route;

/**
 * How a staged copy is cut into pieces: whole rows where they fit a piece, parts of a row where
 * they do not. Rows that lie without gaps at both ends are one long row.
 *
 * @param rows how many rows
 * @param width bytes of a row
 * @param hostPitch bytes from row to row in host memory
 * @param devicePitch bytes from row to row in device memory
 * @param pieceBytes bytes of a piece at most
 */
record Layout2D(long rows, long width, long hostPitch, long devicePitch, long pieceBytes) {
  static Layout2D of(
      long rows, long width, long hostPitch, long devicePitch, int workers, long mostBytes) {
    boolean dense = rows == 1 || (hostPitch == width && devicePitch == width);
    long bytes = rows * width;
    // Small copies are cut finer, so that all workers and the link have something to do.
    long even = (bytes / (2L * workers) + 0xffff) & ~0xffffL;
    long piece = Math.max(256 << 10, Math.min(mostBytes, even));
    piece = Math.min(piece, mostBytes);
    return dense
        ? new Layout2D(1, bytes, bytes, bytes, piece)
        : new Layout2D(rows, width, hostPitch, devicePitch, piece);
  }

  private long piecesInRow() {
    return (width + pieceBytes - 1) / pieceBytes;
  }

  private long rowsInPiece() {
    return Math.max(1, pieceBytes / width);
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

  long hostOffset(long piece) {
    return firstRow(piece) * hostPitch + firstColumn(piece);
  }

  long deviceOffset(long piece) {
    return firstRow(piece) * devicePitch + firstColumn(piece);
  }
}
