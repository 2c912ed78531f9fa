package dev.stretto.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.kernel.machine.PackedNumbers;
import dev.stretto.memory.Bfloat;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.math.BigDecimal;
import java.util.Random;
import java.util.function.IntBinaryOperator;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Single instructions, against the words of the PTX ISA. */
@Timeout(60)
class PtxTest {
  private static final int[] EDGES = {0, 1, -1, 31, 32, 33, 63, 255, 256, Integer.MIN_VALUE};

  private final Random random = new Random(42);

  private int any() {
    return random.nextInt(4) == 0 ? EDGES[random.nextInt(EDGES.length)] : random.nextInt();
  }

  private static boolean bit(int value, int at) {
    return ((value >>> at) & 1) != 0;
  }

  @RepeatedTest(200)
  void fieldsAreExtractedAndInserted() {
    int a = any();
    int b = any();
    int pos = any();
    int len = any();
    int p = pos & 0xff;
    int n = len & 0xff;
    for (boolean signed : new boolean[] {false, true}) {
      boolean sign = signed && n != 0 && bit(a, Math.min(p + n - 1, 31));
      int expected = 0;
      for (int i = 0; i < 32; i++) {
        boolean inside = i < n && p + i <= 31;
        boolean set = inside ? bit(a, p + i) : sign;
        expected |= set ? 1 << i : 0;
      }
      assertThat(signed ? Ptx.bfeS32(a, pos, len) : Ptx.bfeU32(a, pos, len)).isEqualTo(expected);
    }
    int inserted = b;
    for (int i = 0; i < n && p + i <= 31; i++) {
      int place = 1 << (p + i);
      inserted = bit(a, i) ? inserted | place : inserted & ~place;
    }
    assertThat(Ptx.bfi(a, b, pos, len)).isEqualTo(inserted);
  }

  @RepeatedTest(50)
  void bytesArePicked() {
    int a = random.nextInt();
    int b = random.nextInt();
    int selector = random.nextInt();
    int expected = 0;
    for (int i = 0; i < 4; i++) {
      int which = (selector >>> (4 * i)) & 7;
      int value = (which < 4 ? a >>> (8 * which) : b >>> (8 * (which - 4))) & 0xff;
      if (bit(selector, 4 * i + 3)) {
        value = bit(value, 7) ? 0xff : 0;
      }
      expected |= value << (8 * i);
    }
    assertThat(Ptx.prmt(a, b, selector)).isEqualTo(expected);
  }

  @Test
  void anyLogicalFunctionIsOneInstruction() {
    int a = random.nextInt();
    int b = random.nextInt();
    int c = random.nextInt();
    assertThat(Ptx.lop3(a, b, c, (0xf0 & 0xcc) ^ 0xaa)).isEqualTo((a & b) ^ c);
    assertThat(Ptx.lop3(a, b, c, (0xf0 | 0xcc) & ~0xaa & 0xff)).isEqualTo((a | b) & ~c);
    assertThat(Ptx.lop3(a, b, c, 0xff)).isEqualTo(-1);
    assertThat(Ptx.lop3(a, b, c, 0)).isZero();
  }

  @RepeatedTest(50)
  void twoWordsAreShiftedAsOne() {
    int low = random.nextInt();
    int high = random.nextInt();
    int by = any();
    int n = by & 31;
    assertThat(Ptx.shfLWrap(low, high, by))
        .isEqualTo(n == 0 ? high : (high << n) | (low >>> (32 - n)));
    assertThat(Ptx.shfRWrap(low, high, by))
        .isEqualTo(n == 0 ? low : (high << (32 - n)) | (low >>> n));
  }

  @Test
  void bytesAreMultipliedAndAdded() {
    assertThat(Ptx.dp4aS32(0x7f80ff01, 0x7f8002fe, 10))
        .isEqualTo(127 * 127 + 128 * 128 + -1 * 2 + 1 * -2 + 10);
    assertThat(Ptx.dp4aU32(0x7f80ff01, 0x7f8002fe, 10))
        .isEqualTo(127 * 127 + 128 * 128 + 255 * 2 + 1 * 254 + 10);
    assertThat(Ptx.mad24LoS32(0xff000003, 0x00fffffe, 100)).isEqualTo(94);
  }

  // --- packed numbers
  // ----------------------------------------------------------------------------------------------------

  private static BigDecimal exact(float value) {
    return new BigDecimal((double) value);
  }

  /** Rounds an exact value by looking at all that the type has. */
  private static short nearest(PackedNumbers type, BigDecimal exact) {
    int sign = exact.signum() < 0 ? 0x8000 : 0;
    BigDecimal magnitude = exact.abs();
    int infinity = type == PackedNumbers.BF16 ? 0x7f80 : 0x7c00;
    int low = 0;
    int high = infinity;
    while (high - low > 1) {
      int middle = (low + high) / 2;
      if (exact(type.toFloat((short) middle)).compareTo(magnitude) <= 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    BigDecimal below = exact(type.toFloat((short) low));
    BigDecimal above =
        high == infinity
            ? below.add(below.subtract(exact(type.toFloat((short) (low - 1)))))
            : exact(type.toFloat((short) high));
    int order = magnitude.subtract(below).compareTo(above.subtract(magnitude));
    int rounded = order < 0 || (order == 0 && low % 2 == 0) ? low : high;
    return (short) (sign | rounded);
  }

  private short finite(PackedNumbers type) {
    while (true) {
      // Near each other half of the time, so that ties and cancellation happen.
      int bits = random.nextBoolean() ? random.nextInt(0x10000) : 0x3f80 + random.nextInt(64);
      short number = (short) bits;
      if (Float.isFinite(type.toFloat(number))) {
        return number;
      }
    }
  }

  private static int pair(short lower, short upper) {
    return upper << 16 | Short.toUnsignedInt(lower);
  }

  private static void check(PackedNumbers type, short actual, BigDecimal exact) {
    short expected = nearest(type, exact);
    if (exact.signum() == 0) {
      assertThat(type.toFloat(actual)).isZero();
    } else {
      assertThat(actual).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @EnumSource(PackedNumbers.class)
  void packedNumbersAreRoundedOnce(PackedNumbers type) {
    for (int i = 0; i < 20_000; i++) {
      short a = finite(type);
      short b = finite(type);
      short c = finite(type);
      BigDecimal x = exact(type.toFloat(a));
      BigDecimal y = exact(type.toFloat(b));
      BigDecimal z = exact(type.toFloat(c));
      int ab = pair(a, b);
      int bc = pair(b, c);
      int ca = pair(c, a);
      boolean bf16 = type == PackedNumbers.BF16;
      int sum = bf16 ? Ptx.addRnBf16x2(ab, bc) : Ptx.addRnF16x2(ab, bc);
      check(type, (short) sum, x.add(y));
      check(type, (short) (sum >> 16), y.add(z));
      int product = bf16 ? Ptx.mulRnBf16x2(ab, bc) : Ptx.mulRnF16x2(ab, bc);
      check(type, (short) product, x.multiply(y));
      int fused = bf16 ? Ptx.fmaRnBf16x2(ab, bc, ca) : Ptx.fmaRnF16x2(ab, bc, ca);
      check(type, (short) fused, x.multiply(y).add(z));
      check(type, (short) (fused >> 16), y.multiply(z).add(x));
    }
  }

  @Test
  void aTieThatIsNoneIsNotRoundedAsOne() {
    // The square of 1 + 2^-4 lies in the middle of two bfloat16 numbers; what lies 2^-100 beside it
    // no double can tell from it.
    short root = Bfloat.of(1.0625f);
    float[] beside = {0, 0x1p-100f, -0x1p-100f};
    float[] expected = {1.125f, 1.1328125f, 1.125f};
    for (int i = 0; i < beside.length; i++) {
      short little = Bfloat.of(beside[i]);
      int sum = Ptx.fmaRnBf16x2(pair(root, root), pair(root, root), pair(little, little));
      assertThat(Bfloat.toFloat((short) sum)).isEqualTo(expected[i]);
    }
  }

  @Test
  void numbersThatAreNoneLoseAgainstNumbers() {
    int nan = 0x7fc07e00;
    for (IntBinaryOperator max :
        new IntBinaryOperator[] {Ptx::maxBf16x2, Ptx::minBf16x2, Ptx::maxF16x2, Ptx::minF16x2}) {
      assertThat(max.applyAsInt(0x7fff7fff, 0x3f803c00)).isEqualTo(0x3f803c00);
      assertThat(max.applyAsInt(0x3f803c00, 0x7fff7fff)).isEqualTo(0x3f803c00);
      assertThat(max.applyAsInt(0x7fff7fff, 0xffffffff)).isEqualTo(0x7fff7fff);
    }
    assertThat(Ptx.maxF16x2(0x00008000, 0x80000000)).isZero();
    assertThat(Ptx.minF16x2(0x00008000, 0x80000000)).isEqualTo(0x80008000);
    assertThat(Ptx.addRnBf16x2(nan, nan) >>> 16).isEqualTo(0x7fff);
  }

  @Test
  void floatsArePacked() {
    assertThat(Ptx.cvtRnBf16x2F32(1, -2)).isEqualTo(0x3f80c000);
    assertThat(Ptx.cvtRnF16x2F32(1, 65520)).isEqualTo(0x3c007c00);
    assertThat(Ptx.cvtRnF16x2F32(Float.NaN, 0x1p-24f)).isEqualTo(0x7fff0001);
    assertThat(Ptx.cvtRnaTf32F32(1 + 0x1p-11f)).isEqualTo(0x3f802000);
    assertThat(Ptx.cvtRnaTf32F32(-(1 + 0x1p-11f))).isEqualTo(0xbf802000);
    assertThat(Ptx.cvtRnaTf32F32(1 + 0x1p-12f)).isEqualTo(0x3f800000);
  }

  // --- barriers and memory
  // -------------------------------------------------------------------------------------------

  private static void handOver(ThreadBlock block, GlobalInts out) {
    SharedInts box = block.sharedInts(32);
    int lane = block.threadRank() % 32;
    boolean producer = block.threadRank() < 32;
    for (int turn = 0; turn < 5; turn++) {
      if (producer) {
        if (turn > 0) {
          Ptx.barSync(2, 64);
        }
        box.set(lane, turn * 100 + lane);
        Ptx.barArrive(1, 64);
      } else {
        Ptx.barSync(1, 64);
        out.set(32 * turn + lane, box.get(31 - lane));
        if (turn < 4) {
          Ptx.barArrive(2, 64);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 3})
  void numberedBarriersHandOver(long seed) {
    TwinRun run = TwinRun.seeded(seed).grid(3, 64);
    GlobalInts out = run.ints(160);
    run.launch(PtxTest::handOver, out);
    for (int turn = 0; turn < 5; turn++) {
      for (int lane = 0; lane < 32; lane++) {
        assertThat(out.get(32 * turn + lane)).isEqualTo(turn * 100 + 31 - lane);
      }
    }
  }

  private static void odd(ThreadBlock block) {
    Ptx.barSync(1, 33);
  }

  private static void sixteen(ThreadBlock block) {
    Ptx.barSync(16);
  }

  @Test
  void aBarrierIsForWholeWarps() {
    assertThatThrownBy(() -> TwinRun.byRank().launch(PtxTest::odd))
        .hasMessageContaining("a barrier of 33 threads: has to be a multiple of 32");
    assertThatThrownBy(() -> TwinRun.byRank().launch(PtxTest::sixteen))
        .hasMessageContaining("barrier 16: a block has 0 to 15");
  }

  private static void cached(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    long i = block.globalIndexX();
    Ptx.prefetchGlobalL2(in, i);
    Ptx.stGlobalCs(out, i, Ptx.ldGlobalNc(in, i) + Ptx.ldGlobalCs(in, i) + Ptx.ldGlobalCg(in, i));
    Ptx.fenceAcqRel(Scope.DEVICE);
    Ptx.fenceSc(Scope.SYSTEM);
  }

  @Test
  void cacheHintsChangeNoValue() {
    TwinRun run = TwinRun.byRank().grid(2, 8);
    GlobalFloats in = run.floats(16);
    GlobalFloats out = run.floats(16);
    for (int i = 0; i < 16; i++) {
      in.set(i, i);
    }
    run.launch(PtxTest::cached, in, out);
    assertThat(out.get(15)).isEqualTo(45);
  }
}
