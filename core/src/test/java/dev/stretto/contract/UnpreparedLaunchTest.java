package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Grid;
import dev.stretto.Stream;
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
}
