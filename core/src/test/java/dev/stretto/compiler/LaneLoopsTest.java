package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodType;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops whose counter begins with a number that differs from lane to lane. */
class LaneLoopsTest {
  private static final int THREADS = 32;
  private static final MethodType TYPE =
      MethodType.methodType(
          void.class,
          ThreadBlock.class,
          GlobalInts.class,
          int.class,
          int.class,
          int.class,
          boolean.class);

  @Kernel
  static void sums(
      ThreadBlock block,
      GlobalInts out,
      @Const int first,
      @Const int step,
      @Const int bound,
      @Const boolean down) {
    int sum = 0;
    int lane = block.threadIndexX() & 7;
    if (down) {
      for (int i = first + 4 * lane; i > bound; i -= step) {
        sum = 31 * sum + i;
      }
    } else {
      for (int i = first + 4 * lane; i < bound; i += step) {
        sum = 31 * sum + i;
      }
    }
    out.set(block.threadIndexX(), sum);
  }

  private static int sum(int lane, int first, int step, int bound, boolean down) {
    int sum = 0;
    for (int i = first + 4 * lane; down ? i > bound : i < bound; i += down ? -step : step) {
      sum = 31 * sum + i;
    }
    return sum;
  }

  private static CompiledKernel compile(
      int first, int step, int bound, boolean down, Interpreter[] last) {
    KernelSource source =
        new KernelSource(
            LaneLoopsTest.class.getClassLoader(),
            LaneLoopsTest.class.getName().replace('.', '/'),
            "sums",
            TYPE.toMethodDescriptorString(),
            Map.of(2, first, 3, step, 4, bound, 5, down),
            false);
    return KernelCompiler.compile(
        source, KernelTarget.of(9, 0), (_, function) -> last[0] = Interpreter.of(function));
  }

  @ParameterizedTest
  @ValueSource(ints = {-40, -3, 0, 5, 28})
  void everyLaneCountsItsOwnRounds(int first) {
    for (int step : new int[] {1, 3, 7, 29, 32, 64}) {
      for (int bound = -2; bound < 140; bound += 5) {
        for (boolean down : new boolean[] {false, true}) {
          int end = down ? first - bound : bound;
          Interpreter[] last = new Interpreter[1];
          CompiledKernel _ = compile(first, step, end, down, last);
          int[] got = new int[THREADS];
          DeviceMemory memory = new DeviceMemory();
          last[0].run(
              Interpreter.Shape.of(1, THREADS),
              memory,
              memory.array(MemorySegment.ofArray(got), 4));
          for (int thread = 0; thread < THREADS; thread++) {
            assertThat(got[thread])
                .as("thread %d of (%d, %d, %d, %b)", thread, first, step, end, down)
                .isEqualTo(sum(thread & 7, first, step, end, down));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 32, 128, false", "0, 64, 100, false", "28, 40, -20, true", "-28, 28, 0, true"})
  void equallyManyRoundsOfAllLanesAreUnrolled(int first, int step, int bound, boolean down) {
    assertThat(compile(first, step, bound, down, new Interpreter[1]).ptx().text())
        .doesNotContain("bra");
  }

  @Test
  void aLoopRemainsWhereLanesDiffer() {
    assertThat(compile(0, 32, 100, false, new Interpreter[1]).ptx().text()).contains("bra");
  }
}
