package dev.stretto.driver.virtual;

import java.util.concurrent.CountDownLatch;

/**
 * Holds a stream back by a kernel until it is opened. Under a seed nothing runs by itself, so there
 * is nothing to hold.
 */
final class Gate implements AutoCloseable {
  private final CountDownLatch latch = new CountDownLatch(1);

  Gate(Rig rig, long stream) {
    if (rig.device.cooperation().isEmpty()) {
      rig.launch(rig.kernel(this::await), stream);
    }
  }

  private void await() {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  void open() {
    latch.countDown();
  }

  /** Opens it, or a device that is closed after a failure would wait for it. */
  @Override
  public void close() {
    open();
  }
}
