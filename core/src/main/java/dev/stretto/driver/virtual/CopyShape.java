package dev.stretto.driver.virtual;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.Volume;

/**
 * The ends, the shape and the direction of a copy.
 *
 * @param dst the destination
 * @param src the source
 * @param volume the planes of rows, and their layout at both ends
 * @param kind the direction
 */
record CopyShape(long dst, long src, Volume volume, CopyKind kind) {

  /** {@return a copy of one run of bytes} */
  static CopyShape plain(long dst, long src, long bytes, CopyKind kind) {
    return new CopyShape(dst, src, Volume.run(bytes), kind);
  }

  /** {@return a copy of rows with pitches} */
  static CopyShape rows(
      long dst, long dstPitch, long src, long srcPitch, long width, long rows, CopyKind kind) {
    return new CopyShape(dst, src, new Volume(dstPitch, 0, srcPitch, 0, width, rows, 1), kind);
  }

  boolean isPlain() {
    return rows() == 1;
  }

  long bytes() {
    return volume.bytes();
  }

  /** {@return bytes of a row} */
  long width() {
    return volume.width();
  }

  /** {@return rows of all planes} */
  long rows() {
    return volume.rows() * volume.planes();
  }

  /** {@return the address at which a row begins at the destination} */
  long dstRow(long row) {
    return row / volume.rows() * volume.dstPlane() + row % volume.rows() * volume.dstPitch();
  }

  /** {@return the address at which a row begins at the source} */
  long srcRow(long row) {
    return row / volume.rows() * volume.srcPlane() + row % volume.rows() * volume.srcPitch();
  }

  /** {@return the bytes from the first to the last at the destination} */
  long dstSpan() {
    return volume.dstSpan();
  }

  /** {@return the bytes from the first to the last at the source} */
  long srcSpan() {
    return volume.srcSpan();
  }

  /** {@return the address of the host end} */
  long host() {
    return kind == CopyKind.HOST_TO_DEVICE ? src : dst;
  }

  /** {@return the bytes from the first to the last at the host end} */
  long hostSpan() {
    return kind == CopyKind.HOST_TO_DEVICE ? srcSpan() : dstSpan();
  }

  /** {@return the same copy with its host end in a buffer, row after row} */
  CopyShape through(Staging staging) {
    Volume v = volume;
    long width = v.width();
    long plane = width * v.rows();
    return kind == CopyKind.HOST_TO_DEVICE
        ? new CopyShape(
            dst,
            staging.address(),
            new Volume(v.dstPitch(), v.dstPlane(), width, plane, width, v.rows(), v.planes()),
            kind)
        : new CopyShape(
            staging.address(),
            src,
            new Volume(width, plane, v.srcPitch(), v.srcPlane(), width, v.rows(), v.planes()),
            kind);
  }

  /**
   * Moves a part of the bytes.
   *
   * @param srcStart where the source begins in its memory
   * @param dstStart where the destination begins in its memory
   * @param from the first byte of a plain copy, or the first row
   * @param to the byte or row after the last
   */
  void move(Backing src, long srcStart, Backing dst, long dstStart, long from, long to) {
    if (isPlain()) {
      Bytes.copy(
          src.read(srcStart + from, to - from),
          0,
          dst.overwrite(dstStart + from, to - from),
          0,
          to - from);
      return;
    }
    for (long row = from; row < to; row++) {
      Bytes.copy(
          src.read(srcStart + srcRow(row), width()),
          0,
          dst.overwrite(dstStart + dstRow(row), width()),
          0,
          width());
    }
  }

  /** Makes the checks that CUDA makes before it looks at the addresses. */
  void check(String call) {
    long width = volume.width();
    long rows = volume.rows();
    long dstPitch = volume.dstPitch();
    long srcPitch = volume.srcPitch();
    if (width < 1 || rows < 1 || volume.planes() < 1) {
      throw CudaResult.INVALID_VALUE.of(
          call,
          volume.planes() == 1 ? "%d rows of %d bytes".formatted(rows, width) : volume.toString());
    }
    if (dstPitch < width || srcPitch < width) {
      throw CudaResult.INVALID_VALUE.of(
          call,
          "pitches of %d (destination) and %d (source) bytes are less than the row's %d"
              .formatted(dstPitch, srcPitch, width));
    }
    if (rows > (1L << 56) / Math.max(dstPitch, srcPitch)) {
      throw CudaResult.INVALID_VALUE.of(
          call,
          "%d rows, %d and %d bytes apart, exceed the address space"
              .formatted(rows, dstPitch, srcPitch));
    }
    if (volume.planes() > 1 && !volume.isPossible()) {
      throw CudaResult.INVALID_VALUE.of(call, volume.toString());
    }
  }
}
