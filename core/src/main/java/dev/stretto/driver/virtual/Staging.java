package dev.stretto.driver.virtual;

import java.lang.foreign.MemorySegment;

/**
 * The driver's own buffer for a copy from or to ordinary host memory. It holds the rows one after
 * the other.
 */
final class Staging extends Backing {
  private Staging(long address, long bytes) {
    super(address, bytes);
  }

  /** {@return a buffer for a copy, held by the caller} */
  static Staging forCopy(CopyShape shape) {
    long address = NativeHeap.allocate(shape.bytes());
    if (address == 0) {
      throw CudaResult.OUT_OF_HOST_MEMORY.of(
          "cuMemcpyAsync", "no " + shape.bytes() + " bytes to stage the copy in");
    }
    return new Staging(address, shape.bytes());
  }

  /** Copies the rows of a source into the buffer. */
  void readFrom(MemorySegment host, CopyShape shape) {
    MemorySegment buffer = overwrite(0, bytes());
    for (long row = 0; row < shape.rows(); row++) {
      Bytes.copy(host, shape.srcRow(row), buffer, row * shape.width(), shape.width());
    }
  }

  /** Copies the rows from the buffer to a destination. */
  void writeTo(MemorySegment host, CopyShape shape) {
    MemorySegment buffer = read(0, bytes());
    for (long row = 0; row < shape.rows(); row++) {
      Bytes.copy(buffer, row * shape.width(), host, shape.dstRow(row), shape.width());
    }
  }

  @Override
  MemorySegment read(long offset, long count) {
    return NativeHeap.view(address() + offset, count);
  }

  @Override
  MemorySegment overwrite(long offset, long count) {
    return read(offset, count);
  }

  @Override
  void discard() {
    NativeHeap.release(address());
  }
}
