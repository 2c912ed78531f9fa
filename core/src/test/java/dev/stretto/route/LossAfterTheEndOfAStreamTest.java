package dev.stretto.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.virtual.VirtualConfig;
import dev.stretto.driver.virtual.VirtualDriver;
import dev.stretto.settings.OrderMode;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A device that is lost after a stream has ended, and before those who wait for the stream's work
 * were told that it is done.
 */
class LossAfterTheEndOfAStreamTest {
  private static final long BYTES = 32 << 20;

  /** On a machine that has much else to do, the copy may be done before anybody asks for that. */
  private static final int ATTEMPTS = 200;

  @Test
  void whoWaitsForTheWorkIsToldAllTheSame() throws InterruptedException {
    int attempts = 0;
    while (!isToldOfACopyThatIsUnderWay()) {
      attempts++;
      assertThat(attempts).as("copies that were done too soon").isLessThan(ATTEMPTS);
    }
  }

  /** {@return whether the copy was still under way when the test began to wait for it} */
  private static boolean isToldOfACopyThatIsUnderWay() throws InterruptedException {
    VirtualDriver driver = new VirtualDriver(VirtualConfig.parse(""));
    DeviceRuntime engine =
        new DeviceRuntime(driver.open(0), OpenDevices.of(driver), "virtual:0", OrderMode.OFF);
    PinnedBlock block = engine.pinned().allocate(BYTES);
    PinnedBlock other = engine.pinned().allocate(BYTES);
    long array = engine.driver().allocate(BYTES);
    CountDownLatch told = new CountDownLatch(3);
    StreamQueue queue = engine.streams().open(0, StreamName.ofStretto("stream that ends"));
    boolean isUnderWay;
    synchronized (engine.lock) { // which the thread that tells them needs
      long copy = queue.copy(block, other, array, block.address(), BYTES, CopyKind.HOST_TO_DEVICE);
      queue.completion.whenDone(copy, told::countDown);
      block.whenReleased(told::countDown);
      assertThat(block.closeAfterLastUse()).isTrue();
      isUnderWay = told.getCount() == 3;
      while (!queue.completion.isDone(copy)) {
        Thread.onSpinWait();
      }
      queue.whenDestroyed(told::countDown);
      assertThat(queue.close()).isTrue();
      if (isUnderWay) {
        assertThat(told.getCount()).as("the stream has ended").isLessThanOrEqualTo(2);
      }
      DriverException _ =
          engine.device().lose(new DriverException(DriverException.Kind.LOST, 999, "lost"));
    }
    assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
    engine.close();
    return isUnderWay;
  }
}
