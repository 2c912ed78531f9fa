package dev.stretto.driver.virtual;

import java.util.List;

/** A copy between two devices. */
final class PeerCopyOp extends StreamOp {
  private final CopyShape shape;
  private final PrimaryContext to;
  private final PrimaryContext from;
  private final boolean direct;

  /**
   * Creates a copy that has passed the checks.
   *
   * @param direct whether one of the two has access to the other's memory, which has to stay
   *     enabled until the copy is done
   */
  PeerCopyOp(
      OpQueue stream, CopyShape shape, PrimaryContext to, PrimaryContext from, boolean direct) {
    super(stream);
    this.shape = shape;
    this.to = to;
    this.from = from;
    this.direct = direct;
  }

  PrimaryContext to() {
    return to;
  }

  PrimaryContext from() {
    return from;
  }

  boolean isDirect() {
    return direct;
  }

  @Override
  DeviceEngine engine() {
    return DeviceEngine.PEER;
  }

  @Override
  long length() {
    return shape.isPlain() ? shape.width() : shape.rows();
  }

  @Override
  List<Touched> touches() {
    return List.of(
        new Touched(shape.src(), shape.srcSpan(), false),
        new Touched(shape.dst(), shape.dstSpan(), true));
  }

  @Override
  long bytes() {
    return shape.bytes();
  }

  /**
   * Moves nothing if one of the devices is lost. If that is the other device, the work there that
   * this stream waited for was dropped; as on GPUs, the stream then goes on without an error.
   */
  @Override
  void run(long begin, long end) {
    if (isEitherLost()) {
      return;
    }
    requireReach();
    Backing source = hold(from, shape.src(), shape.srcSpan());
    try {
      Backing target = hold(to, shape.dst(), shape.dstSpan());
      try {
        shape.move(
            source,
            shape.src() - source.address(),
            target,
            shape.dst() - target.address(),
            begin,
            end);
      } finally {
        target.release();
      }
    } finally {
      source.release();
    }
  }

  private boolean isEitherLost() {
    context().platform().lock().lock();
    try {
      return from.isLost() || to.isLost();
    } finally {
      context().platform().lock().unlock();
    }
  }

  /** Checks access when the copy runs, because it may have ended since the copy was enqueued. */
  private void requireReach() {
    context().platform().lock().lock();
    try {
      if (direct && !from.reaches(to) && !to.reaches(from)) {
        throw CudaResult.ILLEGAL_ADDRESS.of(
            "cuMemcpyPeerAsync",
            "access between virtual devices %d and %d was disabled while a copy of %d bytes was enqueued"
                .formatted(from.ordinal(), to.ordinal(), shape.bytes()));
      }
    } finally {
      context().platform().lock().unlock();
    }
  }

  private Backing hold(PrimaryContext owner, long address, long bytes) {
    return owner.memory().retain("cuMemcpyPeerAsync", address, bytes, CudaResult.ILLEGAL_ADDRESS);
  }

  @Override
  String describe() {
    return "copy of %d bytes from device %d to device %d"
        .formatted(shape.bytes(), from.ordinal(), to.ordinal());
  }
}
