package dev.stretto.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Leak;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.PinnedBudgetException;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the guide says of testing, errors, leaks and budgets. */
class GuideTest {
  // @start region="seeds"
  static IntStream seeds() {
    return IntStream.range(0, 100);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void isRightInAnyLegalOrder(int seed) {
    try (Device device = Device.open("virtual:h200,seed=" + seed)) {
      assertThat(Example10MissingWait.withWait(device)).startsWith(0, 0x00042021);
    }
  }

  // @end

  @Test
  void freshMemoryIsPoisoned() {
    // @start region="poison"
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalInts x = device.allocateInts(1000)) {
      int[] numbers = new int[1000];
      stream.copy(x, numbers).await(); // nobody has written x
      assertThat(numbers).containsOnly(0x7FF57FF5);
    }
    // @end
  }

  @Test
  void wrongArgumentsAreReportedAtTheCall() {
    // @start region="refused"
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalInts x = device.allocateInts(1000)) {
      assertThatThrownBy(() -> stream.copy(new int[999], x))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the source has 3996 bytes and the destination 4000");
    }
    // @end
  }

  // @start region="fault"
  @Kernel
  static void beyond(ThreadBlock block, GlobalInts x) {
    x.set(block.globalIndexX(), 1);
  }

  @Test
  void aKernelThatFaultsLosesTheDevice() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalInts x = device.allocateInts(1000)) {
      stream.launch(Grid.of(4, 256), GuideTest::beyond, x); // 1024 threads for 1000 elements
      assertThatThrownBy(stream::await).isInstanceOf(DeviceLostException.class);
      assertThat(device.isLost()).isTrue();
    }
  }

  // @end

  @Test
  void closedTwice() {
    try (Device device = Device.open("virtual")) {
      GlobalInts x = device.allocateInts(1000);
      x.close();
      assertThatThrownBy(x::close).isInstanceOf(ClosedException.class);
    }
  }

  @Test
  void leaksAreListed() {
    try (Device device = Device.open("virtual")) {
      // @start region="leaks"
      GlobalInts forgotten = device.allocateInts(1000);
      Leak leak = device.leaks().getFirst();
      assertThat(leak.what()).isEqualTo("4000 bytes on virtual:0");
      assertThat(leak.where()).hasStackTraceContaining("GuideTest.leaksAreListed");
      // @end
      forgotten.close();
      assertThat(device.leaks()).isEmpty();
    }
  }

  @Test
  void pinnedMemoryHasABudget() {
    // @start region="budget"
    try (Device device = Device.open("virtual");
        PinnedArena pinned = device.pinnedArena()) {
      device.pinnedBudget(8 << 20);
      pinned.allocate(8 << 20);
      assertThat(device.pinned().usedBytes()).isEqualTo(8 << 20);
      assertThatThrownBy(() -> pinned.allocate(1 << 20)).isInstanceOf(PinnedBudgetException.class);
    }
    // @end
  }
}
