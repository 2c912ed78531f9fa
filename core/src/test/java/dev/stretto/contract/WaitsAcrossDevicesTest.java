package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.memory.GlobalInts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A driver's call that has a stream of one device wait for an event of another fails if either is
 * lost, and its code does not say which. The one is lost that does not answer; the other goes on.
 */
class WaitsAcrossDevicesTest extends ContractTest {
  /** Fails waits for events, and every call of one device but the closing. */
  private static final class Losing extends DriverTap {
    private static final int NONE = -1;
    private volatile int lost = NONE;

    Losing(Driver driver) {
      super(driver);
    }

    @Override
    void before(Call call) {}

    @Override
    void before(Call call, DeviceTap device) {
      boolean concerns = device.properties().ordinal() == lost && call != Call.CLOSE;
      if (concerns || (lost != NONE && call == Call.WAIT_EVENT)) {
        throw new DriverException(Kind.LOST, 700, "injected into " + call);
      }
    }
  }

  private Losing driver;
  private Machine.Opened both;
  private Device waiting;
  private Device waitedFor;

  @BeforeEach
  void openBoth() {
    both = machine.openPair(behind -> driver = new Losing(behind));
    if (isPair()) {
      waiting = both.devices().get(0);
      waitedFor = both.devices().get(1);
    }
  }

  @AfterEach
  void closeBoth() {
    both.close();
  }

  private boolean isPair() {
    return both.devices().size() > 1;
  }

  @Test
  void theDeviceThatIsWaitedForIsLostAndTheWaitingOneGoesOn() {
    if (!isPair()) {
      return; // takes two GPUs
    }
    Event event = waitedFor.stream().record();
    Stream stream = waiting.stream();
    GlobalInts array = waiting.allocateInts(100);
    driver.lost = waitedFor.properties().ordinal();
    assertThatThrownBy(() -> stream.waitFor(event))
        .isInstanceOf(DeviceLostException.class)
        .hasMessageStartingWith(waitedFor.name());
    assertThat(waitedFor.isLost()).isTrue();
    goesOn(stream, array);
  }

  @Test
  void theDeviceThatIsWaitedForIsLostThoughItsEventWasHeldBackAtTheCall() {
    if (!isPair() || machine.isSeeded()) {
      return; // takes two GPUs; a seeded device's gate holds nothing back
    }
    Stream other = waitedFor.stream();
    Stream stream = waiting.stream();
    GlobalInts array = waiting.allocateInts(100);
    try (Gate gate = gate(other)) {
      stream.waitFor(other.record());
      driver.lost = waitedFor.properties().ordinal();
      gate.open();
    }
    assertThatThrownBy(stream::await)
        .isInstanceOf(DeviceLostException.class)
        .hasMessageContaining(waitedFor.name());
    goesOn(stream, array);
  }

  @Test
  void theWaitingDeviceIsLostIfItDoesNotAnswer() {
    if (!isPair()) {
      return; // takes two GPUs
    }
    Event event = waitedFor.stream().record();
    Stream stream = waiting.stream();
    driver.lost = waiting.properties().ordinal();
    assertThatThrownBy(() -> stream.waitFor(event))
        .isInstanceOf(DeviceLostException.class)
        .hasMessageStartingWith(waiting.name());
    assertThat(waiting.isLost()).isTrue();
    assertThat(waitedFor.isLost()).isFalse();
    event.await();
  }

  /** No device is lost by what is enqueued now; waits for other devices fail still. */
  private void goesOn(Stream stream, GlobalInts array) {
    assertThat(waiting.isLost()).isFalse();
    stream.fill(array, 7);
    int[] read = new int[100];
    stream.copy(array, read).await();
    assertThat(read).containsOnly(7);
    stream.await();
    assertThat(waiting.isLost()).isFalse();
  }
}
