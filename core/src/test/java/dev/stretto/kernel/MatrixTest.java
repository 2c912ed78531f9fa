package dev.stretto.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.kernel.machine.PackedNumbers;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Products of matrices that are spread over a warp. Where an element lies is written here as the
 * PTX ISA has it, element by element, and the product is the plain one.
 */
@Timeout(60)
class MatrixTest {
  private static final int PADDING = 2;

  private final Random random = new Random(7);

  /** Row and column of element i of a lane, as the tables of the PTX ISA say. */
  private interface Place {
    int of(int lane, int i);
  }

  private static int group(int lane) {
    return lane >> 2;
  }

  private static int inGroup(int lane) {
    return lane % 4;
  }

  private static final Place ROW_OF_D = (lane, i) -> i < 2 ? group(lane) : group(lane) + 8;
  private static final Place COLUMN_OF_D = (lane, i) -> inGroup(lane) * 2 + (i & 1);

  private static void mma16(
      ThreadBlock block, @Const boolean bf16, GlobalInts a, GlobalInts b, GlobalFloats d) {
    int lane = block.warp().lane();
    int[] left = new int[4 + PADDING];
    int[] right = new int[2 + PADDING];
    float[] sum = new float[4 + PADDING];
    for (int i = 0; i < 4; i++) {
      left[PADDING + i] = a.get(4 * lane + i);
      sum[PADDING + i] = d.get(4 * lane + i);
    }
    right[PADDING] = b.get(2 * lane);
    right[PADDING + 1] = b.get(2 * lane + 1);
    if (bf16) {
      Ptx.mmaM16N8K16Bf16(sum, PADDING, left, PADDING, right, PADDING);
    } else {
      Ptx.mmaM16N8K16F16(sum, PADDING, left, PADDING, right, PADDING);
    }
    for (int i = 0; i < 4; i++) {
      d.set(4 * lane + i, sum[PADDING + i]);
    }
  }

  private float small() {
    return (random.nextInt(65) - 32) / 8f;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aProductOf16BitNumbers(boolean bf16) {
    PackedNumbers type = bf16 ? PackedNumbers.BF16 : PackedNumbers.F16;
    TwinRun run = TwinRun.seeded(4).grid(1, 32);
    GlobalInts a = run.ints(128);
    GlobalInts b = run.ints(64);
    GlobalFloats d = run.floats(128);
    float[][] left = new float[16][16];
    float[][] right = new float[16][8];
    for (int lane = 0; lane < 32; lane++) {
      float[] as = new float[8];
      for (int i = 0; i < 8; i++) {
        int row = i < 2 || (i >= 4 && i < 6) ? group(lane) : group(lane) + 8;
        int column = i < 4 ? inGroup(lane) * 2 + (i & 1) : inGroup(lane) * 2 + (i & 1) + 8;
        left[row][column] = as[i] = small();
      }
      float[] bs = new float[4];
      for (int i = 0; i < 4; i++) {
        int row = i < 2 ? inGroup(lane) * 2 + (i & 1) : inGroup(lane) * 2 + (i & 1) + 8;
        right[row][group(lane)] = bs[i] = small();
      }
      for (int i = 0; i < 4; i++) {
        a.set(4 * lane + i, type.pack(as[2 * i], as[2 * i + 1]));
        d.set(4 * lane + i, lane + i);
      }
      b.set(2 * lane, type.pack(bs[0], bs[1]));
      b.set(2 * lane + 1, type.pack(bs[2], bs[3]));
    }
    run.launch(MatrixTest::mma16, bf16, a, b, d);
    checkProduct(left, right, d);
  }

  /** All numbers are small multiples of 1/64, so that sums are exact in any order. */
  private static void checkProduct(float[][] left, float[][] right, GlobalFloats d) {
    for (int lane = 0; lane < 32; lane++) {
      for (int i = 0; i < 4; i++) {
        float expected = lane + i;
        for (int k = 0; k < right.length; k++) {
          expected += left[ROW_OF_D.of(lane, i)][k] * right[k][COLUMN_OF_D.of(lane, i)];
        }
        assertThat(d.get(4 * lane + i)).isEqualTo(expected);
      }
    }
  }

  private static void mmaTf32(ThreadBlock block, GlobalFloats a, GlobalFloats b, GlobalFloats d) {
    int lane = block.warp().lane();
    int[] left = new int[4];
    int[] right = new int[2];
    float[] sum = new float[4];
    for (int i = 0; i < 4; i++) {
      left[i] = Ptx.cvtRnaTf32F32(a.get(4 * lane + i));
      sum[i] = d.get(4 * lane + i);
    }
    right[0] = Ptx.cvtRnaTf32F32(b.get(2 * lane));
    right[1] = Ptx.cvtRnaTf32F32(b.get(2 * lane + 1)) | 0x1fff;
    Ptx.mmaM16N8K8Tf32(sum, 0, left, 0, right, 0);
    for (int i = 0; i < 4; i++) {
      d.set(4 * lane + i, sum[i]);
    }
  }

  @Test
  void aProductOfFloatsWithShortFractions() {
    TwinRun run = TwinRun.seeded(5).grid(1, 32);
    GlobalFloats a = run.floats(128);
    GlobalFloats b = run.floats(64);
    GlobalFloats d = run.floats(128);
    float[][] left = new float[16][8];
    float[][] right = new float[8][8];
    for (int lane = 0; lane < 32; lane++) {
      for (int i = 0; i < 4; i++) {
        int row = i == 0 || i == 2 ? group(lane) : group(lane) + 8;
        int column = i < 2 ? inGroup(lane) : inGroup(lane) + 4;
        left[row][column] = small();
        a.set(4 * lane + i, left[row][column]);
        d.set(4 * lane + i, lane + i);
      }
      for (int i = 0; i < 2; i++) {
        int row = inGroup(lane) + 4 * i;
        right[row][group(lane)] = small();
        b.set(2 * lane + i, right[row][group(lane)]);
      }
    }
    run.launch(MatrixTest::mmaTf32, a, b, d);
    checkProduct(left, right, d);
  }

  private static void mmaBytes(ThreadBlock block, GlobalInts a, GlobalInts b, GlobalInts d) {
    int lane = block.warp().lane();
    int[] left = new int[4];
    int[] right = new int[2];
    int[] sum = new int[4];
    for (int i = 0; i < 4; i++) {
      left[i] = a.get(4 * lane + i);
      sum[i] = d.get(4 * lane + i);
    }
    right[0] = b.get(2 * lane);
    right[1] = b.get(2 * lane + 1);
    Ptx.mmaM16N8K32S8(sum, 0, left, 0, right, 0);
    for (int i = 0; i < 4; i++) {
      d.set(4 * lane + i, sum[i]);
    }
  }

  @Test
  void aProductOfBytes() {
    TwinRun run = TwinRun.seeded(6).grid(1, 32);
    GlobalInts a = run.ints(128);
    GlobalInts b = run.ints(64);
    GlobalInts d = run.ints(128);
    byte[][] left = new byte[16][32];
    byte[][] right = new byte[32][8];
    for (int lane = 0; lane < 32; lane++) {
      for (int i = 0; i < 16; i++) {
        int row = i < 4 || (i >= 8 && i < 12) ? group(lane) : group(lane) + 8;
        int column = i < 8 ? inGroup(lane) * 4 + (i & 3) : inGroup(lane) * 4 + (i & 3) + 16;
        byte value = (byte) random.nextInt();
        left[row][column] = value;
        int at = 4 * lane + i / 4;
        a.set(at, a.get(at) | Byte.toUnsignedInt(value) << (8 * (i % 4)));
      }
      for (int i = 0; i < 8; i++) {
        int row = i < 4 ? inGroup(lane) * 4 + (i & 3) : inGroup(lane) * 4 + (i & 3) + 16;
        byte value = (byte) random.nextInt();
        right[row][group(lane)] = value;
        int at = 2 * lane + i / 4;
        b.set(at, b.get(at) | Byte.toUnsignedInt(value) << (8 * (i % 4)));
      }
    }
    run.launch(MatrixTest::mmaBytes, a, b, d);
    for (int lane = 0; lane < 32; lane++) {
      for (int i = 0; i < 4; i++) {
        int expected = 0;
        for (int k = 0; k < 32; k++) {
          expected += left[ROW_OF_D.of(lane, i)][k] * right[k][COLUMN_OF_D.of(lane, i)];
        }
        assertThat(d.get(4 * lane + i)).isEqualTo(expected);
      }
    }
  }

  private static void load(
      ThreadBlock block, @Const int matrices, @Const boolean transposed, GlobalInts out) {
    SharedBytes memory = block.sharedBytes(16 * 40);
    int lane = block.warp().lane();
    for (int i = 0; i < 10; i++) {
      memory.asShorts().set(10 * lane + i, (short) (10 * lane + i));
    }
    block.warp().sync();
    // Rows are spread out, the last one first.
    int row = 16 * (39 - lane);
    int[] d = new int[5];
    switch (matrices) {
      case 1 -> {
        if (transposed) {
          Ptx.ldmatrixX1Trans(d, 1, memory, row);
        } else {
          Ptx.ldmatrixX1(d, 1, memory, row);
        }
      }
      case 2 -> {
        if (transposed) {
          Ptx.ldmatrixX2Trans(d, 1, memory, row);
        } else {
          Ptx.ldmatrixX2(d, 1, memory, row);
        }
      }
      default -> {
        if (transposed) {
          Ptx.ldmatrixX4Trans(d, 1, memory.asHalfs(), row / 2);
        } else {
          Ptx.ldmatrixX4(d, 1, memory.asBfloats(), row / 2);
        }
      }
    }
    // Whoever goes on first overwrites what the others have loaded.
    for (int i = 0; i < 10; i++) {
      memory.asShorts().set(10 * lane + i, (short) -1);
    }
    for (int i = 0; i < 4; i++) {
      out.set(4 * lane + i, d[1 + i]);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, -1, 2, -2, 4, -4})
  void matricesAreLoadedAsTheProductWantsThem(int kind) {
    int matrices = Math.abs(kind);
    boolean transposed = kind < 0;
    TwinRun run = TwinRun.seeded(1 + matrices).grid(1, 32);
    GlobalInts out = run.ints(128);
    run.launch(MatrixTest::load, matrices, transposed, out);
    for (int lane = 0; lane < 32; lane++) {
      for (int matrix = 0; matrix < 4; matrix++) {
        int expected = 0;
        if (matrix < matrices) {
          for (int half = 0; half < 2; half++) {
            int r = transposed ? 2 * inGroup(lane) + half : group(lane);
            int c = transposed ? group(lane) : 2 * inGroup(lane) + half;
            int element = 8 * (39 - (8 * matrix + r)) + c;
            expected |= element << (16 * half);
          }
        }
        assertThat(out.get(4 * lane + matrix)).isEqualTo(expected);
      }
    }
  }

  private static void loadAt(ThreadBlock block, int index) {
    Ptx.ldmatrixX4(new int[4], 0, block.sharedHalfs(256), index);
  }

  private static void withoutLane3(ThreadBlock block) {
    if (block.threadRank() != 3) {
      Ptx.mmaM16N8K16Bf16(new float[4], 0, new int[4], 0, new int[2], 0);
    }
  }

  @SuppressWarnings("DuplicateBranches")
  private static void diverging(ThreadBlock block) {
    if (block.threadRank() < 16) {
      Ptx.mmaM16N8K16Bf16(new float[4], 0, new int[4], 0, new int[2], 0);
    } else {
      Ptx.mmaM16N8K16Bf16(new float[4], 0, new int[4], 0, new int[2], 0);
    }
  }

  @Test
  void whatAGpuLeavesUndefinedIsTold() {
    assertThatThrownBy(() -> TwinRun.byRank().launch(MatrixTest::loadAt, 4))
        .hasMessageContaining("is not at a multiple of 16 bytes");
    assertThatThrownBy(() -> TwinRun.byRank().launch(MatrixTest::loadAt, 256))
        .hasMessageContaining("a row of 8 elements from 256 of SharedHalfs[256]");
    assertThatThrownBy(() -> TwinRun.byRank().launch(MatrixTest::withoutLane3))
        .hasMessageContaining("reads from lane 3 in mma.m16n8k16 of BF16 of all lanes")
        .hasMessageContaining("has returned");
    assertThatThrownBy(() -> TwinRun.byRank().launch(MatrixTest::diverging))
        .hasMessageContaining("all lanes have to call it at the same place");
  }
}
