package dev.stretto.driver.virtual;

import dev.stretto.driver.CopyKind;

/**
 * What a copy copies.
 *
 * @param dst where to
 * @param dstPitch distance of the rows there
 * @param src where from
 * @param srcPitch distance of the rows there
 * @param width bytes of a row
 * @param rows how many
 * @param kind which way
 */
record CopyShape(
    long dst, long dstPitch, long src, long srcPitch, long width, long rows, CopyKind kind) {

  /** {@return one run of bytes} */
  static CopyShape plain(long dst, long src, long bytes, CopyKind kind) {
    return new CopyShape(dst, bytes, src, bytes, bytes, 1, kind);
  }

  boolean isPlain() {
    return rows == 1;
  }

  long bytes() {
    return width * rows;
  }

  /** {@return the bytes from the first to the last at the destination} */
  long dstSpan() {
    return (rows - 1) * dstPitch + width;
  }

  /** {@return the bytes from the first to the last at the source} */
  long srcSpan() {
    return (rows - 1) * srcPitch + width;
  }

  /** {@return the address at the host's end} */
  long host() {
    return kind == CopyKind.HOST_TO_DEVICE ? src : dst;
  }

  /** {@return the bytes from the first to the last at the host's end} */
  long hostSpan() {
    return kind == CopyKind.HOST_TO_DEVICE ? srcSpan() : dstSpan();
  }

  /** {@return the same copy with the host's end in a buffer, row after row} */
  CopyShape through(Staging staging) {
    return kind == CopyKind.HOST_TO_DEVICE
        ? new CopyShape(dst, dstPitch, staging.address(), width, width, rows, kind)
        : new CopyShape(staging.address(), width, src, srcPitch, width, rows, kind);
  }

  /** Refuses what CUDA refuses before it looks at the addresses. */
  void check(String call) {
    if (width < 1 || rows < 1) {
      throw CudaResult.INVALID_VALUE.of(call, "%d rows of %d bytes".formatted(rows, width));
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
          "%d rows, %d and %d bytes apart, are more than memory"
              .formatted(rows, dstPitch, srcPitch));
    }
  }
}
