package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.stretto.CopyRequest;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Graph;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * How much an operation allocates on the Java heap in steady state, on a driver that allocates
 * nothing itself.
 */
class AllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Device device;
  private Stream stream;
  private Stream other;
  private GlobalInts array;
  private GlobalInts another;
  private PinnedArena pinned;
  private MemorySegment host;

  @BeforeEach
  void open() {
    device = Device.openAll(new InstantDriver()).getFirst();
    stream = device.stream();
    other = device.stream();
    array = device.allocateInts(1024);
    another = device.allocateInts(1024);
    pinned = device.pinnedArena();
    host = pinned.allocate(4096);
  }

  @AfterEach
  void close() {
    device.close();
  }

  @Test
  void aCopyOfPinnedMemoryAllocatesItsResultAndNothingElse() {
    assertThat(bytesOf(() -> stream.copy(host, array))).isLessThanOrEqualTo(32);
    assertThat(bytesOf(() -> stream.copy(array, host))).isLessThanOrEqualTo(32);
  }

  @Test
  void aCopyWithinTheDeviceAllocatesItsResultAndNothingElse() {
    assertThat(bytesOf(() -> stream.copy(array, another))).isLessThanOrEqualTo(32);
  }

  @Test
  void recordingAndWaitingAllocateTheEventAndNothingElse() {
    assertThat(bytesOf(stream::record)).isLessThanOrEqualTo(32);
    assertThat(bytesOf(() -> other.waitFor(stream.record()))).isLessThanOrEqualTo(32);
    Event event = stream.record();
    assertThat(bytesOf(() -> other.waitFor(event))).isZero();
  }

  @Test
  void aPreparedLaunchAllocatesNothing() {
    Launch launch = device.prepare(Grid.of(1, 32), Kernels.ADD, array, 1, 32);
    int[] value = {0};
    assertThat(bytesOf(() -> stream.launch(launch))).isZero();
    assertThat(bytesOf(() -> stream.launch(launch.set(1, value[0]++)))).isZero();
    assertThat(bytesOf(() -> stream.launch(launch.set(0, array)))).isZero();
  }

  @Test
  void anUnpreparedLaunchAllocatesLessThanFourHundredBytesAndNoNativeMemory() {
    Grid grid = Grid.of(1, 32);
    assertThat(bytesOf(() -> stream.launch(grid, Kernels.ADD, array, 1, 32))).isLessThan(400);
  }

  @Test
  void anAllocationInTheOrderOfAStreamAllocatesTheArrayAndItsMemoryAndItsFreeNothing() {
    assertThat(bytesOf(() -> stream.allocateInts(1024).close())).isLessThanOrEqualTo(160);
  }

  @Test
  void aLaunchOfAGraphAllocatesItsEventOrNothing() {
    Launch launch = device.prepare(Grid.of(1, 32), Kernels.ADD, array, 1, 32);
    Graph graph =
        Graph.capture(stream, () -> IntStream.range(0, 64).forEach(_ -> stream.launch(launch)));
    assertThat(bytesOf(() -> graph.launch(stream))).isLessThanOrEqualTo(32);
    assertThat(bytesOf(() -> stream.launch(graph))).isZero();
  }

  @Test
  void aBatchAllocatesLessThanTwoHundredBytesACopy() {
    List<CopyRequest> requests =
        IntStream.range(0, 64)
            .mapToObj(i -> CopyRequest.of(host.asSlice(64L * i, 64), array.slice(16L * i, 16)))
            .toList();
    assertThat(bytesOf(() -> stream.copyAll(requests), 2_000)).isLessThan(64 * 200);
  }

  @Test
  void askingAndAwaitingWhatIsDoneAllocatesNothing() {
    Event event = stream.record();
    assertThat(bytesOf(event::isDone)).isZero();
    assertThat(bytesOf(event::await)).isZero();
    assertThat(bytesOf(stream::isIdle)).isZero();
  }

  @Test
  void manyStreamsOnOneArrayAllocateNoMore() {
    Launch launch = device.prepare(Grid.of(1, 32), Kernels.ADD, array, 1, 32);
    boolean[] turn = {false};
    assertThat(
            bytesOf(
                () -> {
                  turn[0] = !turn[0];
                  (turn[0] ? stream : other).launch(launch);
                }))
        .isLessThanOrEqualTo(32);
  }

  /** {@return the bytes that one of many calls allocates on this thread, once all is compiled} */
  private static long bytesOf(Runnable operation) {
    return bytesOf(operation, 10_000);
  }

  private static long bytesOf(Runnable operation, int times) {
    repeat(operation, 10 * times);
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      repeat(operation, times);
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    return least / times;
  }

  private static void repeat(Runnable operation, int times) {
    for (int i = 0; i < times; i++) {
      operation.run();
    }
  }
}
