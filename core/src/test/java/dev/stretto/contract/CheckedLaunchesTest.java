package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.kernel.ArgumentUse;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.kernel.KernelReference;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Launches, whose order is checked: what a kernel does with its arrays follows from its method. */
class CheckedLaunchesTest extends CheckedPrograms {
  private static final Programs PROGRAMS = new Programs();
  private static final Grid GRID = Grid.of(2, 32);

  @Kernel
  static void reads(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    long i = block.globalIndexX();
    out.set(i, in.get(i) + 1);
  }

  @Kernel
  static void part(ThreadBlock block, GlobalFloats array, int from, int to) {
    int i = from + (int) block.globalIndexX();
    if (i < to) {
      array.set(i, 1);
    }
  }

  @Kernel
  static void columns(ThreadBlock block, GlobalFloats array, int first, int columns) {
    int row = block.threadIndexX() / 8;
    int column = block.threadIndexX() % 8;
    if (column < columns && block.blockIndexX() == 0) {
      array.set(row * 16 + first + column, 1);
    }
  }

  @Kernel
  static void counts(ThreadBlock block, GlobalInts counter) {
    Atomics.add(counter, 0, 1);
  }

  @Kernel
  static void ignores(ThreadBlock block, GlobalFloats array, GlobalFloats out) {
    if (array.length() > 3) {
      out.set(block.globalIndexX(), 1);
    }
  }

  @Kernel
  static void byMode(ThreadBlock block, GlobalFloats a, GlobalFloats b, int mode) {
    long i = block.globalIndexX();
    if (mode == 0) {
      a.set(i, 1);
    } else {
      b.set(i, 1);
    }
  }

  static {
    PROGRAMS.bad(
        "a kernel reads what another stream copies in",
        with -> {
          with.first.copy(with.host, with.a);
          with.second.launch(GRID, CheckedLaunchesTest::reads, with.a, with.b);
        });
    PROGRAMS.good(
        "a kernel reads what another stream has copied in",
        with -> {
          with.first.copy(with.host, with.a);
          with.second.waitFor(with.first.record());
          with.second.launch(GRID, CheckedLaunchesTest::reads, with.a, with.b);
        });
    PROGRAMS.bad(
        "a copy takes what a kernel writes",
        with -> {
          with.first.launch(GRID, CheckedLaunchesTest::reads, with.a, with.b);
          with.second.copy(with.b, with.host);
        });
    PROGRAMS.good(
        "a copy takes what a kernel has written",
        with -> {
          with.first.launch(GRID, CheckedLaunchesTest::reads, with.a, with.b);
          with.first.await();
          with.second.copy(with.b, with.host);
        });
    PROGRAMS.good(
        "a copy takes what a kernel only reads",
        with -> {
          with.first.launch(GRID, CheckedLaunchesTest::reads, with.a, with.b);
          with.second.copy(with.a, with.host);
        });
    PROGRAMS.bad(
        "a copy overwrites what a kernel reads",
        with -> {
          with.first.launch(GRID, CheckedLaunchesTest::reads, with.a, with.b);
          with.second.copy(with.host, with.a);
        });
    PROGRAMS.good(
        "two kernels read one array",
        with -> {
          try (GlobalFloats c = with.device.allocateFloats(LENGTH)) {
            with.first.launch(GRID, CheckedLaunchesTest::reads, with.a, with.b);
            with.second.launch(GRID, CheckedLaunchesTest::reads, with.a, c);
          }
        });
    PROGRAMS.bad(
        "two kernels write one array",
        with -> {
          with.first.launch(GRID, CheckedLaunchesTest::part, with.a, 0, 64);
          with.second.launch(GRID, CheckedLaunchesTest::part, with.a, 0, 64);
        });
    PROGRAMS.good(
        "two kernels write the two halves of an array",
        with -> {
          with.first.launch(GRID, CheckedLaunchesTest::part, with.a, 0, 32);
          with.second.launch(GRID, CheckedLaunchesTest::part, with.a, 32, 64);
        });
    PROGRAMS.bad(
        "two kernels write parts that share one element",
        with -> {
          with.first.launch(GRID, CheckedLaunchesTest::part, with.a, 0, 33);
          with.second.launch(GRID, CheckedLaunchesTest::part, with.a, 32, 64);
        });
    PROGRAMS.good(
        "two kernels write columns side by side",
        with -> {
          with.first.launch(GRID, CheckedLaunchesTest::columns, with.a, 0, 8);
          with.second.launch(GRID, CheckedLaunchesTest::columns, with.a, 8, 8);
        });
    PROGRAMS.bad(
        "two kernels write columns that overlap by one",
        with -> {
          with.first.launch(GRID, CheckedLaunchesTest::columns, with.a, 0, 8);
          with.second.launch(GRID, CheckedLaunchesTest::columns, with.a, 7, 8);
        });
    PROGRAMS.good(
        "two kernels add to one counter",
        with -> {
          try (GlobalInts counter = with.device.allocateInts(1)) {
            with.first.fill(counter, 0).await();
            with.first.launch(GRID, CheckedLaunchesTest::counts, counter);
            with.second.launch(GRID, CheckedLaunchesTest::counts, counter);
          }
        });
    PROGRAMS.bad(
        "a copy takes a counter that a kernel adds to",
        with -> {
          try (GlobalInts counter = with.device.allocateInts(1)) {
            with.first.fill(counter, 0).await();
            with.first.launch(GRID, CheckedLaunchesTest::counts, counter);
            with.second.copy(counter, new int[1]);
          }
        });
    PROGRAMS.good(
        "a kernel takes an array and does nothing with it",
        with -> {
          with.first.copy(with.host, with.a);
          with.second.launch(GRID, CheckedLaunchesTest::ignores, with.a, with.b);
        });
    PROGRAMS.good(
        "a number decides which array a kernel writes",
        with -> {
          with.first.launch(GRID, CheckedLaunchesTest::byMode, with.a, with.b, 0);
          with.second.launch(GRID, CheckedLaunchesTest::byMode, with.a, with.b, 1);
        });
    PROGRAMS.bad(
        "the same number does",
        with -> {
          with.first.launch(GRID, CheckedLaunchesTest::byMode, with.a, with.b, 1);
          with.second.launch(GRID, CheckedLaunchesTest::byMode, with.a, with.b, 1);
        });
    PROGRAMS.good(
        "a prepared launch writes another part each time",
        with -> {
          Launch launch =
              with.device.prepare(GRID, kernel(CheckedLaunchesTest::part), with.a, 0, 8);
          with.first.launch(launch);
          launch.set(1, 8).set(2, 16);
          with.second.launch(launch);
          launch.set(1, 16).set(2, 24);
          with.third.launch(launch);
        });
    PROGRAMS.bad(
        "a prepared launch writes the same part again",
        with -> {
          Launch launch =
              with.device.prepare(GRID, kernel(CheckedLaunchesTest::part), with.a, 0, 8);
          with.first.launch(launch);
          launch.set(1, 8).set(2, 16);
          with.second.launch(launch);
          launch.set(1, 15).set(2, 24);
          with.third.launch(launch);
        });
    PROGRAMS.bad(
        "a slice of an array is the array",
        with -> {
          with.first.launch(Grid.of(1, 32), CheckedLaunchesTest::reads, with.b, with.a);
          with.second.launch(Grid.of(1, 8), CheckedLaunchesTest::part, with.a.slice(31, 8), 0, 8);
        });
    PROGRAMS.good(
        "a slice beside what a kernel writes",
        with -> {
          with.first.launch(Grid.of(1, 32), CheckedLaunchesTest::reads, with.b, with.a);
          with.second.launch(Grid.of(1, 8), CheckedLaunchesTest::part, with.a.slice(32, 8), 0, 8);
        });
  }

  private static DeviceKernel kernel(KernelMethod.Of3<GlobalFloats, Integer, Integer> method) {
    return KernelReference.of(method).compile(List.of(), 9, 0);
  }

  CheckedLaunchesTest() {
    super(PROGRAMS);
  }

  static Set<String> bad() {
    return PROGRAMS.bad.keySet();
  }

  static Set<String> good() {
    return PROGRAMS.good.keySet();
  }

  @Test
  void whatAKernelDoesWithItsArgumentsIsKnown() {
    KernelMethod.Of2<GlobalFloats, GlobalFloats> reads = CheckedLaunchesTest::reads;
    DeviceKernel kernel = KernelReference.of(reads).compile(List.of(), 9, 0);
    assertThat(kernel.reach().uses()).containsExactly(ArgumentUse.READ, ArgumentUse.WRITTEN);
    assertThat(kernel.reach().isAssumed()).isFalse();
  }
}
