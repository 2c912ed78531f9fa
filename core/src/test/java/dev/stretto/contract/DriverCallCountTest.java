package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.TensorMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How many calls of the driver an operation takes. */
class DriverCallCountTest {
  private final InstantDriver driver = new InstantDriver();
  private final AtomicIntegerArray calls = new AtomicIntegerArray(DriverTap.Call.values().length);
  private Device device;
  private Stream stream;

  @BeforeEach
  void open() {
    device =
        Device.openAll(
                new DriverTap(driver) {
                  @Override
                  void before(Call call) {
                    calls.incrementAndGet(call.ordinal());
                  }
                })
            .getFirst();
    stream = device.stream();
  }

  @AfterEach
  void close() {
    driver.setBusy(false);
    device.close();
  }

  private int count(DriverTap.Call call, Runnable operations) {
    int before = calls.get(call.ordinal());
    operations.run();
    return calls.get(call.ordinal()) - before;
  }

  private int marks(Runnable operation) {
    return count(
        DriverTap.Call.RECORD_EVENT,
        () -> {
          for (int i = 0; i < 64; i++) {
            operation.run();
          }
        });
  }

  @Test
  void copiesAndFillsWithinADeviceShareAMarkUnlessTheyAreLarge() {
    GlobalBytes from = device.allocateBytes(8 << 20);
    GlobalBytes to = device.allocateBytes(8 << 20);
    GlobalLongs longs = device.allocateLongs(1 << 20);
    assertThat(marks(() -> stream.copy(from.slice(0, 256 << 10), to.slice(0, 256 << 10)))).isOne();
    assertThat(marks(() -> stream.fill(to.slice(0, 1 << 20), (byte) 1))).isOne();
    assertThat(marks(() -> stream.copy(from.slice(0, 4 << 20), to.slice(0, 4 << 20)))).isEqualTo(4);
    assertThat(marks(() -> stream.copy(from, to))).isEqualTo(64);
    assertThat(marks(() -> stream.fill(to, (byte) 1))).isEqualTo(64);
    assertThat(marks(() -> stream.fill(longs, 1L))).isEqualTo(64); // two strided fills each
  }

  @Test
  void copiesAndFillsWithinADeviceShareAMarkThoughTheyWereHeldBack() throws InterruptedException {
    GlobalBytes from = device.allocateBytes(256 << 10);
    GlobalBytes to = device.allocateBytes(256 << 10);
    CountDownLatch gate = new CountDownLatch(1);
    int marks =
        count(
            DriverTap.Call.RECORD_EVENT,
            () -> {
              Event _ = stream.then(() -> await(gate));
              for (int i = 0; i < 32; i++) {
                stream.copy(from, to);
                stream.fill(from, (byte) i);
              }
              gate.countDown();
              stream.await();
            });
    assertThat(marks).isLessThan(8);
  }

  private static void await(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aTensorMapThatSaysTheSameAsTheOneBeforeIsNotEncodedAgain() {
    GlobalBytes array = device.allocateBytes(8 << 10);
    GlobalBytes other = device.allocateBytes(8 << 10);
    launch(array, 64);
    assertThat(count(DriverTap.Call.ENCODE, () -> launch(array, 64))).isZero();
    assertThat(count(DriverTap.Call.ENCODE, () -> launch(other, 64))).isOne();
    assertThat(count(DriverTap.Call.ENCODE, () -> launch(other, 32))).isOne();
    assertThat(count(DriverTap.Call.ENCODE, () -> launch(other, 32))).isZero();
  }

  static void mapped(ThreadBlock block, TensorMap map) {}

  private void launch(GlobalBytes array, int width) {
    TensorMap map = TensorMap.of(array).shape(width, 64).box(32, 8).build();
    stream.launch(Grid.of(1, 32), DriverCallCountTest::mapped, map);
  }

  @Test
  void aWaitForAFillDoesNotWaitForWhatFollows() {
    GlobalBytes array = device.allocateBytes(4096);
    CountDownLatch gate = new CountDownLatch(1);
    Event filled = stream.fill(array, (byte) 1);
    Event last = stream.then(() -> await(gate));
    filled.await();
    assertThat(last.isDone()).isFalse();
    gate.countDown();
    last.await();
  }

  @Test
  void anAllocationAndItsFreeTakeOneCallEachThoughTheDeviceIsFarBehind() {
    driver.setBusy(true);
    int pairs = 2_000; // more operations than a stream gives the driver at once
    int[] others = new int[1];
    int allocations =
        count(
            DriverTap.Call.ALLOCATE_ASYNC,
            () ->
                others[0] =
                    count(
                        DriverTap.Call.ALLOCATE,
                        () -> {
                          for (int i = 0; i < pairs; i++) {
                            stream.allocateBytes(4096).close();
                          }
                        }));
    assertThat(allocations).isEqualTo(pairs);
    assertThat(others).containsExactly(0);
    assertThat(calls.get(DriverTap.Call.FREE_ASYNC.ordinal())).isEqualTo(pairs);
    assertThat(calls.get(DriverTap.Call.RECORD_EVENT.ordinal())).isLessThan(2 * pairs / 100);
  }

  @Test
  void allocationsTakeNoRoomFromOtherOperations() {
    GlobalBytes array = device.allocateBytes(4096);
    driver.setBusy(true);
    for (int i = 0; i < 2_000; i++) {
      stream.allocateBytes(4096).close();
    }
    assertThat(count(DriverTap.Call.FILL, () -> stream.fill(array, (byte) 1))).isOne();
    for (int i = 0; i < 2_000; i++) {
      stream.fill(array, (byte) 1);
    }
    assertThat(calls.get(DriverTap.Call.FILL.ordinal())).isBetween(800, 1_000);
  }

  @Test
  void aLaunchOfAGraphThatNobodyAwaitsIsOneCall() {
    GlobalBytes array = device.allocateBytes(4096);
    Graph graph = Graph.capture(stream, () -> stream.fill(array, (byte) 1)).instantiate();
    assertThat(marks(() -> stream.launch(graph))).isZero();
    assertThat(marks(() -> graph.launch(stream))).isEqualTo(64);
  }
}
