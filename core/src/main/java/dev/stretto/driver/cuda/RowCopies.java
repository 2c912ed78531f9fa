package dev.stretto.driver.cuda;

import dev.stretto.driver.CopyKind;

/** Enqueues copies of rows with pitches. */
final class RowCopies {
  private static final int HOST = 1;
  private static final int DEVICE = 2;

  // The fields of a CUDA_MEMCPY2D in the scratch memory.
  private static final int SRC_X = Scratch.STRUCTURE;
  private static final int SRC_Y = SRC_X + 8;
  private static final int SRC_TYPE = SRC_X + 16;
  private static final int SRC_HOST = SRC_X + 24;
  private static final int SRC_DEVICE = SRC_X + 32;
  private static final int SRC_ARRAY = SRC_X + 40;
  private static final int SRC_PITCH = SRC_X + 48;
  private static final int DST_X = SRC_X + 56;
  private static final int DST_Y = SRC_X + 64;
  private static final int DST_TYPE = SRC_X + 72;
  private static final int DST_HOST = SRC_X + 80;
  private static final int DST_DEVICE = SRC_X + 88;
  private static final int DST_ARRAY = SRC_X + 96;
  private static final int DST_PITCH = SRC_X + 104;
  private static final int WIDTH = SRC_X + 112;
  private static final int HEIGHT = SRC_X + 120;

  private final Context context;
  private final Health health;
  private final Copies copies;
  private final long maxPitch;

  /**
   * Creates the calls for one device.
   *
   * @param maxPitch the largest pitch that the device supports
   */
  RowCopies(Context context, Health health, Copies copies, long maxPitch) {
    this.context = context;
    this.health = health;
    this.copies = copies;
    this.maxPitch = maxPitch;
  }

  void copy(
      long dst,
      long dstPitch,
      long src,
      long srcPitch,
      long width,
      long rows,
      CopyKind kind,
      long stream) {
    health.require(stream, "stream");
    if (dst == 0
        || src == 0
        || width <= 0
        || rows <= 0
        || dstPitch < width
        || srcPitch < width
        || rows > Long.MAX_VALUE / Math.max(dstPitch, srcPitch)) {
      throw health.invalid(
          "not a valid copy: " + values(dst, dstPitch, src, srcPitch, width, rows, kind));
    }
    if (rows == 1 || (dstPitch == width && srcPitch == width)) {
      // There are no gaps between the rows, so they count as one row, which the engines copy
      // faster.
      copies.copy(dst, src, width * rows, kind, stream);
    } else if (dstPitch > maxPitch || srcPitch > maxPitch) {
      // The rows are gigabytes apart, so there cannot be many.
      for (long row = 0; row < rows; row++) {
        copies.copy(dst + row * dstPitch, src + row * srcPitch, width, kind, stream);
      }
    } else {
      enqueue(dst, dstPitch, src, srcPitch, width, rows, kind, stream);
    }
  }

  private void enqueue(
      long dst,
      long dstPitch,
      long src,
      long srcPitch,
      long width,
      long rows,
      CopyKind kind,
      long stream) {
    Scratch scratch = Scratch.borrow();
    boolean entered = false;
    try {
      entered = context.enter(scratch);
      boolean fromHost = kind == CopyKind.HOST_TO_DEVICE;
      boolean toHost = kind == CopyKind.DEVICE_TO_HOST;
      scratch.write(SRC_X, 0);
      scratch.write(SRC_Y, 0);
      scratch.write(SRC_TYPE, fromHost ? HOST : DEVICE);
      scratch.write(SRC_HOST, fromHost ? src : 0);
      scratch.write(SRC_DEVICE, fromHost ? 0 : src);
      scratch.write(SRC_ARRAY, 0);
      scratch.write(SRC_PITCH, srcPitch);
      scratch.write(DST_X, 0);
      scratch.write(DST_Y, 0);
      scratch.write(DST_TYPE, toHost ? HOST : DEVICE);
      scratch.write(DST_HOST, toHost ? dst : 0);
      scratch.write(DST_DEVICE, toHost ? 0 : dst);
      scratch.write(DST_ARRAY, 0);
      scratch.write(DST_PITCH, dstPitch);
      scratch.write(WIDTH, width);
      scratch.write(HEIGHT, rows);
      int result = CopyCalls.rows(scratch.at(Scratch.STRUCTURE), stream);
      if (result != 0) {
        throw health.failure(
            result, "cuMemcpy2DAsync", values(dst, dstPitch, src, srcPitch, width, rows, kind));
      }
    } finally {
      context.leave(scratch, entered);
      scratch.giveBack();
    }
  }

  private static String values(
      long dst, long dstPitch, long src, long srcPitch, long width, long rows, CopyKind kind) {
    return rows
        + " rows of "
        + width
        + " bytes to 0x"
        + Long.toHexString(dst)
        + " (pitch "
        + dstPitch
        + ") from 0x"
        + Long.toHexString(src)
        + " (pitch "
        + srcPitch
        + "), "
        + kind;
  }
}
