package dev.stretto.driver.cuda;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.Volume;

/** Enqueues copies of planes of rows. */
final class PlaneCopies {
  private static final int HOST = 1;
  private static final int DEVICE = 2;

  // The fields of a CUDA_MEMCPY3D in the scratch memory: 11 of the source, 11 of the destination,
  // and the extent, each of 8 bytes.
  static final int SRC = Scratch.STRUCTURE;
  static final int DST = SRC + 88;
  static final int EXTENT = DST + 88;

  private static final long NO_CONTEXT = 0;

  private static final int TYPE = 32;
  private static final int HOST_ADDRESS = 40;
  private static final int DEVICE_ADDRESS = 48;
  private static final int PITCH = 72;
  private static final int HEIGHT = 80;

  private final Context context;
  private final Health health;
  private final RowCopies rows;
  private final long maxPitch;

  /**
   * Creates the calls for one device.
   *
   * @param maxPitch the largest pitch that the device supports
   */
  PlaneCopies(Context context, Health health, RowCopies rows, long maxPitch) {
    this.context = context;
    this.health = health;
    this.rows = rows;
    this.maxPitch = maxPitch;
  }

  void copy(long dst, long src, Volume shape, CopyKind kind, long stream) {
    health.require(stream, "stream");
    if (dst == 0 || src == 0 || !shape.isPossible()) {
      throw health.invalid("not a valid copy: " + values(dst, src, shape, kind));
    }
    if (shape.planes() == 1
        || (shape.dstPlane() == shape.rows() * shape.dstPitch()
            && shape.srcPlane() == shape.rows() * shape.srcPitch())) {
      // There are no gaps between the planes, so they count as one plane.
      rows.copy(
          dst,
          shape.dstPitch(),
          src,
          shape.srcPitch(),
          shape.width(),
          shape.rows() * shape.planes(),
          kind,
          stream);
    } else if (isCudas(shape, maxPitch)) {
      enqueue(dst, src, shape, kind, stream);
    } else {
      for (long plane = 0; plane < shape.planes(); plane++) {
        rows.copy(
            dst + plane * shape.dstPlane(),
            shape.dstPitch(),
            src + plane * shape.srcPlane(),
            shape.srcPitch(),
            shape.width(),
            shape.rows(),
            kind,
            stream);
      }
    }
  }

  /** Whether CUDA can express the shape: plane pitches are whole rows, with a limited row pitch. */
  static boolean isCudas(Volume shape, long maxPitch) {
    return shape.dstPitch() <= maxPitch
        && shape.srcPitch() <= maxPitch
        && isWhole(shape.dstPlane(), shape.dstPitch(), shape.rows())
        && isWhole(shape.srcPlane(), shape.srcPitch(), shape.rows());
  }

  private static boolean isWhole(long plane, long pitch, long rows) {
    return plane % pitch == 0 && plane / pitch >= rows;
  }

  private void enqueue(long dst, long src, Volume shape, CopyKind kind, long stream) {
    Scratch scratch = Scratch.borrow();
    boolean entered = false;
    try {
      entered = context.enter(scratch);
      end(
          scratch,
          SRC,
          kind == CopyKind.HOST_TO_DEVICE,
          src,
          NO_CONTEXT,
          shape.srcPitch(),
          shape.srcPlane() / shape.srcPitch());
      end(
          scratch,
          DST,
          kind == CopyKind.DEVICE_TO_HOST,
          dst,
          NO_CONTEXT,
          shape.dstPitch(),
          shape.dstPlane() / shape.dstPitch());
      extent(scratch, shape);
      int result = CopyCalls.planes(scratch.at(SRC), stream);
      if (result != 0) {
        throw health.failure(result, "cuMemcpy3DAsync", values(dst, src, shape, kind));
      }
    } finally {
      context.leave(scratch, entered);
      scratch.giveBack();
    }
  }

  static void extent(Scratch scratch, Volume shape) {
    scratch.write(EXTENT, shape.width());
    scratch.write(EXTENT + 8, shape.rows());
    scratch.write(EXTENT + 16, shape.planes());
  }

  /**
   * Writes the fields of an end.
   *
   * @param context that of a {@code CUDA_MEMCPY3D_PEER}; the field is reserved in the other
   */
  static void end(
      Scratch scratch, int at, boolean host, long address, long context, long pitch, long height) {
    for (int field = 0; field < TYPE; field += 8) {
      scratch.write(at + field, 0); // x, y, z and level of detail
    }
    scratch.write(at + TYPE, host ? HOST : DEVICE);
    scratch.write(at + HOST_ADDRESS, host ? address : 0);
    scratch.write(at + DEVICE_ADDRESS, host ? 0 : address);
    scratch.write(at + DEVICE_ADDRESS + 8, 0); // an array
    scratch.write(at + DEVICE_ADDRESS + 16, context);
    scratch.write(at + PITCH, pitch);
    scratch.write(at + HEIGHT, height);
  }

  private static String values(long dst, long src, Volume shape, CopyKind kind) {
    return "%s, to 0x%x from 0x%x, %s".formatted(shape, dst, src, kind);
  }
}
