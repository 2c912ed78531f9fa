package dev.stretto.twin;

import dev.stretto.driver.DriverDevice;

/**
 * Another CUDA library in the process: the driver itself, whose raw handles Stretto is given to
 * adopt.
 *
 * @param calls the library's calls
 */
record Library(DriverDevice calls) implements AutoCloseable {
  /** {@return a new stream as {@code cudaStreamCreate} makes it} */
  long blockingStream() {
    return calls.createBlockingStream(0);
  }

  /** {@return a new stream as {@code cudaStreamCreateWithFlags(nonBlocking)} makes it} */
  long nonBlockingStream() {
    return calls.createStream(0);
  }

  @Override
  public void close() {
    calls.close();
  }
}
