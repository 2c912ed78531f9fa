package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.GraphEvent;
import dev.stretto.Stream;
import dev.stretto.contract.DriverTap.Call;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;

/** What was wrong once about calls of the driver that fail: see {@link EveryCallSiteTest}. */
@OnEveryDriver
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailedCallsTest {
  private static final int SIZE = 200_000;

  @Parameter Machine machine;

  private Failing driver;

  private Machine.Opened open() {
    return machine.openPair(behind -> driver = new Failing(behind));
  }

  @Test
  void anEventBehindACopyThatWasLostWithTheDeviceIsNotSaidToHaveHappened() {
    try (Machine.Opened opened = open()) {
      Device device = opened.device();
      for (int round = 0; round < 20 && !device.isLost(); round++) {
        byte[] out = new byte[SIZE];
        Stream stream = device.stream();
        try (GlobalBytes array = device.allocateBytes(SIZE)) {
          stream.fill(array, (byte) 9);
          stream.copy(array, out);
          Event last = stream.record();
          stream.close();
          driver.loseAtNext(Call.DESTROY_EVENT);
          try {
            last.await();
            assertThat(out).containsOnly((byte) 9);
            assertThat(last.isDone()).isTrue();
          } catch (DeviceLostException e) {
            assertThatThrownBy(last::isDone).isInstanceOf(DeviceLostException.class);
          }
        }
      }
    }
  }

  @Test
  void whatAnotherDeviceStillReadsOfTheBuffersOfALostOneIsNotTakenFromIt() {
    try (Machine.Opened opened = open()) {
      if (opened.devices().size() < 2) {
        return; // takes two GPUs
      }
      Device lost = opened.devices().get(0);
      Device other = opened.devices().get(1);
      try (GlobalBytes source = lost.allocateBytes(1000);
          GlobalBytes target = other.allocateBytes(1000);
          Stream stream = lost.stream()) {
        for (int i = 0; i < 3; i++) {
          stream.copy(source, target).await(); // from the second one on, through a small buffer
          stream.await();
        }
        for (int i = 0; i < 20; i++) {
          stream.copy(source, target);
        }
        driver.loseAtNext(Call.RECORD_EVENT);
        assertThatThrownBy(
                () -> {
                  for (int i = 0; i < 40; i++) {
                    Event _ = stream.record(); // the driver is called unless the end has a mark
                    stream.copy(source, target);
                  }
                })
            .isInstanceOf(DeviceLostException.class);
      }
      lost.close();
      try (Stream stream = other.stream();
          GlobalInts ints = other.allocateInts(1000)) {
        int[] out = new int[1000];
        stream.fill(ints, 5);
        stream.copy(ints, out);
        stream.await();
        assertThat(out).containsOnly(5);
      }
      other.await();
      assertThat(other.isLost()).isFalse();
      other.close();
    }
  }

  @Test
  void aGraphGivesBackItsPartsThoughTheDriverRefusesOneOfThem() {
    try (Machine.Opened opened = open()) {
      Device device = opened.device();
      try (Stream stream = device.stream();
          GlobalInts ints = device.allocateInts(100)) {
        GraphBuilder builder = Graph.builder(device);
        builder.fill(ints, 2, builder.then(() -> {}, builder.fill(ints, 1)));
        try (Graph graph = builder.build()) {
          graph.launch(stream);
          stream.await();
          driver.failAtNext(Call.DESTROY_GRAPH);
        }
        stream.await();
      }
      device.await();
      device.close();
    }
    assertThat(driver.calls(Call.CREATE_GRAPH)).isEqualTo(2);
    assertThat(driver.calls(Call.DESTROY_GRAPH)).isEqualTo(2);
  }

  @Test
  void anErrorOfTheDriversIsNotTakenForAnEventThatHasNotHappened() {
    try (Machine.Opened opened = open()) {
      Device device = opened.device();
      try (Stream stream = device.stream();
          GraphEvent begin = GraphEvent.of(device);
          GraphEvent end = GraphEvent.of(device)) {
        assertThatThrownBy(() -> begin.elapsedTo(end)).isInstanceOf(IllegalStateException.class);
        GraphBuilder builder = Graph.builder(device);
        builder.record(end, builder.record(begin));
        try (Graph graph = builder.build()) {
          graph.launch(stream);
          stream.await();
        }
        driver.failAtNext(Call.ELAPSED_NANOS);
        assertThatThrownBy(() -> begin.elapsedTo(end))
            .isInstanceOf(DriverException.class)
            .hasMessageContaining("as asked");
        assertThat(begin.elapsedTo(end).toNanos()).isNotNegative();
      }
    }
  }

  /** Makes the next call of a kind fail on the first device, if asked; counts the calls. */
  private static final class Failing extends DriverTap {
    private final Map<Call, Integer> calls = new EnumMap<>(Call.class);
    private Call next;
    private Kind kind;
    private DriverDevice lost;

    Failing(Driver driver) {
      super(driver);
    }

    synchronized void failAtNext(Call call) {
      next = call;
      kind = Kind.OTHER;
    }

    synchronized void loseAtNext(Call call) {
      next = call;
      kind = Kind.LOST;
    }

    synchronized int calls(Call call) {
      return calls.getOrDefault(call, 0);
    }

    @Override
    void before(Call call) {}

    @Override
    synchronized void before(Call call, DeviceTap tap) {
      int _ = calls.merge(call, 1, Integer::sum);
      if (call == next && tap.device.properties().ordinal() == 0) {
        next = null;
        lost = kind == Kind.LOST ? tap.device : lost;
        throw new DriverException(kind, 999, "as asked");
      }
      if (tap.device.equals(lost) && call != Call.CLOSE) {
        throw new DriverException(Kind.LOST, 999, "as asked, before");
      }
    }
  }
}
