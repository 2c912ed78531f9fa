package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.fault.LaunchException;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Launches that were not prepared: memory for their arguments is lent from one to the next. */
class UnpreparedLaunchTest extends ContractTest {
  private static final int LAUNCHES = 200;
  private static final Grid ONE = Grid.of(1, 1);

  private static void launch(Stream stream, GlobalInts array, int index) {
    stream.launch(ONE, Kernels.ADD, array.slice(index, 1), index + 1, 1);
  }

  private void requireAll(Stream stream, GlobalInts array) {
    int[] result = new int[Math.toIntExact(array.length())];
    stream.copy(array, result).await();
    assertThat(result).containsExactly(IntStream.rangeClosed(1, result.length).toArray());
  }

  @Test
  void eachHasItsOwnArgumentsThoughManyAreHeldBack() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(LAUNCHES)) {
      stream.fill(array, 0);
      try (Gate gate = gate(stream)) {
        for (int i = 0; i < LAUNCHES; i++) {
          launch(stream, array, i);
        }
        gate.open();
      }
      requireAll(stream, array);
    }
  }

  @Test
  void eachHasItsOwnArgumentsThoughManyThreadsLaunch() throws InterruptedException {
    int count = 8;
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(count * LAUNCHES)) {
      stream.fill(array, 0);
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < count; t++) {
        int from = t * LAUNCHES;
        Runnable work =
            () -> IntStream.range(from, from + LAUNCHES).forEach(i -> launch(stream, array, i));
        threads.add(t % 2 == 0 ? Thread.ofPlatform().start(work) : Thread.startVirtualThread(work));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      requireAll(stream, array);
    }
  }

  @Test
  void oneThatIsRefusedLeavesNothingToTheNext() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(LAUNCHES)) {
      stream.fill(array, 0);
      GlobalInts closed = device.allocateInts(1);
      closed.close();
      for (int i = 0; i < LAUNCHES; i++) {
        assertThatThrownBy(() -> stream.launch(ONE, Kernels.ADD, closed, 1000, 1))
            .isInstanceOf(RuntimeException.class);
        assertThatThrownBy(() -> stream.launch(ONE, Kernels.ADD, array, 1000, 1L))
            .isInstanceOf(IllegalArgumentException.class);
        launch(stream, array, i);
      }
      requireAll(stream, array);
    }
  }

  // --- kernels that are methods
  // ------------------------------------------------------------------------------------------

  @Kernel
  static void put(ThreadBlock block, GlobalInts out, int from, int value, @Const int factor) {
    out.set(from + block.globalIndexX(), value * factor + block.blockSizeX());
  }

  private static void launchMethod(Stream stream, GlobalInts array, int index) {
    int threads = 1 + index % 20; // more shapes than are kept
    GlobalInts part = array.slice(index * 20L, 20);
    if (index % 3 == 0) {
      int captured = index % 5;
      stream.launch(
          Grid.of(1, threads),
          (block, out, value) -> put(block, out, 0, value, captured),
          part,
          index);
    } else {
      stream.launch(Grid.of(1, threads), UnpreparedLaunchTest::put, part, 0, index, index % 5);
    }
  }

  private void requireAllOfMethods(Stream stream, GlobalInts array) {
    int[] result = new int[Math.toIntExact(array.length())];
    stream.copy(array, result).await();
    for (int i = 0; i < result.length; i++) {
      int index = i / 20;
      int threads = 1 + index % 20;
      int expected = i % 20 < threads ? index * (index % 5) + threads : 0;
      assertThat(result[i]).as("element %d", i).isEqualTo(expected);
    }
  }

  @Test
  void eachOfAMethodHasItsOwnArgumentsConstantsAndShapeThoughManyAreHeldBack() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(LAUNCHES * 20)) {
      stream.fill(array, 0);
      try (Gate gate = gate(stream)) {
        for (int i = 0; i < LAUNCHES; i++) {
          launchMethod(stream, array, i);
        }
        gate.open();
      }
      requireAllOfMethods(stream, array);
    }
  }

  @Test
  void eachOfAMethodHasItsOwnArgumentsThoughManyThreadsLaunch() throws InterruptedException {
    int count = 8;
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(count * LAUNCHES * 20)) {
      stream.fill(array, 0);
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < count; t++) {
        int from = t * LAUNCHES;
        Runnable work =
            () ->
                IntStream.range(from, from + LAUNCHES).forEach(i -> launchMethod(stream, array, i));
        threads.add(t % 2 == 0 ? Thread.ofPlatform().start(work) : Thread.startVirtualThread(work));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      requireAllOfMethods(stream, array);
    }
  }

  @Test
  void oneOfAMethodThatIsRefusedLeavesNothingToTheNext() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(LAUNCHES * 20)) {
      stream.fill(array, 0);
      GlobalInts closed = device.allocateInts(1);
      closed.close();
      for (int i = 0; i < LAUNCHES; i++) {
        int index = i;
        assertThatThrownBy(
                () -> stream.launch(ONE, UnpreparedLaunchTest::put, closed, 0, 9, index % 5))
            .isInstanceOf(RuntimeException.class);
        assertThatThrownBy(
                () ->
                    stream.launch(
                        Grid.of(1, 1 << 20), UnpreparedLaunchTest::put, array, 0, 9, index % 5))
            .isInstanceOf(LaunchException.class);
        launchMethod(stream, array, i);
      }
      requireAllOfMethods(stream, array);
    }
  }

  @Test
  void onEachDeviceOneCallLaunchesTheKernelOfThatDevice() {
    try (Stream stream = device.stream();
        GlobalInts array = device.allocateInts(20);
        Machine.Opened more = new Machine("virtual:a100").open();
        Stream there = more.devices().getFirst().stream();
        GlobalInts others = more.devices().getFirst().allocateInts(20)) {
      for (int i = 0; i < 10; i++) {
        Stream which = i % 2 == 0 ? stream : there;
        GlobalInts out = i % 2 == 0 ? array : others;
        which.launch(Grid.of(1, 20), UnpreparedLaunchTest::put, out, 0, i, i % 2);
        int[] result = new int[20];
        which.copy(out, result).await();
        assertThat(result).containsOnly(i * (i % 2) + 20);
      }
    }
  }
}
