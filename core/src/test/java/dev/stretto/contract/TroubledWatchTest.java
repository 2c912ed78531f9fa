package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.memory.GlobalInts;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The thread that watches a device goes on whatever the driver throws at it: if it ended, everybody
 * who awaits something would wait for ever.
 */
class TroubledWatchTest extends ContractTest {
  /** Throws where the watching thread asks whether something is done. */
  private static final class TroubledDriver extends DriverTap {
    private final Supplier<? extends Throwable> trouble;
    private final AtomicInteger left = new AtomicInteger();
    private final AtomicInteger thrown = new AtomicInteger();

    TroubledDriver(Driver driver, Supplier<? extends Throwable> trouble) {
      super(driver);
      this.trouble = trouble;
    }

    @Override
    void before(Call call) {
      if (call == Call.IS_DONE
          && Thread.currentThread().getName().startsWith("stretto-watch")
          && left.getAndUpdate(now -> Math.max(0, now - 1)) > 0) {
        thrown.incrementAndGet();
        TroubledDriver.<RuntimeException>throwAny(trouble.get());
      }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwAny(Throwable thrown) throws T {
      throw (T) thrown;
    }
  }

  private LoggedErrors logged;

  @BeforeEach
  void listen() {
    logged = new LoggedErrors();
  }

  @AfterEach
  void stopListening() {
    logged.close();
  }

  /** Others than the thread that watches would step a seeded device, and poll a GPU. */
  private boolean isWatched() {
    return machine.isVirtual() && !machine.isSeeded();
  }

  private void goesOn(int times, Supplier<? extends Throwable> trouble) throws Exception {
    if (!isWatched()) {
      return;
    }
    TroubledDriver[] driver = new TroubledDriver[1];
    try (Machine.Opened here =
        machine.open(below -> driver[0] = new TroubledDriver(below, trouble))) {
      Device troubled = here.device();
      Stream stream = troubled.stream();
      GlobalInts array = troubled.allocateInts(100);
      Gate gate = gate(stream);
      CompletableFuture<Void> filled = stream.fill(array, 3).toCompletableFuture();
      driver[0].left.set(times);
      gate.open();
      filled.get(40, TimeUnit.SECONDS);
      assertThat(driver[0].left).hasValue(0);
      assertThat(driver[0].thrown).hasValue(times);
      assertThat(troubled.isLost()).isFalse();
      CompletableFuture<Void> next = stream.fill(array, 4).toCompletableFuture();
      next.get(40, TimeUnit.SECONDS);
      try {
        stream.await(); // reports that it could not be asked for a while
      } catch (RuntimeException e) {
        assertThat(e).hasStackTraceContaining("planned");
      }
      assertThat(read(stream, array)).startsWith(4, 0, 0, 0);
    }
  }

  @Test
  void anErrorInTheWatchingThreadEndsNoWait() throws Exception {
    goesOn(1, () -> new StackOverflowError("planned"));
    goesOn(20, () -> new OutOfMemoryError("planned"));
    goesOn(20, () -> new NoClassDefFoundError("planned"));
    goesOn(20, () -> new IOException("planned"));
    goesOn(20, () -> new IllegalStateException("planned"));
  }

  @Test
  void aStreamThatCannotBeAskedThousandsOfTimesIsNotLost() throws Exception {
    goesOn(2_500, () -> new DriverException(DriverException.Kind.OTHER, 999, "planned"));
  }

  @Test
  void aStreamThatCannotBeAskedForTenSecondsIsLostAndWhoeverAwaitsItIsTold() {
    if (!isWatched()) {
      return;
    }
    TroubledDriver[] driver = new TroubledDriver[1];
    try (Machine.Opened here =
        machine.open(
            below ->
                driver[0] =
                    new TroubledDriver(
                        below,
                        () -> new DriverException(DriverException.Kind.OTHER, 999, "planned")))) {
      Stream stream = here.device().stream();
      Gate gate = gate(stream);
      CompletableFuture<Void> filled =
          stream.fill(here.device().allocateInts(100), 3).toCompletableFuture();
      driver[0].left.set(Integer.MAX_VALUE);
      long begin = System.nanoTime();
      gate.open();
      assertThatThrownBy(() -> filled.get(40, TimeUnit.SECONDS))
          .hasCauseInstanceOf(DeviceLostException.class)
          .hasMessageContaining("has not reported any progress for 1")
          .hasMessageContaining("planned");
      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .isBetween(Duration.ofSeconds(9), Duration.ofSeconds(30));
      assertThat(here.device().isLost()).isTrue();
    }
  }
}
