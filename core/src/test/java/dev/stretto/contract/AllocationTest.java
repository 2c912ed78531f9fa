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
import dev.stretto.kernel.Const;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.TensorMap;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * How much an operation allocates on the Java heap in steady state, on a driver that allocates
 * nothing itself. An order that is checked costs more.
 */
@WithOrder("off")
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
  void aCopyOfAPartOfAnArrayAllocatesWhatACopyOfThatSliceDoes() {
    int[] whole = new int[1024];
    int[] larger = new int[2000];
    long least = bytesOf(() -> stream.copy(whole, array).await());
    // The JDK makes a slice of a view of the whole, and that view and its scope are garbage at
    // once. How a thread waits depends on the moment, and so does what that allocates; a copy of
    // the numbers would be 4 KiB.
    assertThat(bytesOf(() -> stream.copy(larger, 300, 1024, array).await()))
        .isLessThanOrEqualTo(least + 240);
    assertThat(bytesOf(() -> stream.copy(array, larger, 300, 1024).await()))
        .isLessThanOrEqualTo(bytesOf(() -> stream.copy(array, whole).await()) + 240);
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
  void anUnpreparedLaunchAllocatesLessThanFiftyBytesAndNoNativeMemory() {
    Grid grid = Grid.of(1, 32);
    assertThat(bytesOf(() -> stream.launch(grid, Kernels.ADD, array, 1, 32))).isLessThan(50);
  }

  static void none(ThreadBlock block) {}

  static void mixed(ThreadBlock block, GlobalInts a, int b, long c, float d, double e) {}

  static void most(
      ThreadBlock block,
      GlobalInts a,
      GlobalInts b,
      GlobalInts c,
      GlobalInts d,
      GlobalInts e,
      GlobalInts f,
      GlobalInts g,
      GlobalInts h,
      GlobalInts i,
      GlobalInts j,
      GlobalInts k,
      int l) {}

  static void constant(ThreadBlock block, GlobalInts out, @Const int value) {}

  static void mapped(ThreadBlock block, TensorMap map) {}

  @Test
  void aLaunchByMethodReferenceAllocatesNothingButTheNumbersThatJavaBoxesForTheCall() {
    Grid grid = Grid.of(1, 32);
    assertThat(bytesOf(() -> stream.launch(grid, AllocationTest::none))).isZero();
    int[] value = {1000};
    assertThat(
            bytesOf(
                () ->
                    stream.launch(
                        grid, AllocationTest::mixed, array, ++value[0], 1L << 40, 2f, 3d)))
        .isLessThanOrEqualTo(16 + 24 + 16 + 24);
    assertThat(
            bytesOf(
                () ->
                    stream.launch(
                        grid,
                        AllocationTest::most,
                        array,
                        another,
                        array,
                        another,
                        array,
                        another,
                        array,
                        another,
                        array,
                        another,
                        array,
                        1)))
        .isZero();
    assertThat(
            bytesOf(
                () -> stream.launch(Grid.of(1, 32), AllocationTest::mixed, array, 1, 1L, 2f, 3d)))
        .isLessThanOrEqualTo(100);
  }

  @Test
  void constantsThatTakeTurnsAllocateTheArrayOfTheArguments() {
    Grid grid = Grid.of(1, 32);
    int[] value = {0};
    assertThat(
            bytesOf(
                () -> stream.launch(grid, AllocationTest::constant, array, 1 + (++value[0] & 1))))
        .isLessThanOrEqualTo(24);
  }

  @Test
  void aLambdaThatCapturesAllocatesItselfAndNothingElse() {
    Grid grid = Grid.of(1, 32);
    int[] value = {0};
    Runnable launch =
        () -> {
          int number = 1 + (++value[0] & 3);
          double other = number + 0.5;
          stream.launch(grid, (block, out) -> out.set(number, (int) other), array);
        };
    assertThat(bytesOf(launch)).isLessThanOrEqualTo(24);
  }

  @Test
  void aTensorMapThatWasPassedBeforeIsNotEncodedAgain() {
    Grid grid = Grid.of(1, 32);
    TensorMap map = TensorMap.of(array).shape(32, 32).box(32, 8).build();
    assertThat(bytesOf(() -> stream.launch(grid, AllocationTest::mapped, map))).isZero();
  }

  @Test
  void aTensorMapThatIsMadeForEachLaunchCostsTheMapAlone() {
    Grid grid = Grid.of(1, 32);
    assertThat(
            bytesOf(
                () ->
                    stream.launch(
                        grid,
                        AllocationTest::mapped,
                        TensorMap.of(array).shape(32, 32).box(32, 8).build())))
        .isLessThanOrEqualTo(1536);
  }

  record Pair(int first, double second) {}

  record Pairs(Pair one, byte between, Pair two) {}

  static void records(ThreadBlock block, GlobalInts out, Pairs pairs) {}

  @Test
  void aRecordIsPassedWithoutAllocatingAnythingMore() {
    Grid grid = Grid.of(1, 32);
    Pairs[] pairs = {
      new Pairs(new Pair(1, 2), (byte) 3, new Pair(4, 5)),
      new Pairs(new Pair(6, 7), (byte) 8, new Pair(9, 10))
    };
    int[] turn = {0};
    assertThat(
            bytesOf(
                () -> stream.launch(grid, AllocationTest::records, array, pairs[++turn[0] & 1])))
        .isZero();
    Launch launch = device.prepare(grid, AllocationTest::records, array, pairs[0]);
    assertThat(bytesOf(() -> stream.launch(launch.set(1, pairs[++turn[0] & 1])))).isZero();
  }

  @Test
  void shapesThatTakeTurnsAllocateNothing() {
    Grid[] grids = {Grid.of(1, 32), Grid.of(2, 32), Grid.of(3, 64), Grid.of(1, 1)};
    int[] turn = {0};
    assertThat(bytesOf(() -> stream.launch(grids[++turn[0] & 3], AllocationTest::two, array, 1)))
        .isZero();
  }

  static void two(ThreadBlock block, GlobalInts a, int b) {}

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
  void aBatchOfPinnedCopiesAllocatesLittleMoreThanItself() {
    List<CopyRequest> requests =
        IntStream.range(0, 64)
            .mapToObj(i -> CopyRequest.of(host.asSlice(64L * i, 64), array.slice(16L * i, 16)))
            .toList();
    assertThat(bytesOf(() -> stream.copyAll(requests), 2_000)).isLessThan(64 * 40);
    assertThat(bytesOf(() -> stream.copyAll(requests).await(), 2_000)).isLessThan(64 * 40);
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
