package dev.stretto.driver.virtual;

import dev.stretto.driver.CopyKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A copy of one or more rows. */
final class CopyOp extends StreamOp {
  private final CopyShape shape;
  private final @Nullable Staging staging;

  private CopyOp(OpQueue stream, CopyShape shape, @Nullable Staging staging) {
    super(stream);
    this.shape = shape;
    this.staging = staging;
  }

  /** {@return a copy between device and pinned memory, or within the device} */
  static CopyOp direct(OpQueue stream, CopyShape shape) {
    return new CopyOp(stream, shape, null);
  }

  /** {@return a copy whose host end is a buffer, which the copy holds until it is done} */
  static CopyOp staged(OpQueue stream, CopyShape shape, Staging staging) {
    staging.retain();
    return new CopyOp(stream, shape.through(staging), staging);
  }

  CopyShape shape() {
    return shape;
  }

  /** {@return whether it takes the route for ordinary host memory} */
  boolean isPageable() {
    return staging != null;
  }

  @Override
  DeviceEngine engine() {
    return switch (shape.kind()) {
      case HOST_TO_DEVICE -> DeviceEngine.TO_DEVICE;
      case DEVICE_TO_HOST -> DeviceEngine.TO_HOST;
      case DEVICE_TO_DEVICE -> DeviceEngine.LOCAL;
    };
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

  @Override
  void run(long from, long to) {
    Backing src = hold(shape.src(), shape.srcSpan(), shape.kind() != CopyKind.HOST_TO_DEVICE);
    try {
      Backing dst = hold(shape.dst(), shape.dstSpan(), shape.kind() != CopyKind.DEVICE_TO_HOST);
      try {
        shape.move(src, shape.src() - src.address(), dst, shape.dst() - dst.address(), from, to);
      } finally {
        dst.release();
      }
    } finally {
      src.release();
    }
  }

  /**
   * Looks up a range when the copy runs, not earlier, because it may have been freed since the copy
   * was enqueued.
   */
  private Backing hold(long address, long bytes, boolean device) {
    if (device) {
      return context().memory().retain("cuMemcpyAsync", address, bytes, CudaResult.ILLEGAL_ADDRESS);
    }
    if (staging != null) {
      staging.retain();
      return staging;
    }
    HostRange range = context().platform().hostSpace().retain(address, bytes);
    if (range == null) {
      throw CudaResult.ILLEGAL_ADDRESS.of(
          "cuMemcpyAsync",
          "%d pinned bytes at %s were freed or unregistered while a copy of them was enqueued"
              .formatted(bytes, DeviceSpace.name(address)));
    }
    if (range.isReadOnly() && shape.kind() == CopyKind.DEVICE_TO_HOST) {
      range.release();
      throw CudaResult.ILLEGAL_ADDRESS.of(
          "cuMemcpyAsync",
          "%d bytes at %s were registered as read-only while a copy to them was enqueued"
              .formatted(bytes, DeviceSpace.name(address)));
    }
    return range;
  }

  @Override
  void discard() {
    if (staging != null) {
      staging.release();
    }
  }

  @Override
  String describe() {
    return "copy of %d bytes, %s".formatted(shape.bytes(), shape.kind());
  }
}
