package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Graph;
import dev.stretto.GraphBuilder;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.driver.DriverDevice;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Which calls of the driver's an operation is made of, and how many of them are in flight. What the
 * operations do to their array does not matter.
 */
@WithOrder("off")
class DriverCallsTest {
  /** A driver that counts, and on which nothing gets done while it is held. */
  private static final class Counting extends DriverTap {
    private final Map<Call, Integer> calls = new EnumMap<>(Call.class);
    private volatile boolean held;

    Counting() {
      super(new InstantDriver());
    }

    @Override
    synchronized void before(Call call) {
      calls.merge(call, 1, Integer::sum);
    }

    synchronized int calls(Call call) {
      return calls.getOrDefault(call, 0);
    }

    synchronized int all() {
      return calls.values().stream().mapToInt(Integer::intValue).sum();
    }

    synchronized void forget() {
      calls.clear();
    }

    @Override
    DeviceTap tap(DriverDevice device) {
      return new DeviceTap(device) {
        @Override
        public boolean isDone(long event) {
          return super.isDone(event) && !held;
        }

        @Override
        public boolean isIdle(long stream) {
          return super.isIdle(stream) && !held;
        }
      };
    }
  }

  private final Counting driver = new Counting();
  private Device device;
  private Stream stream;
  private GlobalInts array;

  @BeforeEach
  void open() {
    device = Device.openAll(driver).getFirst();
    stream = device.stream();
    array = device.allocateInts(1024);
  }

  @AfterEach
  void close() {
    driver.held = false;
    device.close();
  }

  private Launch launch() {
    return device.prepare(Grid.of(1, 32), Kernels.ADD, array, 1, 32);
  }

  private Graph kernels(int count, boolean chain) {
    GraphBuilder builder = Graph.builder(device);
    var last = builder.launch(launch());
    for (int i = 1; i < count; i++) {
      last = chain ? builder.launch(launch(), last) : builder.launch(launch());
    }
    return builder.build().instantiate();
  }

  @Test
  void anAllocationAndItsFreeAreTwoCallsAndAnEventForEverySixtyFourPairs() {
    driver.forget();
    for (int i = 0; i < 320; i++) {
      stream.allocateInts(1024).close();
    }
    assertThat(driver.calls(DriverTap.Call.ALLOCATE_ASYNC)).isEqualTo(320);
    assertThat(driver.calls(DriverTap.Call.FREE_ASYNC)).isEqualTo(320);
    assertThat(driver.calls(DriverTap.Call.RECORD_EVENT)).isBetween(4, 5);
    int others = driver.calls(DriverTap.Call.CREATE_EVENT); // of the ring, once
    assertThat(driver.all() - others).isBetween(644, 645);
  }

  @Test
  void aLaunchOfAGraphIsOneCallAndAnotherForItsEvent() {
    Graph graph = kernels(64, true);
    driver.forget();
    for (int i = 0; i < 50; i++) {
      graph.launch(stream);
    }
    assertThat(driver.calls(DriverTap.Call.LAUNCH_GRAPH)).isEqualTo(50);
    assertThat(driver.calls(DriverTap.Call.RECORD_EVENT)).isEqualTo(50);
  }

  @Test
  void aLaunchOfAGraphThatNobodyAwaitsIsOneCall() {
    Graph graph = kernels(64, true);
    stream.launch(graph);
    stream.await();
    driver.forget();
    for (int i = 0; i < 30; i++) {
      stream.launch(graph);
    }
    assertThat(driver.calls(DriverTap.Call.LAUNCH_GRAPH)).isEqualTo(30);
    assertThat(driver.all()).isLessThanOrEqualTo(32);
  }

  /** An H200 takes 127 launches of 64 kernels side by side, and 1,021 of 64 in a row. */
  @Test
  void noMoreLaunchesOfAGraphAreInFlightThanADriverTakesWithoutBlocking() {
    Graph wide = kernels(64, false);
    Graph chain = kernels(64, true);
    driver.held = true;
    driver.forget();
    for (int i = 0; i < 1500; i++) {
      stream.launch(wide);
    }
    assertThat(driver.calls(DriverTap.Call.LAUNCH_GRAPH)).isBetween(40, 127);
    driver.held = false;
    stream.await();
    assertThat(driver.calls(DriverTap.Call.LAUNCH_GRAPH)).isEqualTo(1500);

    driver.held = true;
    driver.forget();
    for (int i = 0; i < 1500; i++) {
      stream.launch(chain);
    }
    assertThat(driver.calls(DriverTap.Call.LAUNCH_GRAPH)).isBetween(800, 1020);
  }

  @Test
  void copiesInAGraphCountAsCopies() {
    try (PinnedArena arena = device.pinnedArena()) {
      MemorySegment host = arena.allocate(4096);
      GraphBuilder builder = Graph.builder(device);
      for (int i = 0; i < 10; i++) {
        builder.copy(host, array);
      }
      Graph graph = builder.build().instantiate();
      driver.held = true;
      driver.forget();
      for (int i = 0; i < 300; i++) {
        stream.launch(graph);
      }
      assertThat(driver.calls(DriverTap.Call.LAUNCH_GRAPH)).isBetween(80, 102);
      driver.held = false;
      stream.await();
    }
  }

  @Test
  void aGraphThatTakesMoreThanTheWholeQueueIsLaunchedWhenTheStreamIsIdle() {
    Graph huge = kernels(8000, false);
    driver.held = true;
    stream.launch(launch());
    driver.forget();
    stream.launch(huge);
    stream.launch(huge);
    stream.launch(huge);
    assertThat(driver.calls(DriverTap.Call.LAUNCH_GRAPH)).isLessThanOrEqualTo(2);
    driver.held = false;
    stream.await();
    assertThat(driver.calls(DriverTap.Call.LAUNCH_GRAPH)).isEqualTo(3);
  }
}
