package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.memory.Bfloat;
import dev.stretto.memory.Fp8;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Warp groups multiply matrices that lie in shared memory as the PTX ISA says they may. Where a
 * number lies, and which thread has which sum, is written here once more, by itself; numbers are
 * small multiples of 1/8, so that sums are exact in any order.
 */
class ProductTest extends ContractTest {
  private static final int ROWS = 64;

  /** How matrices lie. */
  private record Layout(int swizzle, boolean transposed, int leading, int stride, int bytes) {
    /** Where the number of a row (or column) is that is k-th along the inner dimension. */
    int at(int row, int k) {
      int span = Math.max(16, swizzle);
      int at;
      if (transposed) {
        int chunk = row * bytes / span;
        int far =
            swizzle == 0 ? chunk * stride + k / 8 * leading : chunk * leading + k / 8 * stride;
        at = far + k % 8 * span + row * bytes % span;
      } else {
        int along = k * bytes;
        int chunk = swizzle == 0 ? along / 16 * leading + along % 16 : along;
        at = row / 8 * stride + row % 8 * span + chunk;
      }
      return at ^ (at >> 3 & (swizzle == 0 ? 0 : swizzle - 16));
    }
  }

  private final SplittableRandom random = new SplittableRandom(11);

  /**
   * Those of 8 bits are smaller: E5M2 has few bits of fraction, and a GPU's sums may have fewer.
   */
  private float[][] matrix(int rows, int depth, int type) {
    int most = bytes(type) == 1 ? 8 : 16;
    float[][] matrix = new float[rows][depth];
    for (float[] row : matrix) {
      for (int k = 0; k < depth; k++) {
        row[k] = (random.nextInt(2 * most + 1) - most) / 8f;
      }
    }
    return matrix;
  }

  private static int bytes(int type) {
    return switch (type) {
      case ProductKernels.BF16, ProductKernels.F16 -> 2;
      case ProductKernels.E4M3, ProductKernels.E5M2 -> 1;
      default -> 4;
    };
  }

  private static void put(ByteBuffer image, int at, int type, float value) {
    switch (type) {
      case ProductKernels.BF16 -> image.putShort(at, Bfloat.of(value));
      case ProductKernels.F16 -> image.putShort(at, Float.floatToFloat16(value));
      case ProductKernels.E4M3 -> image.put(at, Fp8.ofE4m3(value));
      case ProductKernels.E5M2 -> image.put(at, Fp8.ofE5m2(value));
      default -> image.putFloat(at, value);
    }
  }

  private static int row(int thread, int element) {
    return thread / 32 * 16 + thread % 32 / 4 + element / 2 % 2 * 8;
  }

  private static int column(int thread, int element) {
    return element / 4 * 8 + thread % 4 * 2 + element % 2;
  }

  private void multiplies(
      Stream stream, int type, int n, Layout a, Layout b, int advanceA, int advanceB) {
    int depth = 32 / a.bytes();
    float[][] left = matrix(ROWS, 2 * depth, type);
    float[][] right = matrix(n, 2 * depth, type);
    int atB = ProductKernels.MOST_BYTES / 2;
    ByteBuffer image =
        ByteBuffer.allocate(ProductKernels.MOST_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int k = 0; k < 2 * depth; k++) {
      for (int row = 0; row < ROWS; row++) {
        put(image, a.at(row, k), type, left[row][k]);
      }
      for (int row = 0; row < n; row++) {
        put(image, atB + b.at(row, k), type, right[row][k]);
      }
    }
    try (GlobalBytes matrices = device.allocateBytes(image.capacity());
        GlobalInts layouts = device.allocateInts(6);
        GlobalFloats out = device.allocateFloats(ROWS * n)) {
      stream.copy(MemorySegment.ofArray(image.array()), matrices);
      stream.copy(
          new int[] {a.leading(), a.stride(), advanceA, b.leading(), b.stride(), advanceB},
          layouts);
      stream.launch(
          Grid.of(1, 128),
          ProductKernels::fromShared,
          matrices,
          out,
          type,
          n,
          a.swizzle(),
          (a.transposed() ? 1 : 0) + (b.transposed() ? 2 : 0),
          layouts);
      float[] found = new float[ROWS * n];
      stream.copy(out, found).await();
      check(left, right, n, found);
    }
  }

  private static void check(float[][] left, float[][] right, int n, float[] found) {
    for (int thread = 0; thread < 128; thread++) {
      for (int i = 0; i < n / 2; i++) {
        float expected = 0;
        for (int k = 0; k < right[0].length; k++) {
          expected += left[row(thread, i)][k] * right[column(thread, i)][k];
        }
        assertThat(found[i * 128 + thread])
            .as("element %d of thread %d", i, thread)
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void matricesThatLieAsBoxesComeAreMultiplied() {
    try (Stream stream = device.stream()) {
      for (int swizzle : new int[] {64, 128}) {
        Layout kMajor = new Layout(swizzle, false, 16, 8 * swizzle, 2);
        multiplies(stream, ProductKernels.BF16, 64, kMajor, kMajor, 32, 32);
        multiplies(stream, ProductKernels.F16, 24, kMajor, kMajor, 32, 32);
      }
      Layout wide = new Layout(128, false, 16, 1024, 4);
      multiplies(stream, ProductKernels.TF32, 48, wide, wide, 32, 32);
      for (int swizzle : new int[] {64, 128}) {
        Layout narrow = new Layout(swizzle, false, 16, 8 * swizzle, 1);
        multiplies(stream, ProductKernels.E4M3, 72, narrow, narrow, 32, 32);
        multiplies(stream, ProductKernels.E5M2, 24, narrow, narrow, 32, 32);
      }
    }
  }

  @Test
  void transposedMatricesAreMultiplied() {
    try (Stream stream = device.stream()) {
      for (int swizzle : new int[] {32, 64, 128}) {
        // A box of 32 along K, and the next columns behind it.
        Layout mnMajor = new Layout(swizzle, true, 32 * swizzle, 8 * swizzle, 2);
        int advance = 16 * swizzle;
        multiplies(stream, ProductKernels.BF16, 128, mnMajor, mnMajor, advance, advance);
        multiplies(stream, ProductKernels.F16, 8, mnMajor, mnMajor, advance, advance);
      }
    }
  }

  @Test
  void matricesWithoutASwizzleAreMultiplied() {
    try (Stream stream = device.stream()) {
      Layout kMajor = new Layout(0, false, 128, 512, 2);
      multiplies(stream, ProductKernels.BF16, 40, kMajor, kMajor, 256, 256);
      Layout narrow = new Layout(0, false, 128, 512, 1);
      multiplies(stream, ProductKernels.E4M3, 40, narrow, narrow, 256, 256);
      Layout mnMajor = new Layout(0, true, 128, 512, 2);
      multiplies(stream, ProductKernels.F16, 32, mnMajor, mnMajor, 256, 256);
    }
  }

  @Test
  void bytesAreMultiplied() {
    int n = 32;
    byte[] image = new byte[ProductKernels.MOST_BYTES];
    random.nextBytes(image);
    int atB = ProductKernels.MOST_BYTES / 2;
    Layout layout = new Layout(128, false, 16, 1024, 1);
    try (Stream stream = device.stream();
        GlobalBytes matrices = device.allocateBytes(image.length);
        GlobalInts out = device.allocateInts(ROWS * n)) {
      stream.copy(MemorySegment.ofArray(image), matrices);
      stream.launch(Grid.of(1, 128), ProductKernels::ofBytes, matrices, out, n, 1024);
      int[] found = new int[ROWS * n];
      stream.copy(out, found).await();
      for (int thread = 0; thread < 128; thread++) {
        for (int i = 0; i < n / 2; i++) {
          int expected = i;
          for (int k = 0; k < 64; k++) {
            expected +=
                image[layout.at(row(thread, i), k)] * image[atB + layout.at(column(thread, i), k)];
          }
          assertThat(found[i * 128 + thread]).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void aMatrixComesInRegistersAndSumsAreScaledBetween() {
    try (Stream stream = device.stream()) {
      fromRegisters(stream, ProductKernels.BF16, 16);
      fromRegisters(stream, ProductKernels.F16, 72);
      fromRegisters(stream, ProductKernels.E4M3, 72);
      fromRegisters(stream, ProductKernels.E5M2, 16);
    }
  }

  private void fromRegisters(Stream stream, int type, int n) {
    int rounds = 3;
    int packed = 4 / bytes(type);
    int depth = 8 * packed;
    float[][] right = matrix(n, depth, type);
    Layout layout = new Layout(32, false, 16, 256, bytes(type));
    ByteBuffer image = ByteBuffer.allocate(n * 32).order(ByteOrder.LITTLE_ENDIAN);
    for (int k = 0; k < depth; k++) {
      for (int row = 0; row < n; row++) {
        put(image, layout.at(row, k), type, right[row][k]);
      }
    }
    float[][][] left = new float[rounds][][];
    int[] fragments = new int[rounds * 4 * 128];
    for (int round = 0; round < rounds; round++) {
      left[round] = matrix(ROWS, depth, type);
      for (int thread = 0; thread < 128; thread++) {
        for (int i = 0; i < 4; i++) {
          int row = thread / 32 * 16 + thread % 32 / 4 + i % 2 * 8;
          int column = thread % 4 * packed + i / 2 * (depth / 2);
          ByteBuffer register = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
          for (int p = 0; p < packed; p++) {
            put(register, p * bytes(type), type, left[round][row][column + p]);
          }
          fragments[(round * 4 + i) * 128 + thread] = register.getInt(0);
        }
      }
    }
    try (GlobalBytes matrices = device.allocateBytes(image.capacity());
        GlobalInts registers = device.allocateInts(fragments.length);
        GlobalFloats out = device.allocateFloats(ROWS * n)) {
      stream.copy(MemorySegment.ofArray(image.array()), matrices);
      stream.copy(fragments, registers);
      stream.launch(
          Grid.of(1, 128),
          ProductKernels::fromRegisters,
          matrices,
          registers,
          out,
          type,
          n,
          rounds,
          0.5f);
      float[] found = new float[ROWS * n];
      stream.copy(out, found).await();
      for (int thread = 0; thread < 128; thread++) {
        for (int i = 0; i < n / 2; i++) {
          float expected = 0;
          for (int round = 0; round < rounds; round++) {
            expected *= 0.5f;
            for (int k = 0; k < depth; k++) {
              expected += left[round][row(thread, i)][k] * right[column(thread, i)][k];
            }
          }
          assertThat(found[i * 128 + thread]).isEqualTo(expected);
        }
      }
    }
  }
}
