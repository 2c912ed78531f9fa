package dev.stretto.bench.steps;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.bench.kernel.MmaBf16;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A product of two matrices on tensor cores, of whole numbers so small that every order of adding
 * gives the same sums.
 */
final class Product implements AutoCloseable {
  private static final int LARGEST = 3;

  private final int size;
  private final float[] left;
  private final float[] right;
  private final float[] expected;
  private final Stream stream;
  private final GlobalInts a;
  private final GlobalInts b;
  private final GlobalFloats wholeA;
  private final GlobalFloats wholeB;
  private final GlobalFloats c;

  /**
   * Creates the matrices.
   *
   * @param size rows and columns of each, a multiple of {@link MmaBf16#COLUMNS}
   */
  Product(Device device, Stream stream, int size) {
    this.size = size;
    this.left = numbers(1);
    this.right = numbers(2);
    this.expected = new float[size * size];
    this.stream = stream;
    this.a = device.allocateInts(left.length / 2);
    this.b = device.allocateInts(left.length / 2);
    this.c = device.allocateFloats(expected.length);
    this.wholeA = device.allocateFloats(left.length);
    this.wholeB = device.allocateFloats(left.length);
    stream.copy(left, wholeA);
    stream.copy(right, wholeB);
    stream.copy(halves(left), a);
    stream.copy(halves(right), b).await();
  }

  void launch() {
    Grid grid = new Grid(size / MmaBf16.COLUMNS, size / MmaBf16.ROWS, 1, MmaBf16.THREADS, 1, 1, 0);
    stream.launch(grid, MmaBf16::mma, a, b, c, size, size);
  }

  /** The same without tensor cores, through shared memory. */
  void launchTiles() {
    int blocks = size / StepKernels.SIDE;
    Grid grid = new Grid(blocks, blocks, 1, StepKernels.SIDE, StepKernels.SIDE, 1, 0);
    stream.launch(grid, StepKernels::product, wholeA, wholeB, c, size);
  }

  void loops() {
    Arrays.fill(expected, 0);
    for (int i = 0; i < size; i++) {
      for (int k = 0; k < size; k++) {
        float factor = left[i * size + k];
        for (int j = 0; j < size; j++) {
          expected[i * size + j] += factor * right[k * size + j];
        }
      }
    }
  }

  /** {@return whether the last launch gave what the loops gave} */
  boolean isRight() {
    float[] found = new float[size * size];
    stream.copy(c, found).await();
    return Arrays.equals(found, expected);
  }

  private float[] numbers(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] numbers = new float[size * size];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = random.nextInt(-LARGEST, LARGEST + 1);
    }
    return numbers;
  }

  /** Two bfloat16 in a word, the first one in its lower half. */
  private static int[] halves(float[] numbers) {
    int[] words = new int[numbers.length / 2];
    for (int i = 0; i < words.length; i++) {
      int low = Float.floatToRawIntBits(numbers[2 * i]) >>> 16;
      words[i] = (Float.floatToRawIntBits(numbers[2 * i + 1]) & 0xFFFF0000) | low;
    }
    return words;
  }

  @Override
  public void close() {
    a.close();
    b.close();
    wholeA.close();
    wholeB.close();
    c.close();
  }
}
