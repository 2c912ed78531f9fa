package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.driver.DeviceProperties;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Mma;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.Bfloat;
import dev.stretto.memory.Fp8;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A warp's products are those of loops over doubles, and their sums can be scaled row by row. */
class MmaTest extends ContractTest {
  /** What numbers look like in the registers. */
  enum Format {
    BF16(16, 2),
    F16(16, 2),
    TF32(8, 1),
    S8(32, 4),
    E4M3(32, 4),
    E5M2(32, 4);

    private final int inner;
    private final int packed;

    /**
     * @param inner how many numbers a row of the left matrix has
     * @param packed how many are in an int
     */
    Format(int inner, int packed) {
      this.inner = inner;
      this.packed = packed;
    }

    private int capability() {
      return switch (this) {
        case E4M3, E5M2 -> 89;
        case BF16, TF32 -> 80;
        case F16, S8 -> 75;
      };
    }

    /** Some of the numbers that have a bit pattern of this width, and are exact in sums. */
    int bits(Random random) {
      int small = random.nextInt(17) - 8;
      return switch (this) {
        case BF16 -> Bfloat.of(small / 4f) & 0xffff;
        case F16 -> Float.floatToFloat16(small / 4f) & 0xffff;
        case TF32 -> Float.floatToRawIntBits(small / 4f);
        case S8 -> (small * 5) & 0xff;
        case E4M3 -> Byte.toUnsignedInt(Fp8.ofE4m3(small / 4f));
        case E5M2 -> Byte.toUnsignedInt(Fp8.ofE5m2(small / 4f));
      };
    }

    double value(int bits) {
      return switch (this) {
        case BF16 -> Bfloat.toFloat((short) bits);
        case F16 -> Float.float16ToFloat((short) bits);
        case TF32 -> Float.intBitsToFloat(bits);
        case S8 -> (byte) bits;
        case E4M3 -> Fp8.toFloatE4m3((byte) bits);
        case E5M2 -> Fp8.toFloatE5m2((byte) bits);
      };
    }
  }

  @Kernel
  static void multiply(
      ThreadBlock block,
      GlobalInts left,
      GlobalInts right,
      GlobalFloats scale,
      GlobalFloats out,
      @Const int format) {
    int lane = block.warp().lane();
    int[] a = new int[4];
    int[] b = new int[2];
    for (int i = 0; i < 4; i++) {
      a[i] = left.get(lane * 4 + i);
    }
    for (int i = 0; i < 2; i++) {
      b[i] = right.get(lane * 2 + i);
    }
    float[] sums = {1, 1, 1, 1};
    if (format == 0) {
      Mma.bf16(sums, 0, a, 0, b, 0);
    } else if (format == 1) {
      Mma.f16(sums, 0, a, 0, b, 0);
    } else if (format == 2) {
      Mma.tf32(sums, 0, a, 0, b, 0);
    } else if (format == 4) {
      Mma.e4m3(sums, 0, a, 0, b, 0);
    } else if (format == 5) {
      Mma.e5m2(sums, 0, a, 0, b, 0);
    } else {
      int[] whole = {1, 1, 1, 1};
      Mma.s8(whole, 0, a, 0, b, 0);
      for (int i = 0; i < 4; i++) {
        sums[i] = whole[i];
      }
    }
    for (int i = 0; i < 4; i++) {
      int row = Mma.row(lane, i);
      out.set(row * Mma.COLUMNS + Mma.column(lane, i), sums[i] * scale.get(row));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aProductIsThatOfLoops(Format format) {
    DeviceProperties properties = device.properties();
    assumeTrue(
        10 * properties.computeMajor() + properties.computeMinor() >= format.capability(),
        "the device has no such products");
    Random random = new Random(7 + format.ordinal());
    int inner = format.inner;
    int[] left = random.ints(Mma.ROWS * inner).map(_ -> format.bits(random)).toArray();
    int[] right = random.ints(inner * Mma.COLUMNS).map(_ -> format.bits(random)).toArray();
    float[] scale = new float[Mma.ROWS];
    for (int i = 0; i < scale.length; i++) {
      scale[i] = i - 3.5f;
    }
    float[] out = new float[Mma.ROWS * Mma.COLUMNS];
    try (Stream stream = device.stream();
        GlobalInts a = device.allocateInts(32 * 4);
        GlobalInts b = device.allocateInts(32 * 2);
        GlobalFloats factors = device.allocateFloats(Mma.ROWS);
        GlobalFloats c = device.allocateFloats(out.length)) {
      stream.copy(MemorySegment.ofArray(leftFragments(format, left)), a);
      stream.copy(MemorySegment.ofArray(rightFragments(format, right)), b);
      stream.copy(scale, factors);
      stream.launch(Grid.of(1, 32), MmaTest::multiply, a, b, factors, c, format.ordinal());
      stream.copy(c, out).await();
    }
    for (int row = 0; row < Mma.ROWS; row++) {
      for (int column = 0; column < Mma.COLUMNS; column++) {
        int at = row;
        int from = column;
        IntToDoubleFunction product =
            k -> format.value(left[at * inner + k]) * format.value(right[k * Mma.COLUMNS + from]);
        double sum = 1;
        for (int k = 0; k < inner; k++) {
          sum += product.applyAsDouble(k);
        }
        assertThat((double) out[row * Mma.COLUMNS + column])
            .as("row %d, column %d", row, column)
            .isEqualTo(sum * scale[row]);
      }
    }
  }

  /** As the PTX ISA spreads the left matrix: lanes by rows, the second half of a row behind. */
  private static int[] leftFragments(Format format, int[] matrix) {
    int[] fragments = new int[32 * 4];
    for (int lane = 0; lane < 32; lane++) {
      for (int i = 0; i < 4; i++) {
        int row = lane / 4 + i % 2 * 8;
        int k = lane % 4 * format.packed + i / 2 * (format.inner / 2);
        for (int p = 0; p < format.packed; p++) {
          fragments[lane * 4 + i] |= matrix[row * format.inner + k + p] << (p * 32 / format.packed);
        }
      }
    }
    return fragments;
  }

  private static int[] rightFragments(Format format, int[] matrix) {
    int[] fragments = new int[32 * 2];
    for (int lane = 0; lane < 32; lane++) {
      for (int i = 0; i < 2; i++) {
        int column = lane / 4;
        int k = lane % 4 * format.packed + i * (format.inner / 2);
        for (int p = 0; p < format.packed; p++) {
          fragments[lane * 2 + i] |=
              matrix[(k + p) * Mma.COLUMNS + column] << (p * 32 / format.packed);
        }
      }
    }
    return fragments;
  }
}
