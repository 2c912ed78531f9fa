package dev.stretto.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever is to be woken is woken, whether the courier is awake, asleep, or about to be either. */
class CarrierWakerTest {
  private static final int ROUNDS = 300;
  private static final int THREADS = 16;

  @ParameterizedTest
  @ValueSource(longs = {0, 1_000, 50_000, 5_000_000})
  @Timeout(60)
  void everyThreadIsWoken(long stayNanos) throws InterruptedException {
    CarrierWaker courier = new CarrierWaker(stayNanos);
    for (int round = 0; round < ROUNDS; round++) {
      CountDownLatch over = new CountDownLatch(THREADS);
      List<Thread> threads = new ArrayList<>();
      List<AtomicBoolean> rung = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        AtomicBoolean bell = new AtomicBoolean();
        rung.add(bell);
        threads.add(
            Thread.startVirtualThread(
                () -> {
                  while (!bell.get()) {
                    LockSupport.park(bell);
                  }
                  over.countDown();
                }));
      }
      for (int i = 0; i < THREADS; i++) {
        rung.get(i).set(true);
        Thread thread = threads.get(i);
        courier.run(() -> LockSupport.unpark(thread));
        if (i % 4 == 3) {
          LockSupport.parkNanos(stayNanos / 2 + (round % 3) * stayNanos / 4);
        }
      }
      assertThat(over.await(20, TimeUnit.SECONDS)).as("round %d", round).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1_000, 5_000_000})
  @Timeout(60)
  void everyThreadIsStarted(long stayNanos) throws InterruptedException {
    CarrierWaker courier = new CarrierWaker(stayNanos);
    CountDownLatch over = new CountDownLatch(THREADS);

    for (int i = 0; i < THREADS; i++) {
      Thread thread = Thread.ofVirtual().unstarted(over::countDown);
      courier.run(thread::start);
    }

    assertThat(over.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  @Timeout(60)
  void aCallThatThrowsKeepsNoOtherFromBeingMade() throws InterruptedException {
    CarrierWaker courier = new CarrierWaker(50_000_000);
    CountDownLatch over = new CountDownLatch(THREADS);
    courier.run(() -> {}); // from now on the courier makes the calls
    LockSupport.parkNanos(5_000_000);

    for (int i = 0; i < THREADS; i++) {
      courier.run(
          () -> {
            over.countDown();
            throw new IllegalStateException("for the test");
          });
    }

    assertThat(over.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  @Timeout(60)
  void aThreadThatIsExpectedIsWokenLongAfterTheLastCall() throws InterruptedException {
    CarrierWaker courier = new CarrierWaker(1_000);
    for (int round = 0; round < ROUNDS; round++) {
      AtomicBoolean bell = new AtomicBoolean();
      Thread thread =
          Thread.startVirtualThread(
              () -> {
                courier.expects();
                while (!bell.get()) {
                  LockSupport.park(bell);
                }
                courier.expectsNoMore();
              });
      LockSupport.parkNanos(500_000);
      bell.set(true);
      courier.run(() -> LockSupport.unpark(thread));
      assertThat(thread.join(Duration.ofSeconds(20))).as("round %d", round).isTrue();
    }
  }
}
