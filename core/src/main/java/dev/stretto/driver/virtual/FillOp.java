package dev.stretto.driver.virtual;

import java.util.List;

/** A fill of device memory. */
final class FillOp extends StreamOp {
  private final long dst;
  private final long value;
  private final int elementBytes;
  private final long count;

  FillOp(OpQueue stream, long dst, long value, int elementBytes, long count) {
    super(stream);
    this.dst = dst;
    this.value = value;
    this.elementBytes = elementBytes;
    this.count = count;
  }

  @Override
  DeviceEngine engine() {
    return DeviceEngine.COMPUTE;
  }

  @Override
  long length() {
    return count;
  }

  @Override
  List<Touched> touches() {
    return List.of(new Touched(dst, bytes(), true));
  }

  @Override
  long bytes() {
    return count * elementBytes;
  }

  @Override
  void run(long from, long to) {
    Backing memory =
        context().memory().retain("cuMemsetAsync", dst, bytes(), CudaResult.ILLEGAL_ADDRESS);
    try {
      long offset = dst - memory.address() + from * elementBytes;
      Bytes.fill(memory.overwrite(offset, (to - from) * elementBytes), value, elementBytes);
    } finally {
      memory.release();
    }
  }

  @Override
  String describe() {
    return "fill of %d bytes at %s".formatted(bytes(), DeviceSpace.name(dst));
  }
}
