package dev.stretto.driver.cuda;

import dev.stretto.driver.Volume;

/** Enqueues copies of planes of rows between two devices. */
final class PeerPlaneCopies {
  private final Context context;
  private final Health health;
  private final PeerDevices own;
  private final long maxPitch;

  /**
   * Creates the calls for one device.
   *
   * @param own the relations of this device, which also copies single runs of bytes
   * @param maxPitch the largest pitch that the device supports
   */
  PeerPlaneCopies(Context context, Health health, PeerDevices own, long maxPitch) {
    this.context = context;
    this.health = health;
    this.own = own;
    this.maxPitch = maxPitch;
  }

  void copy(long dst, PeerDevices to, long src, PeerDevices from, Volume shape, long stream) {
    health.require(stream, "stream");
    if (dst == 0 || src == 0 || !shape.isPossible()) {
      throw health.invalid("not a valid copy: " + values(dst, to, src, from, shape));
    }
    if (shape.isRun()) {
      own.copy(dst, to, src, from, shape.bytes(), stream);
    } else if (shape.planes() > 1 && !PlaneCopies.isCudas(shape, maxPitch)) {
      for (long plane = 0; plane < shape.planes(); plane++) {
        Volume rows = Volume.rows(shape.dstPitch(), shape.srcPitch(), shape.width(), shape.rows());
        copy(
            dst + plane * shape.dstPlane(), to, src + plane * shape.srcPlane(), from, rows, stream);
      }
    } else if (shape.dstPitch() > maxPitch || shape.srcPitch() > maxPitch) {
      // The rows are gigabytes apart, so there cannot be many.
      for (long row = 0; row < shape.rows(); row++) {
        long there = dst + row * shape.dstPitch();
        own.copy(there, to, src + row * shape.srcPitch(), from, shape.width(), stream);
      }
    } else {
      enqueue(dst, to, src, from, shape, stream);
    }
  }

  private void enqueue(
      long dst, PeerDevices to, long src, PeerDevices from, Volume shape, long stream) {
    Scratch scratch = Scratch.borrow();
    boolean entered = false;
    try {
      entered = context.enter(scratch);
      boolean one = shape.planes() == 1;
      end(scratch, PlaneCopies.SRC, src, from, shape.srcPitch(), one ? 0 : shape.srcPlane(), shape);
      end(scratch, PlaneCopies.DST, dst, to, shape.dstPitch(), one ? 0 : shape.dstPlane(), shape);
      PlaneCopies.extent(scratch, shape);
      int result = PeerCalls.copyPlanes(scratch.at(PlaneCopies.SRC), stream);
      if (result != 0) {
        throw own.failure(
            result, "cuMemcpy3DPeerAsync", to, from, scratch, values(dst, to, src, from, shape));
      }
    } finally {
      context.leave(scratch, entered);
      scratch.giveBack();
    }
  }

  /**
   * Writes the fields of an end.
   *
   * @param plane bytes from plane to plane; 0 if there is one plane
   */
  private static void end(
      Scratch scratch,
      int at,
      long address,
      PeerDevices owner,
      long pitch,
      long plane,
      Volume shape) {
    long height = plane == 0 ? shape.rows() : plane / pitch;
    PlaneCopies.end(scratch, at, false, address, owner.context().handle(), pitch, height);
  }

  private static String values(long dst, PeerDevices to, long src, PeerDevices from, Volume shape) {
    return "%s, to 0x%x of device %d from 0x%x of device %d"
        .formatted(shape, dst, to.ordinal(), src, from.ordinal());
  }
}
