package dev.stretto.twin;

import dev.stretto.driver.DriverDevice;

/**
 * Another CUDA library in the process: the driver itself, whose raw handles Stretto is given to
 * adopt.
 */
final class Library implements AutoCloseable {
  private final DriverDevice device;
  private final boolean cuda;

  Library(DriverDevice device, boolean cuda) {
    this.device = device;
    this.cuda = cuda;
  }

  /** {@return its calls} */
  DriverDevice calls() {
    return device;
  }

  /** {@return a new stream as {@code cudaStreamCreate} makes it} */
  long blockingStream() {
    if (cuda) {
      return CudaStreams.createBlocking(device.properties().ordinal());
    }
    throw new UnsupportedOperationException("virtual devices have no blocking streams");
  }

  /** {@return a new stream as {@code cudaStreamCreateWithFlags(nonBlocking)} makes it} */
  long nonBlockingStream() {
    return device.createStream(0);
  }

  @Override
  public void close() {
    device.close();
  }
}
