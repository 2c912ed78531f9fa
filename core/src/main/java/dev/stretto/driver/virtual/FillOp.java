package dev.stretto.driver.virtual;

import dev.stretto.driver.GraphWork;
import java.util.List;

/** A fill of device memory, row by row. */
final class FillOp extends StreamOp {
  private final GraphWork.Fill fill;

  FillOp(OpQueue stream, GraphWork.Fill fill) {
    super(stream);
    this.fill = fill;
  }

  @Override
  DeviceEngine engine() {
    return DeviceEngine.LOCAL;
  }

  /** Elements of one row, or rows. */
  @Override
  long length() {
    return fill.rows() == 1 ? fill.count() : fill.rows();
  }

  private long width() {
    return fill.count() * fill.elementBytes();
  }

  static long span(GraphWork.Fill fill) {
    return (fill.rows() - 1) * fill.pitch() + fill.count() * fill.elementBytes();
  }

  @Override
  List<Touched> touches() {
    return List.of(new Touched(fill.dst(), span(fill), true));
  }

  @Override
  long bytes() {
    return fill.rows() * width();
  }

  @Override
  void run(long from, long to) {
    Backing memory =
        context()
            .memory()
            .retain("cuMemsetAsync", fill.dst(), span(fill), CudaResult.ILLEGAL_ADDRESS);
    try {
      long offset = fill.dst() - memory.address();
      if (fill.rows() == 1) {
        fill(memory, offset + from * fill.elementBytes(), (to - from) * fill.elementBytes());
      } else {
        for (long row = from; row < to; row++) {
          fill(memory, offset + row * fill.pitch(), width());
        }
      }
    } finally {
      memory.release();
    }
  }

  private void fill(Backing memory, long at, long bytes) {
    Bytes.fill(memory.overwrite(at, bytes), fill.value(), fill.elementBytes());
  }

  @Override
  String describe() {
    return "fill of %d bytes at %s".formatted(bytes(), DeviceSpace.name(fill.dst()));
  }
}
