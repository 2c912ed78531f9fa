package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Kernels as one first writes them, with indices that are longs. */
class LongIndicesTest {
  private static final int WIDTH = 37;
  private static final int HEIGHT = 11;
  private static final int RADIUS = 8;
  private static final Interpreter.Shape SHAPE =
      new Interpreter.Shape(new int[] {3, 2, 1}, new int[] {16, 8, 1}, 0);

  @Kernel
  static void rows(
      ThreadBlock block,
      GlobalInts in,
      GlobalInts weights,
      GlobalInts out,
      long width,
      int radius) {
    long x = (long) block.blockIndexX() * block.blockSizeX() + block.threadIndexX();
    long y = (long) block.blockIndexY() * block.blockSizeY() + block.threadIndexY();
    if (x >= width || (y + 1) * width > out.length()) {
      return;
    }
    int sum = 0;
    for (long k = -radius; k <= radius; k++) {
      long at = Math.min(Math.max(x + k, 0), width - 1);
      sum += in.get(y * width + at) * weights.get(k + radius);
    }
    out.set(y * width + x, sum);
  }

  private static int row(int[] in, int[] weights, int x, int y, int radius) {
    int sum = 0;
    for (int k = -radius; k <= radius; k++) {
      sum += in[y * WIDTH + Math.clamp(x + k, 0, WIDTH - 1)] * weights[k + radius];
    }
    return sum;
  }

  /** The number {@code far} moves all that is computed of an index, but not the index. */
  @Kernel
  static void columns(
      ThreadBlock block,
      GlobalInts in,
      GlobalInts weights,
      GlobalInts out,
      long width,
      long far,
      @Const int radius) {
    long x = (long) block.blockIndexX() * block.blockSizeX() + block.threadIndexX();
    long y = (long) block.blockIndexY() * block.blockSizeY() + block.threadIndexY();
    if (x >= width || y < radius || (y + radius + 1) * width > in.length()) {
      return;
    }
    long row = y + far;
    long column = x - far * width;
    int sum = 0;
    for (int k = -radius; k <= radius; k++) {
      sum += in.get((row + k) * width + column) * weights.get(k + radius);
    }
    out.set(y * width + x, sum);
  }

  private static int column(int[] in, int[] weights, int x, int y, int radius) {
    int sum = 0;
    for (int k = -radius; k <= radius; k++) {
      sum += in[(y + k) * WIDTH + x] * weights[k + radius];
    }
    return sum;
  }

  @Kernel
  static void inside(
      ThreadBlock block,
      GlobalInts in,
      GlobalInts weights,
      GlobalInts out,
      long width,
      long far,
      @Const int radius) {
    long x = (long) block.blockIndexX() * block.blockSizeX() + block.threadIndexX();
    long y = (long) block.blockIndexY() * block.blockSizeY() + block.threadIndexY();
    if (x >= width || (y + 1) * width > out.length()) {
      return;
    }
    int sum = 0;
    for (int k = -radius; k <= radius; k++) {
      long at = x + k;
      if (at >= 0 && at < width) {
        sum += in.get((y + far) * width + at - far * width) * weights.get(k + radius);
      }
    }
    out.set(y * width + x, sum);
  }

  private static int inside(int[] in, int[] weights, int x, int y, int radius) {
    int sum = 0;
    for (int k = -radius; k <= radius; k++) {
      if (x + k >= 0 && x + k < WIDTH) {
        sum += in[y * WIDTH + x + k] * weights[k + radius];
      }
    }
    return sum;
  }

  @Kernel
  static void below(
      ThreadBlock block,
      GlobalInts in,
      GlobalInts weights,
      GlobalInts out,
      long width,
      @Const int radius) {
    long x = (long) block.blockIndexX() * block.blockSizeX() + block.threadIndexX();
    long y = (long) block.blockIndexY() * block.blockSizeY() + block.threadIndexY();
    if (x >= width || (y + 1) * width > out.length()) {
      return;
    }
    int sum = 0;
    for (int k = -radius; k <= radius; k++) {
      long row = y + k;
      if (row >= 0 && row < HEIGHT) {
        sum += in.get(row * width + x) * weights.get(k + radius);
      }
    }
    out.set(y * width + x, sum);
  }

  private static int below(int[] in, int[] weights, int x, int y, int radius) {
    int sum = 0;
    for (int k = -radius; k <= radius; k++) {
      if (y + k >= 0 && y + k < HEIGHT) {
        sum += in[(y + k) * WIDTH + x] * weights[k + radius];
      }
    }
    return sum;
  }

  @Kernel
  static void product(
      ThreadBlock block, GlobalInts matrix, GlobalInts vector, GlobalInts out, long columns) {
    long step = (long) block.gridSizeX() * block.blockSizeX();
    long first = (long) block.blockIndexX() * block.blockSizeX() + block.threadIndexX();
    for (long row = first; row < out.length(); row += step) {
      int sum = 0;
      for (long i = 0; i < columns; i++) {
        sum += matrix.get(row * columns + i) * vector.get(i) + matrix.get(i + columns * row);
      }
      out.set(row, sum);
    }
  }

  private static int element(int[] matrix, int[] vector, int row) {
    int sum = 0;
    for (int i = 0; i < WIDTH; i++) {
      sum += matrix[row * WIDTH + i] * (vector[i] + 1);
    }
    return sum;
  }

  private record Compiled(String text, Map<String, Interpreter> stages) {
    int count(String pattern) {
      return (int) Pattern.compile(pattern).matcher(text).results().count();
    }
  }

  private static Compiled compile(String name, Map<Integer, Object> constants) {
    Method method =
        Arrays.stream(LongIndicesTest.class.getDeclaredMethods())
            .filter(it -> it.getName().equals(name) && it.isAnnotationPresent(Kernel.class))
            .findFirst()
            .orElseThrow();
    Map<String, Interpreter> stages = new LinkedHashMap<>();
    CompiledKernel kernel =
        KernelCompiler.compile(
            new KernelSource(
                LongIndicesTest.class.getClassLoader(),
                LongIndicesTest.class.getName().replace('.', '/'),
                name,
                MethodType.methodType(void.class, method.getParameterTypes())
                    .toMethodDescriptorString(),
                constants,
                false),
            KernelTarget.of(9, 0),
            (pass, function) -> stages.put(stages.size() + " " + pass, Interpreter.of(function)));
    return new Compiled(kernel.ptx().text(), stages);
  }

  private static int[] random(long seed, int length) {
    return new SplittableRandom(seed).ints(length).toArray();
  }

  /** What the kernel writes after each pass. */
  private static void isRight(
      Compiled compiled, int[] in, int[] weights, int[] expected, Object... numbers) {
    compiled.stages.forEach(
        (stage, interpreter) -> {
          int[] out = new int[expected.length];
          DeviceMemory memory = new DeviceMemory();
          List<Object> arguments = new ArrayList<>();
          for (int[] array : List.of(in, weights, out)) {
            arguments.add(memory.array(MemorySegment.ofArray(array), Integer.BYTES));
          }
          arguments.addAll(List.of(numbers));
          interpreter.run(SHAPE, memory, arguments.toArray());
          assertThat(out).as("after %s", stage).isEqualTo(expected);
        });
  }

  private interface Pixel {
    int of(int x, int y);
  }

  private static int[] image(Pixel pixel) {
    int[] image = new int[WIDTH * HEIGHT];
    Arrays.setAll(image, i -> pixel.of(i % WIDTH, i / WIDTH));
    return image;
  }

  @Test
  void aSumOverARowRunsFourTapsAtATime() {
    Compiled compiled = compile("rows", Map.of());
    int[] in = random(1, WIDTH * HEIGHT);
    for (int radius : new int[] {0, 1, 2, 5, 8}) {
      int[] weights = random(2, 2 * radius + 1);
      int[] expected = image((x, y) -> row(in, weights, x, y, radius));
      isRight(compiled, in, weights, expected, (long) WIDTH, radius);
    }
    isRight(compiled, in, new int[0], new int[WIDTH * HEIGHT], (long) WIDTH, -1);

    assertThat(compiled.count("ld.global")).isEqualTo(2 * (4 + 1));
    // Of the row that is read and of the test before.
    assertThat(compiled.count("mul.lo.s64")).isEqualTo(2);
    // Of the threads' places, x and y, and of the address of the weight in the middle.
    assertThat(compiled.count("mul.wide.s32")).isEqualTo(3);
  }

  @Test
  void theNextRowOfAColumnIsOneSumAway() {
    Compiled compiled = compile("columns", Map.of(6, RADIUS));
    int height = HEIGHT + 2 * RADIUS;
    int[] in = random(3, WIDTH * height);
    int[] weights = random(4, 2 * RADIUS + 1);
    int[] expected = new int[WIDTH * height];
    for (int y = RADIUS; y < Math.min(height - RADIUS, 16); y++) {
      for (int x = 0; x < WIDTH; x++) {
        expected[y * WIDTH + x] = column(in, weights, x, y, RADIUS);
      }
    }
    for (long far : new long[] {0, 1, -7, 1L << 61, Long.MAX_VALUE, Long.MIN_VALUE, 0x123456789L}) {
      isRight(compiled, in, weights, expected, (long) WIDTH, far);
    }

    assertThat(compiled.count("ld.global")).isEqualTo(2 * (2 * RADIUS + 1));
    // Of the test, of far, of the first row and of the result.
    assertThat(compiled.count("mul.lo.s64")).isEqualTo(4);
  }

  @Test
  void tapsThatMayLieOutsideShareTheirRow() {
    Compiled compiled = compile("inside", Map.of(6, RADIUS));
    int[] in = random(5, WIDTH * HEIGHT);
    int[] weights = random(6, 2 * RADIUS + 1);
    int[] expected = image((x, y) -> inside(in, weights, x, y, RADIUS));
    for (long far : new long[] {0, 1, -7, 1L << 61, Long.MAX_VALUE, Long.MIN_VALUE, 0x123456789L}) {
      isRight(compiled, in, weights, expected, (long) WIDTH, far);
    }

    // One branch a tap, and one before.
    assertThat(compiled.count("@!?%p\\d+ bra")).isEqualTo(2 * RADIUS + 1 + 1);
    // Of the test, of far, of the row that is read and of the result.
    assertThat(compiled.count("mul.lo.s64")).isEqualTo(4);
  }

  @Test
  void tapsBelowEachOtherThatMayLieOutsideAreARowApart() {
    Compiled compiled = compile("below", Map.of(5, RADIUS));
    int[] in = random(8, WIDTH * HEIGHT);
    int[] weights = random(9, 2 * RADIUS + 1);
    int[] expected = image((x, y) -> below(in, weights, x, y, RADIUS));
    isRight(compiled, in, weights, expected, (long) WIDTH);

    // Of the test, of the result, and of the first rows.
    assertThat(compiled.count("mul.lo.s64")).isLessThanOrEqualTo(4);
  }

  @Test
  void theRowOfAMatrixIsComputedBeforeTheLoop() {
    Compiled compiled = compile("product", Map.of());
    for (int rows : new int[] {1, 5, 100}) {
      int[] matrix = random(7, rows * WIDTH);
      int[] vector = random(8, WIDTH);
      int[] expected = new int[rows];
      Arrays.setAll(expected, row -> element(matrix, vector, row));
      isRight(compiled, matrix, vector, expected, (long) WIDTH);
    }

    assertThat(compiled.count("mul.lo.s64")).isEqualTo(1);
  }
}
