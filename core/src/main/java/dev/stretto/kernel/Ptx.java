// Generated from tools/families/Ptx.template by tools/Families.java. Do not edit.
package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.kernel.machine.PackedBytes;
import dev.stretto.kernel.machine.PackedNumbers;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import java.lang.invoke.VarHandle;

/**
 * PTX instructions without an equivalent in Java: one method each, named after the instruction,
 * with its operands in its order. The PTX ISA defines what they do; on a virtual device the Java
 * body does the same. Everything else in Stretto is easier to use; use these if it is not enough.
 *
 * <p>If a 32-bit {@code int} holds two packed 16-bit numbers, the first one is in the lower half. A
 * method that takes local arrays takes, after each array, the index at which its operand begins.
 */
public final class Ptx {
  private Ptx() {}

  // --- bits
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@code prmt.b32}: picks four bytes.
   *
   * @param a bytes 0 to 3
   * @param b bytes 4 to 7
   * @param selector four digits of 4 bits, lowest byte first: the number of a byte, plus 8 to
   *     repeat its sign instead
   * @return the four bytes
   */
  @Instruction(value = "prmt.b32 $r, $0, $1, $2;", pure = true)
  public static int prmt(int a, int b, int selector) {
    return PtxBits.permute(a, b, selector);
  }

  /**
   * {@code lop3.b32}: any logical function of three operands.
   *
   * @param a first operand
   * @param b second operand
   * @param c third operand
   * @param table the result of the function for {@code 0xf0}, {@code 0xcc} and {@code 0xaa}
   * @return the function of the operands, bit by bit
   */
  @Instruction(value = "lop3.b32 $r, $0, $1, $2, $3;", pure = true)
  public static int lop3(int a, int b, int c, @Const int table) {
    return PtxBits.logic(a, b, c, table);
  }

  /**
   * {@code shf.l.wrap.b32}: the upper half of 64 bits shifted left.
   *
   * @param low the lower half
   * @param high the upper half
   * @param bits how far, modulo 32
   * @return the upper half
   */
  @Instruction(value = "shf.l.wrap.b32 $r, $0, $1, $2;", pure = true)
  public static int shfLWrap(int low, int high, int bits) {
    return (int) (PtxBits.join(low, high) << (bits & 31) >>> 32);
  }

  /**
   * {@code shf.r.wrap.b32}: the lower half of 64 bits shifted right.
   *
   * @param low the lower half
   * @param high the upper half
   * @param bits how far, modulo 32
   * @return the lower half
   */
  @Instruction(value = "shf.r.wrap.b32 $r, $0, $1, $2;", pure = true)
  public static int shfRWrap(int low, int high, int bits) {
    return (int) (PtxBits.join(low, high) >>> (bits & 31));
  }

  /**
   * {@code bfe.u32}: extracts a field of bits.
   *
   * @param value contains the field
   * @param position its lowest bit, 0 to 255
   * @param length how many bits, 0 to 255
   * @return the field
   */
  @Instruction(value = "bfe.u32 $r, $0, $1, $2;", pure = true)
  public static int bfeU32(int value, int position, int length) {
    return PtxBits.extract(value, position, length, false);
  }

  /**
   * {@code bfe.s32}: extracts a field of bits, extended with its sign.
   *
   * @param value contains the field
   * @param position its lowest bit, 0 to 255
   * @param length how many bits, 0 to 255
   * @return the field
   */
  @Instruction(value = "bfe.s32 $r, $0, $1, $2;", pure = true)
  public static int bfeS32(int value, int position, int length) {
    return PtxBits.extract(value, position, length, true);
  }

  /**
   * {@code bfi.b32}: inserts a field of bits.
   *
   * @param field the bits to insert, in the lowest places
   * @param value the value to insert them into
   * @param position the lowest bit, 0 to 255
   * @param length how many bits, 0 to 255
   * @return the value with the field
   */
  @Instruction(value = "bfi.b32 $r, $0, $1, $2, $3;", pure = true)
  public static int bfi(int field, int value, int position, int length) {
    return PtxBits.insert(field, value, position, length);
  }

  // --- integers
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@code dp4a.s32.s32}: the dot product of four signed bytes each, added.
   *
   * @param a four signed bytes
   * @param b four signed bytes
   * @param c the summand
   * @return the sum, which wraps around
   */
  @Instruction(value = "dp4a.s32.s32 $r, $0, $1, $2;", pure = true)
  public static int dp4aS32(int a, int b, int c) {
    return PtxBits.dot(a, b, c, true);
  }

  /**
   * {@code dp4a.u32.u32}: the dot product of four unsigned bytes each, added.
   *
   * @param a four unsigned bytes
   * @param b four unsigned bytes
   * @param c the summand
   * @return the sum, which wraps around
   */
  @Instruction(value = "dp4a.u32.u32 $r, $0, $1, $2;", pure = true)
  public static int dp4aU32(int a, int b, int c) {
    return PtxBits.dot(a, b, c, false);
  }

  /**
   * {@code mad24.lo.s32}: the product of two signed 24-bit numbers, added.
   *
   * @param a the lower 24 bits count
   * @param b the lower 24 bits count
   * @param c the summand
   * @return the lower 32 bits of the sum
   */
  @Instruction(value = "mad24.lo.s32 $r, $0, $1, $2;", pure = true)
  public static int mad24LoS32(int a, int b, int c) {
    return (a << 8 >> 8) * (b << 8 >> 8) + c;
  }

  // --- packed numbers
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@code cvt.rn.bf16x2.f32}: two bfloat16 numbers from floats.
   *
   * @param upper becomes the upper half, rounded to the nearest, ties to even
   * @param lower becomes the lower half, likewise
   * @return both
   */
  @Instruction(
      value = "cvt.rn.bf16x2.f32 $r, $0, $1;",
      pure = true,
      sm = 80,
      on75 = Turing.PAIR_OF_BF16)
  public static int cvtRnBf16x2F32(float upper, float lower) {
    return PackedNumbers.BF16.pack(lower, upper);
  }

  /**
   * {@code fma.rn.bf16x2}: {@code a * b + c}, rounded once, for each half.
   *
   * @param a two numbers
   * @param b two numbers
   * @param c two numbers
   * @return two numbers
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 x, y, z;",
        "mov.b32 x, $0;",
        "mov.b32 y, $1;",
        "mov.b32 z, $2;",
        "fma.rn.bf16x2 $r, x, y, z;",
        "}"
      },
      sm = 80,
      pure = true)
  public static int fmaRnBf16x2(int a, int b, int c) {
    return PackedNumbers.BF16.fma(a, b, c);
  }

  /**
   * {@code add.rn.bf16x2}: the sum of each half. Uses {@code fma.rn.bf16x2}, which gives the same
   * result and does not need compute capability 9.0.
   *
   * @param a two numbers
   * @param b two numbers
   * @return two numbers
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 x, one, y;",
        "mov.b32 x, $0;",
        "mov.b32 one, 0x3F803F80;",
        "mov.b32 y, $1;",
        "fma.rn.bf16x2 $r, x, one, y;",
        "}"
      },
      sm = 80,
      pure = true)
  public static int addRnBf16x2(int a, int b) {
    return PackedNumbers.BF16.add(a, b);
  }

  /**
   * {@code mul.rn.bf16x2}: the product of each half. Uses {@code fma.rn.bf16x2}, which gives the
   * same result and does not need compute capability 9.0.
   *
   * @param a two numbers
   * @param b two numbers
   * @return two numbers
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 x, y, zero;",
        "mov.b32 x, $0;",
        "mov.b32 y, $1;",
        "mov.b32 zero, 0x80008000;",
        "fma.rn.bf16x2 $r, x, y, zero;",
        "}"
      },
      sm = 80,
      pure = true)
  public static int mulRnBf16x2(int a, int b) {
    return PackedNumbers.BF16.multiply(a, b);
  }

  /**
   * {@code max.bf16x2}: the larger one for each half; a NaN loses against a number.
   *
   * @param a two numbers
   * @param b two numbers
   * @return two numbers
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 x, y;",
        "mov.b32 x, $0;",
        "mov.b32 y, $1;",
        "max.bf16x2 $r, x, y;",
        "}"
      },
      sm = 80,
      pure = true)
  public static int maxBf16x2(int a, int b) {
    return PackedNumbers.BF16.max(a, b);
  }

  /**
   * {@code min.bf16x2}: the smaller one for each half; a NaN loses against a number.
   *
   * @param a two numbers
   * @param b two numbers
   * @return two numbers
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 x, y;",
        "mov.b32 x, $0;",
        "mov.b32 y, $1;",
        "min.bf16x2 $r, x, y;",
        "}"
      },
      sm = 80,
      pure = true)
  public static int minBf16x2(int a, int b) {
    return PackedNumbers.BF16.min(a, b);
  }

  /**
   * {@code cvt.rn.f16x2.f32}: two binary16 numbers from floats.
   *
   * @param upper becomes the upper half, rounded to the nearest, ties to even
   * @param lower becomes the lower half, likewise
   * @return both
   */
  @Instruction(
      value = "cvt.rn.f16x2.f32 $r, $0, $1;",
      pure = true,
      sm = 80,
      on75 = Turing.PAIR_OF_F16)
  public static int cvtRnF16x2F32(float upper, float lower) {
    return PackedNumbers.F16.pack(lower, upper);
  }

  /**
   * {@code fma.rn.f16x2}: {@code a * b + c}, rounded once, for each half.
   *
   * @param a two numbers
   * @param b two numbers
   * @param c two numbers
   * @return two numbers
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 x, y, z;",
        "mov.b32 x, $0;",
        "mov.b32 y, $1;",
        "mov.b32 z, $2;",
        "fma.rn.f16x2 $r, x, y, z;",
        "}"
      },
      pure = true)
  public static int fmaRnF16x2(int a, int b, int c) {
    return PackedNumbers.F16.fma(a, b, c);
  }

  /**
   * {@code add.rn.f16x2}: the sum of each half.
   *
   * @param a two numbers
   * @param b two numbers
   * @return two numbers
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 x, y;",
        "mov.b32 x, $0;",
        "mov.b32 y, $1;",
        "add.rn.f16x2 $r, x, y;",
        "}"
      },
      pure = true)
  public static int addRnF16x2(int a, int b) {
    return PackedNumbers.F16.add(a, b);
  }

  /**
   * {@code mul.rn.f16x2}: the product of each half.
   *
   * @param a two numbers
   * @param b two numbers
   * @return two numbers
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 x, y;",
        "mov.b32 x, $0;",
        "mov.b32 y, $1;",
        "mul.rn.f16x2 $r, x, y;",
        "}"
      },
      pure = true)
  public static int mulRnF16x2(int a, int b) {
    return PackedNumbers.F16.multiply(a, b);
  }

  /**
   * {@code max.f16x2}: the larger one for each half; a NaN loses against a number.
   *
   * @param a two numbers
   * @param b two numbers
   * @return two numbers
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 x, y;",
        "mov.b32 x, $0;",
        "mov.b32 y, $1;",
        "max.f16x2 $r, x, y;",
        "}"
      },
      on75 = {
        Turing.HALVES,
        "max.f32 a, a, c;",
        "max.f32 b, b, d;",
        Turing.JOINED_HALVES,
      },
      sm = 80,
      pure = true)
  public static int maxF16x2(int a, int b) {
    return PackedNumbers.F16.max(a, b);
  }

  /**
   * {@code min.f16x2}: the smaller one for each half; a NaN loses against a number.
   *
   * @param a two numbers
   * @param b two numbers
   * @return two numbers
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 x, y;",
        "mov.b32 x, $0;",
        "mov.b32 y, $1;",
        "min.f16x2 $r, x, y;",
        "}"
      },
      on75 = {
        Turing.HALVES,
        "min.f32 a, a, c;",
        "min.f32 b, b, d;",
        Turing.JOINED_HALVES,
      },
      sm = 80,
      pure = true)
  public static int minF16x2(int a, int b) {
    return PackedNumbers.F16.min(a, b);
  }

  /**
   * {@code cvt.rna.tf32.f32}: a float with a fraction of 10 bits.
   *
   * @param value rounded to the nearest, ties away from zero
   * @return its bits, as {@link #mmaM16N8K8Tf32} takes them
   */
  @Instruction(value = "cvt.rna.tf32.f32 $r, $0;", pure = true, sm = 80)
  public static int cvtRnaTf32F32(float value) {
    return PackedNumbers.tf32(value);
  }

  /**
   * {@code cvt.rn.satfinite.e4m3x2.f32}: two E4M3 numbers from floats. What is larger than 448,
   * infinity included, becomes 448 with its sign; a NaN becomes {@code 0x7f}. It needs compute
   * capability 8.9.
   *
   * @param upper becomes bits 8 to 15, rounded to the nearest, ties to even
   * @param lower becomes bits 0 to 7, likewise
   * @return both; bits 16 to 31 are 0
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 pair;",
        "cvt.rn.satfinite.e4m3x2.f32 pair, $0, $1;",
        "cvt.u32.u16 $r, pair;",
        "}"
      },
      pure = true,
      sm = 89)
  public static int cvtRnSatfiniteE4m3x2F32(float upper, float lower) {
    return PackedBytes.E4M3.pair(lower, upper);
  }

  /**
   * {@code cvt.rn.satfinite.e4m3x2.f32}, twice: four E4M3 numbers from floats, by two instructions
   * in all. It needs compute capability 8.9.
   *
   * @param d becomes bits 24 to 31, as in {@link #cvtRnSatfiniteE4m3x2F32(float, float)}
   * @param c becomes bits 16 to 23
   * @param b becomes bits 8 to 15
   * @param a becomes bits 0 to 7
   * @return all four
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 upper, lower;",
        "cvt.rn.satfinite.e4m3x2.f32 upper, $0, $1;",
        "cvt.rn.satfinite.e4m3x2.f32 lower, $2, $3;",
        "mov.b32 $r, {lower, upper};",
        "}"
      },
      pure = true,
      sm = 89)
  public static int cvtRnSatfiniteE4m3x2F32(float d, float c, float b, float a) {
    return PackedBytes.E4M3.pair(c, d) << 16 | PackedBytes.E4M3.pair(a, b);
  }

  /**
   * {@code cvt.rn.f16x2.e4m3x2}: two E4M3 numbers as binary16 numbers, exactly; a NaN becomes
   * {@code 0x7fff}. It needs compute capability 8.9.
   *
   * @param pair the numbers in bits 0 to 7 and 8 to 15; the other bits are ignored
   * @return the first one in the lower half, the second one in the upper half
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 pair;",
        "cvt.u16.u32 pair, $0;",
        "cvt.rn.f16x2.e4m3x2 $r, pair;",
        "}"
      },
      pure = true,
      sm = 89)
  public static int cvtRnF16x2E4m3x2(int pair) {
    return PackedBytes.E4M3.toHalfs(pair);
  }

  /**
   * {@code cvt.rn.satfinite.e5m2x2.f32}: two E5M2 numbers from floats. What is larger than 57,344,
   * infinity included, becomes 57,344 with its sign; a NaN becomes {@code 0x7f}. It needs compute
   * capability 8.9.
   *
   * @param upper becomes bits 8 to 15, rounded to the nearest, ties to even
   * @param lower becomes bits 0 to 7, likewise
   * @return both; bits 16 to 31 are 0
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 pair;",
        "cvt.rn.satfinite.e5m2x2.f32 pair, $0, $1;",
        "cvt.u32.u16 $r, pair;",
        "}"
      },
      pure = true,
      sm = 89)
  public static int cvtRnSatfiniteE5m2x2F32(float upper, float lower) {
    return PackedBytes.E5M2.pair(lower, upper);
  }

  /**
   * {@code cvt.rn.satfinite.e5m2x2.f32}, twice: four E5M2 numbers from floats, by two instructions
   * in all. It needs compute capability 8.9.
   *
   * @param d becomes bits 24 to 31, as in {@link #cvtRnSatfiniteE5m2x2F32(float, float)}
   * @param c becomes bits 16 to 23
   * @param b becomes bits 8 to 15
   * @param a becomes bits 0 to 7
   * @return all four
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 upper, lower;",
        "cvt.rn.satfinite.e5m2x2.f32 upper, $0, $1;",
        "cvt.rn.satfinite.e5m2x2.f32 lower, $2, $3;",
        "mov.b32 $r, {lower, upper};",
        "}"
      },
      pure = true,
      sm = 89)
  public static int cvtRnSatfiniteE5m2x2F32(float d, float c, float b, float a) {
    return PackedBytes.E5M2.pair(c, d) << 16 | PackedBytes.E5M2.pair(a, b);
  }

  /**
   * {@code cvt.rn.f16x2.e5m2x2}: two E5M2 numbers as binary16 numbers, exactly; a NaN becomes
   * {@code 0x7fff}. It needs compute capability 8.9.
   *
   * @param pair the numbers in bits 0 to 7 and 8 to 15; the other bits are ignored
   * @return the first one in the lower half, the second one in the upper half
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 pair;",
        "cvt.u16.u32 pair, $0;",
        "cvt.rn.f16x2.e5m2x2 $r, pair;",
        "}"
      },
      pure = true,
      sm = 89)
  public static int cvtRnF16x2E5m2x2(int pair) {
    return PackedBytes.E5M2.toHalfs(pair);
  }

  // --- floats
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@code ex2.approx.ftz.f32}: 2 to this power, off by 2^-22 of the result; results below {@link
   * Float#MIN_NORMAL} are 0. One instruction on a GPU, where {@link FastMath#exp2} is several.
   *
   * @param x any float
   * @return the power
   */
  @Instruction(value = "ex2.approx.ftz.f32 $r, $0;", pure = true)
  public static float ex2ApproxFtzF32(float x) {
    float power = (float) Math.pow(2, x);
    return power < Float.MIN_NORMAL ? 0 : power;
  }

  // --- matrices
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@code mma.sync.m16n8k16}: a 16x16 matrix times a 16x8 matrix of bfloat16 numbers, added to a
   * 16x8 matrix of floats. All 32 lanes of a warp take part; the PTX ISA defines how a matrix is
   * spread over them.
   *
   * @param d 4 elements: the matrix to add to, and the result
   * @param atD the index of the first of them
   * @param a 4 elements: the left matrix
   * @param atA the index of the first of them
   * @param b 2 elements: the right matrix
   * @param atB the index of the first of them
   */
  @Instruction(
      value =
          "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {$w0.0, $w0.1, $w0.2, $w0.3},"
              + " {$2.0, $2.1, $2.2, $2.3}, {$4.0, $4.1},"
              + " {$0.0, $0.1, $0.2, $0.3};",
      sm = 80,
      convergent = true,
      writes = 0)
  public static void mmaM16N8K16Bf16(
      float[] d, @Offset int atD, int[] a, @Offset int atA, int[] b, @Offset int atB) {
    Fragments.multiply16(
        DeviceThread.current("mmaM16N8K16Bf16"), PackedNumbers.BF16, d, atD, a, atA, b, atB);
  }

  /**
   * {@code mma.sync.m16n8k16}: a 16x16 matrix times a 16x8 matrix of binary16 numbers, added to a
   * 16x8 matrix of floats. All 32 lanes of a warp take part; the PTX ISA defines how a matrix is
   * spread over them.
   *
   * @param d 4 elements: the matrix to add to, and the result
   * @param atD the index of the first of them
   * @param a 4 elements: the left matrix
   * @param atA the index of the first of them
   * @param b 2 elements: the right matrix
   * @param atB the index of the first of them
   */
  @Instruction(
      value =
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$w0.0, $w0.1, $w0.2, $w0.3},"
              + " {$2.0, $2.1, $2.2, $2.3}, {$4.0, $4.1},"
              + " {$0.0, $0.1, $0.2, $0.3};",
      sm = 80,
      on75 = {
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {$w0.0, $w0.1, $w0.2, $w0.3},"
            + " {$2.0, $2.1}, {$4.0}, {$0.0, $0.1, $0.2, $0.3};",
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {$w0.0, $w0.1, $w0.2, $w0.3},"
            + " {$2.2, $2.3}, {$4.1}, {$w0.0, $w0.1, $w0.2, $w0.3};"
      },
      convergent = true,
      writes = 0)
  public static void mmaM16N8K16F16(
      float[] d, @Offset int atD, int[] a, @Offset int atA, int[] b, @Offset int atB) {
    Fragments.multiply16(
        DeviceThread.current("mmaM16N8K16F16"), PackedNumbers.F16, d, atD, a, atA, b, atB);
  }

  /**
   * {@code mma.sync.m16n8k8}: a 16x8 matrix times an 8x8 matrix of floats with a fraction of 10
   * bits, added to a 16x8 matrix of floats. All 32 lanes of a warp take part; the PTX ISA defines
   * how a matrix is spread over them.
   *
   * @param d 4 elements: the matrix to add to, and the result
   * @param atD the index of the first of them
   * @param a 4 elements: the left matrix
   * @param atA the index of the first of them
   * @param b 2 elements: the right matrix
   * @param atB the index of the first of them
   */
  @Instruction(
      value =
          "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {$w0.0, $w0.1, $w0.2, $w0.3},"
              + " {$2.0, $2.1, $2.2, $2.3}, {$4.0, $4.1},"
              + " {$0.0, $0.1, $0.2, $0.3};",
      sm = 80,
      convergent = true,
      writes = 0)
  public static void mmaM16N8K8Tf32(
      float[] d, @Offset int atD, int[] a, @Offset int atA, int[] b, @Offset int atB) {
    Fragments.multiplyTf32(DeviceThread.current("mmaM16N8K8Tf32"), d, atD, a, atA, b, atB);
  }

  /**
   * {@code mma.sync.m16n8k32}: a 16x32 matrix times a 32x8 matrix of signed bytes, added to a 16x8
   * matrix of ints, which wrap around. All 32 lanes of a warp take part; the PTX ISA defines how a
   * matrix is spread over them.
   *
   * @param d 4 elements: the matrix to add to, and the result
   * @param atD the index of the first of them
   * @param a 4 elements: the left matrix
   * @param atA the index of the first of them
   * @param b 2 elements: the right matrix
   * @param atB the index of the first of them
   */
  @Instruction(
      value =
          "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {$w0.0, $w0.1, $w0.2, $w0.3},"
              + " {$2.0, $2.1, $2.2, $2.3}, {$4.0, $4.1},"
              + " {$0.0, $0.1, $0.2, $0.3};",
      sm = 80,
      on75 = {
        "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {$w0.0, $w0.1}, {$2.0}, {$4.0},"
            + " {$0.0, $0.1};",
        "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {$w0.2, $w0.3}, {$2.1}, {$4.0},"
            + " {$0.2, $0.3};",
        "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {$w0.0, $w0.1}, {$2.2}, {$4.1},"
            + " {$w0.0, $w0.1};",
        "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {$w0.2, $w0.3}, {$2.3}, {$4.1},"
            + " {$w0.2, $w0.3};"
      },
      convergent = true,
      writes = 0)
  public static void mmaM16N8K32S8(
      int[] d, @Offset int atD, int[] a, @Offset int atA, int[] b, @Offset int atB) {
    Fragments.multiplyBytes(DeviceThread.current("mmaM16N8K32S8"), d, atD, a, atA, b, atB);
  }

  /**
   * {@code mma.sync.m16n8k32}: a 16x32 matrix times a 32x8 matrix of E4M3 numbers, added to a 16x8
   * matrix of floats. All 32 lanes of a warp take part; the PTX ISA defines how a matrix is spread
   * over them. It needs compute capability 8.9, and on a GPU a driver of CUDA 12.4.
   *
   * @param d 4 elements: the matrix to add to, and the result
   * @param atD the index of the first of them
   * @param a 4 elements: the left matrix
   * @param atA the index of the first of them
   * @param b 2 elements: the right matrix
   * @param atB the index of the first of them
   */
  @Instruction(
      value =
          "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {$w0.0, $w0.1, $w0.2, $w0.3},"
              + " {$2.0, $2.1, $2.2, $2.3}, {$4.0, $4.1},"
              + " {$0.0, $0.1, $0.2, $0.3};",
      sm = 89,
      convergent = true,
      writes = 0)
  public static void mmaM16N8K32E4m3(
      float[] d, @Offset int atD, int[] a, @Offset int atA, int[] b, @Offset int atB) {
    Fragments.multiply8(
        DeviceThread.current("mmaM16N8K32E4m3"), PackedBytes.E4M3, d, atD, a, atA, b, atB);
  }

  /**
   * {@code mma.sync.m16n8k32}: a 16x32 matrix times a 32x8 matrix of E5M2 numbers, added to a 16x8
   * matrix of floats. All 32 lanes of a warp take part; the PTX ISA defines how a matrix is spread
   * over them. It needs compute capability 8.9, and on a GPU a driver of CUDA 12.4.
   *
   * @param d 4 elements: the matrix to add to, and the result
   * @param atD the index of the first of them
   * @param a 4 elements: the left matrix
   * @param atA the index of the first of them
   * @param b 2 elements: the right matrix
   * @param atB the index of the first of them
   */
  @Instruction(
      value =
          "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32 {$w0.0, $w0.1, $w0.2, $w0.3},"
              + " {$2.0, $2.1, $2.2, $2.3}, {$4.0, $4.1},"
              + " {$0.0, $0.1, $0.2, $0.3};",
      sm = 89,
      convergent = true,
      writes = 0)
  public static void mmaM16N8K32E5m2(
      float[] d, @Offset int atD, int[] a, @Offset int atA, int[] b, @Offset int atB) {
    Fragments.multiply8(
        DeviceThread.current("mmaM16N8K32E5m2"), PackedBytes.E5M2, d, atD, a, atA, b, atB);
  }

  /**
   * {@code ldmatrix.x1}: loads an 8x8 matrix of 16-bit elements, spread over the warp like the
   * operands of {@code mma.sync}. All 32 lanes take part; lanes 0 to 7 each give the position of a
   * row, 8 lanes for each matrix.
   *
   * @param d 1 element: a register for each matrix
   * @param atD the index of the first of them
   * @param array holds the rows, each of 16 bytes at a multiple of 16 bytes
   * @param index of the first element of this lane's row
   */
  @Instruction(
      value = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$w0.0}, [$2[3]];",
      convergent = true,
      writes = 0)
  public static void ldmatrixX1(int[] d, @Offset int atD, SharedBytes array, int index) {
    Fragments.load(DeviceThread.current("ldmatrixX1"), 1, false, d, atD, array, index);
  }

  /**
   * {@code ldmatrix.x1}: loads an 8x8 matrix of 16-bit elements, spread over the warp like the
   * operands of {@code mma.sync}. All 32 lanes take part; lanes 0 to 7 each give the position of a
   * row, 8 lanes for each matrix.
   *
   * @param d 1 element: a register for each matrix
   * @param atD the index of the first of them
   * @param array holds the rows, each of 16 bytes at a multiple of 16 bytes
   * @param index of the first element of this lane's row
   */
  @Instruction(
      value = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$w0.0}, [$2[3]];",
      convergent = true,
      writes = 0)
  public static void ldmatrixX1(int[] d, @Offset int atD, SharedHalfs array, int index) {
    Fragments.load(DeviceThread.current("ldmatrixX1"), 1, false, d, atD, array, index);
  }

  /**
   * {@code ldmatrix.x1}: loads an 8x8 matrix of 16-bit elements, spread over the warp like the
   * operands of {@code mma.sync}. All 32 lanes take part; lanes 0 to 7 each give the position of a
   * row, 8 lanes for each matrix.
   *
   * @param d 1 element: a register for each matrix
   * @param atD the index of the first of them
   * @param array holds the rows, each of 16 bytes at a multiple of 16 bytes
   * @param index of the first element of this lane's row
   */
  @Instruction(
      value = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$w0.0}, [$2[3]];",
      convergent = true,
      writes = 0)
  public static void ldmatrixX1(int[] d, @Offset int atD, SharedBfloats array, int index) {
    Fragments.load(DeviceThread.current("ldmatrixX1"), 1, false, d, atD, array, index);
  }

  /**
   * {@code ldmatrix.x1.trans}: loads an 8x8 matrix of 16-bit elements, transposed, spread over the
   * warp like the operands of {@code mma.sync}. All 32 lanes take part; lanes 0 to 7 each give the
   * position of a row, 8 lanes for each matrix.
   *
   * @param d 1 element: a register for each matrix
   * @param atD the index of the first of them
   * @param array holds the rows, each of 16 bytes at a multiple of 16 bytes
   * @param index of the first element of this lane's row
   */
  @Instruction(
      value = "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {$w0.0}, [$2[3]];",
      convergent = true,
      writes = 0)
  public static void ldmatrixX1Trans(int[] d, @Offset int atD, SharedBytes array, int index) {
    Fragments.load(DeviceThread.current("ldmatrixX1Trans"), 1, true, d, atD, array, index);
  }

  /**
   * {@code ldmatrix.x1.trans}: loads an 8x8 matrix of 16-bit elements, transposed, spread over the
   * warp like the operands of {@code mma.sync}. All 32 lanes take part; lanes 0 to 7 each give the
   * position of a row, 8 lanes for each matrix.
   *
   * @param d 1 element: a register for each matrix
   * @param atD the index of the first of them
   * @param array holds the rows, each of 16 bytes at a multiple of 16 bytes
   * @param index of the first element of this lane's row
   */
  @Instruction(
      value = "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {$w0.0}, [$2[3]];",
      convergent = true,
      writes = 0)
  public static void ldmatrixX1Trans(int[] d, @Offset int atD, SharedHalfs array, int index) {
    Fragments.load(DeviceThread.current("ldmatrixX1Trans"), 1, true, d, atD, array, index);
  }

  /**
   * {@code ldmatrix.x1.trans}: loads an 8x8 matrix of 16-bit elements, transposed, spread over the
   * warp like the operands of {@code mma.sync}. All 32 lanes take part; lanes 0 to 7 each give the
   * position of a row, 8 lanes for each matrix.
   *
   * @param d 1 element: a register for each matrix
   * @param atD the index of the first of them
   * @param array holds the rows, each of 16 bytes at a multiple of 16 bytes
   * @param index of the first element of this lane's row
   */
  @Instruction(
      value = "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {$w0.0}, [$2[3]];",
      convergent = true,
      writes = 0)
  public static void ldmatrixX1Trans(int[] d, @Offset int atD, SharedBfloats array, int index) {
    Fragments.load(DeviceThread.current("ldmatrixX1Trans"), 1, true, d, atD, array, index);
  }

  /**
   * {@code ldmatrix.x2}: loads 2 8x8 matrices of 16-bit elements, spread over the warp like the
   * operands of {@code mma.sync}. All 32 lanes take part; lanes 0 to 15 each give the position of a
   * row, 8 lanes for each matrix.
   *
   * @param d 2 elements: a register for each matrix
   * @param atD the index of the first of them
   * @param array holds the rows, each of 16 bytes at a multiple of 16 bytes
   * @param index of the first element of this lane's row
   */
  @Instruction(
      value = "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {$w0.0, $w0.1}, [$2[3]];",
      convergent = true,
      writes = 0)
  public static void ldmatrixX2(int[] d, @Offset int atD, SharedBytes array, int index) {
    Fragments.load(DeviceThread.current("ldmatrixX2"), 2, false, d, atD, array, index);
  }

  /**
   * {@code ldmatrix.x2}: loads 2 8x8 matrices of 16-bit elements, spread over the warp like the
   * operands of {@code mma.sync}. All 32 lanes take part; lanes 0 to 15 each give the position of a
   * row, 8 lanes for each matrix.
   *
   * @param d 2 elements: a register for each matrix
   * @param atD the index of the first of them
   * @param array holds the rows, each of 16 bytes at a multiple of 16 bytes
   * @param index of the first element of this lane's row
   */
  @Instruction(
      value = "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {$w0.0, $w0.1}, [$2[3]];",
      convergent = true,
      writes = 0)
  public static void ldmatrixX2(int[] d, @Offset int atD, SharedHalfs array, int index) {
    Fragments.load(DeviceThread.current("ldmatrixX2"), 2, false, d, atD, array, index);
  }

  /**
   * {@code ldmatrix.x2}: loads 2 8x8 matrices of 16-bit elements, spread over the warp like the
   * operands of {@code mma.sync}. All 32 lanes take part; lanes 0 to 15 each give the position of a
   * row, 8 lanes for each matrix.
   *
   * @param d 2 elements: a register for each matrix
   * @param atD the index of the first of them
   * @param array holds the rows, each of 16 bytes at a multiple of 16 bytes
   * @param index of the first element of this lane's row
   */
  @Instruction(
      value = "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {$w0.0, $w0.1}, [$2[3]];",
      convergent = true,
      writes = 0)
  public static void ldmatrixX2(int[] d, @Offset int atD, SharedBfloats array, int index) {
    Fragments.load(DeviceThread.current("ldmatrixX2"), 2, false, d, atD, array, index);
  }

  /**
   * {@code ldmatrix.x2.trans}: loads 2 8x8 matrices of 16-bit elements, transposed, spread over the
   * warp like the operands of {@code mma.sync}. All 32 lanes take part; lanes 0 to 15 each give the
   * position of a row, 8 lanes for each matrix.
   *
   * @param d 2 elements: a register for each matrix
   * @param atD the index of the first of them
   * @param array holds the rows, each of 16 bytes at a multiple of 16 bytes
   * @param index of the first element of this lane's row
   */
  @Instruction(
      value = "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {$w0.0, $w0.1}, [$2[3]];",
      convergent = true,
      writes = 0)
  public static void ldmatrixX2Trans(int[] d, @Offset int atD, SharedBytes array, int index) {
    Fragments.load(DeviceThread.current("ldmatrixX2Trans"), 2, true, d, atD, array, index);
  }

  /**
   * {@code ldmatrix.x2.trans}: loads 2 8x8 matrices of 16-bit elements, transposed, spread over the
   * warp like the operands of {@code mma.sync}. All 32 lanes take part; lanes 0 to 15 each give the
   * position of a row, 8 lanes for each matrix.
   *
   * @param d 2 elements: a register for each matrix
   * @param atD the index of the first of them
   * @param array holds the rows, each of 16 bytes at a multiple of 16 bytes
   * @param index of the first element of this lane's row
   */
  @Instruction(
      value = "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {$w0.0, $w0.1}, [$2[3]];",
      convergent = true,
      writes = 0)
  public static void ldmatrixX2Trans(int[] d, @Offset int atD, SharedHalfs array, int index) {
    Fragments.load(DeviceThread.current("ldmatrixX2Trans"), 2, true, d, atD, array, index);
  }

  /**
   * {@code ldmatrix.x2.trans}: loads 2 8x8 matrices of 16-bit elements, transposed, spread over the
   * warp like the operands of {@code mma.sync}. All 32 lanes take part; lanes 0 to 15 each give the
   * position of a row, 8 lanes for each matrix.
   *
   * @param d 2 elements: a register for each matrix
   * @param atD the index of the first of them
   * @param array holds the rows, each of 16 bytes at a multiple of 16 bytes
   * @param index of the first element of this lane's row
   */
  @Instruction(
      value = "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {$w0.0, $w0.1}, [$2[3]];",
      convergent = true,
      writes = 0)
  public static void ldmatrixX2Trans(int[] d, @Offset int atD, SharedBfloats array, int index) {
    Fragments.load(DeviceThread.current("ldmatrixX2Trans"), 2, true, d, atD, array, index);
  }

  /**
   * {@code ldmatrix.x4}: loads 4 8x8 matrices of 16-bit elements, spread over the warp like the
   * operands of {@code mma.sync}. All 32 lanes take part; all lanes each give the position of a
   * row, 8 lanes for each matrix.
   *
   * @param d 4 elements: a register for each matrix
   * @param atD the index of the first of them
   * @param array holds the rows, each of 16 bytes at a multiple of 16 bytes
   * @param index of the first element of this lane's row
   */
  @Instruction(
      value = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$w0.0, $w0.1, $w0.2, $w0.3}, [$2[3]];",
      convergent = true,
      writes = 0)
  public static void ldmatrixX4(int[] d, @Offset int atD, SharedBytes array, int index) {
    Fragments.load(DeviceThread.current("ldmatrixX4"), 4, false, d, atD, array, index);
  }

  /**
   * {@code ldmatrix.x4}: loads 4 8x8 matrices of 16-bit elements, spread over the warp like the
   * operands of {@code mma.sync}. All 32 lanes take part; all lanes each give the position of a
   * row, 8 lanes for each matrix.
   *
   * @param d 4 elements: a register for each matrix
   * @param atD the index of the first of them
   * @param array holds the rows, each of 16 bytes at a multiple of 16 bytes
   * @param index of the first element of this lane's row
   */
  @Instruction(
      value = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$w0.0, $w0.1, $w0.2, $w0.3}, [$2[3]];",
      convergent = true,
      writes = 0)
  public static void ldmatrixX4(int[] d, @Offset int atD, SharedHalfs array, int index) {
    Fragments.load(DeviceThread.current("ldmatrixX4"), 4, false, d, atD, array, index);
  }

  /**
   * {@code ldmatrix.x4}: loads 4 8x8 matrices of 16-bit elements, spread over the warp like the
   * operands of {@code mma.sync}. All 32 lanes take part; all lanes each give the position of a
   * row, 8 lanes for each matrix.
   *
   * @param d 4 elements: a register for each matrix
   * @param atD the index of the first of them
   * @param array holds the rows, each of 16 bytes at a multiple of 16 bytes
   * @param index of the first element of this lane's row
   */
  @Instruction(
      value = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$w0.0, $w0.1, $w0.2, $w0.3}, [$2[3]];",
      convergent = true,
      writes = 0)
  public static void ldmatrixX4(int[] d, @Offset int atD, SharedBfloats array, int index) {
    Fragments.load(DeviceThread.current("ldmatrixX4"), 4, false, d, atD, array, index);
  }

  /**
   * {@code ldmatrix.x4.trans}: loads 4 8x8 matrices of 16-bit elements, transposed, spread over the
   * warp like the operands of {@code mma.sync}. All 32 lanes take part; all lanes each give the
   * position of a row, 8 lanes for each matrix.
   *
   * @param d 4 elements: a register for each matrix
   * @param atD the index of the first of them
   * @param array holds the rows, each of 16 bytes at a multiple of 16 bytes
   * @param index of the first element of this lane's row
   */
  @Instruction(
      value =
          "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {$w0.0, $w0.1, $w0.2, $w0.3}, [$2[3]];",
      convergent = true,
      writes = 0)
  public static void ldmatrixX4Trans(int[] d, @Offset int atD, SharedBytes array, int index) {
    Fragments.load(DeviceThread.current("ldmatrixX4Trans"), 4, true, d, atD, array, index);
  }

  /**
   * {@code ldmatrix.x4.trans}: loads 4 8x8 matrices of 16-bit elements, transposed, spread over the
   * warp like the operands of {@code mma.sync}. All 32 lanes take part; all lanes each give the
   * position of a row, 8 lanes for each matrix.
   *
   * @param d 4 elements: a register for each matrix
   * @param atD the index of the first of them
   * @param array holds the rows, each of 16 bytes at a multiple of 16 bytes
   * @param index of the first element of this lane's row
   */
  @Instruction(
      value =
          "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {$w0.0, $w0.1, $w0.2, $w0.3}, [$2[3]];",
      convergent = true,
      writes = 0)
  public static void ldmatrixX4Trans(int[] d, @Offset int atD, SharedHalfs array, int index) {
    Fragments.load(DeviceThread.current("ldmatrixX4Trans"), 4, true, d, atD, array, index);
  }

  /**
   * {@code ldmatrix.x4.trans}: loads 4 8x8 matrices of 16-bit elements, transposed, spread over the
   * warp like the operands of {@code mma.sync}. All 32 lanes take part; all lanes each give the
   * position of a row, 8 lanes for each matrix.
   *
   * @param d 4 elements: a register for each matrix
   * @param atD the index of the first of them
   * @param array holds the rows, each of 16 bytes at a multiple of 16 bytes
   * @param index of the first element of this lane's row
   */
  @Instruction(
      value =
          "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {$w0.0, $w0.1, $w0.2, $w0.3}, [$2[3]];",
      convergent = true,
      writes = 0)
  public static void ldmatrixX4Trans(int[] d, @Offset int atD, SharedBfloats array, int index) {
    Fragments.load(DeviceThread.current("ldmatrixX4Trans"), 4, true, d, atD, array, index);
  }

  /**
   * {@code stmatrix.x1}: stores one 8x8 matrix of 16-bit elements from where the results of matrix
   * products are: register {@code i} of lane {@code l} has elements {@code l % 4 * 2} and the next
   * of row {@code l / 4} of matrix {@code i}. All 32 lanes take part; lanes {@code 8 * i} to {@code
   * 8 * i + 7} give the positions of the rows of matrix {@code i}. It needs compute capability 9.0.
   *
   * @param array receives the rows, each of 16 bytes at a multiple of 16 bytes
   * @param atByte where this lane's row begins, in bytes
   * @param s 1 element: a register for each matrix
   * @param atS the index of the first of them
   */
  @Instruction(
      value = "stmatrix.sync.aligned.m8n8.x1.shared.b16 [$0[1]], {$2.0};",
      convergent = true,
      sm = 90)
  public static void stmatrixX1(SharedArray array, int atByte, int[] s, @Offset int atS) {
    Fragments.store(DeviceThread.current("stmatrixX1"), 1, false, array, atByte, s, atS);
  }

  /**
   * {@code stmatrix.x1.trans}: stores one 8x8 matrix of 16-bit elements from where the results of
   * matrix products are, transposed: register {@code i} of lane {@code l} has elements {@code l % 4
   * * 2} and the next of column {@code l / 4} of matrix {@code i}. All 32 lanes take part; lanes
   * {@code 8 * i} to {@code 8 * i + 7} give the positions of the rows of matrix {@code i}. It needs
   * compute capability 9.0.
   *
   * @param array receives the rows, each of 16 bytes at a multiple of 16 bytes
   * @param atByte where this lane's row begins, in bytes
   * @param s 1 element: a register for each matrix
   * @param atS the index of the first of them
   */
  @Instruction(
      value = "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [$0[1]], {$2.0};",
      convergent = true,
      sm = 90)
  public static void stmatrixX1Trans(SharedArray array, int atByte, int[] s, @Offset int atS) {
    Fragments.store(DeviceThread.current("stmatrixX1Trans"), 1, true, array, atByte, s, atS);
  }

  /**
   * {@code stmatrix.x2}: stores two 8x8 matrices of 16-bit elements from where the results of
   * matrix products are: register {@code i} of lane {@code l} has elements {@code l % 4 * 2} and
   * the next of row {@code l / 4} of matrix {@code i}. All 32 lanes take part; lanes {@code 8 * i}
   * to {@code 8 * i + 7} give the positions of the rows of matrix {@code i}. It needs compute
   * capability 9.0.
   *
   * @param array receives the rows, each of 16 bytes at a multiple of 16 bytes
   * @param atByte where this lane's row begins, in bytes
   * @param s 2 elements: a register for each matrix
   * @param atS the index of the first of them
   */
  @Instruction(
      value = "stmatrix.sync.aligned.m8n8.x2.shared.b16 [$0[1]], {$2.0, $2.1};",
      convergent = true,
      sm = 90)
  public static void stmatrixX2(SharedArray array, int atByte, int[] s, @Offset int atS) {
    Fragments.store(DeviceThread.current("stmatrixX2"), 2, false, array, atByte, s, atS);
  }

  /**
   * {@code stmatrix.x2.trans}: stores two 8x8 matrices of 16-bit elements from where the results of
   * matrix products are, transposed: register {@code i} of lane {@code l} has elements {@code l % 4
   * * 2} and the next of column {@code l / 4} of matrix {@code i}. All 32 lanes take part; lanes
   * {@code 8 * i} to {@code 8 * i + 7} give the positions of the rows of matrix {@code i}. It needs
   * compute capability 9.0.
   *
   * @param array receives the rows, each of 16 bytes at a multiple of 16 bytes
   * @param atByte where this lane's row begins, in bytes
   * @param s 2 elements: a register for each matrix
   * @param atS the index of the first of them
   */
  @Instruction(
      value = "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [$0[1]], {$2.0, $2.1};",
      convergent = true,
      sm = 90)
  public static void stmatrixX2Trans(SharedArray array, int atByte, int[] s, @Offset int atS) {
    Fragments.store(DeviceThread.current("stmatrixX2Trans"), 2, true, array, atByte, s, atS);
  }

  /**
   * {@code stmatrix.x4}: stores four 8x8 matrices of 16-bit elements from where the results of
   * matrix products are: register {@code i} of lane {@code l} has elements {@code l % 4 * 2} and
   * the next of row {@code l / 4} of matrix {@code i}. All 32 lanes take part; lanes {@code 8 * i}
   * to {@code 8 * i + 7} give the positions of the rows of matrix {@code i}. It needs compute
   * capability 9.0.
   *
   * @param array receives the rows, each of 16 bytes at a multiple of 16 bytes
   * @param atByte where this lane's row begins, in bytes
   * @param s 4 elements: a register for each matrix
   * @param atS the index of the first of them
   */
  @Instruction(
      value = "stmatrix.sync.aligned.m8n8.x4.shared.b16 [$0[1]], {$2.0, $2.1, $2.2, $2.3};",
      convergent = true,
      sm = 90)
  public static void stmatrixX4(SharedArray array, int atByte, int[] s, @Offset int atS) {
    Fragments.store(DeviceThread.current("stmatrixX4"), 4, false, array, atByte, s, atS);
  }

  /**
   * {@code stmatrix.x4.trans}: stores four 8x8 matrices of 16-bit elements from where the results
   * of matrix products are, transposed: register {@code i} of lane {@code l} has elements {@code l
   * % 4 * 2} and the next of column {@code l / 4} of matrix {@code i}. All 32 lanes take part;
   * lanes {@code 8 * i} to {@code 8 * i + 7} give the positions of the rows of matrix {@code i}. It
   * needs compute capability 9.0.
   *
   * @param array receives the rows, each of 16 bytes at a multiple of 16 bytes
   * @param atByte where this lane's row begins, in bytes
   * @param s 4 elements: a register for each matrix
   * @param atS the index of the first of them
   */
  @Instruction(
      value = "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [$0[1]], {$2.0, $2.1, $2.2, $2.3};",
      convergent = true,
      sm = 90)
  public static void stmatrixX4Trans(SharedArray array, int atByte, int[] s, @Offset int atS) {
    Fragments.store(DeviceThread.current("stmatrixX4Trans"), 4, true, array, atByte, s, atS);
  }

  // --- order
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@code bar.sync} of a numbered barrier: waits until every thread of the block that has not
   * returned has arrived.
   *
   * @param barrier 0 to 15; 0 is that of {@link ThreadBlock#sync()}
   */
  @Instruction(value = "bar.sync $0;", convergent = true)
  public static void barSync(int barrier) {
    DeviceThread.current("barSync").barriers().sync(barrier, 0);
  }

  /**
   * {@code bar.sync} of a numbered barrier: waits until a number of threads have arrived.
   *
   * @param barrier 0 to 15
   * @param threads how many, a multiple of 32, including those that only {@link #barArrive arrive}
   */
  @Instruction(value = "bar.sync $0, $1;", convergent = true)
  public static void barSync(int barrier, int threads) {
    DeviceThread.current("barSync").barriers().sync(barrier, PtxBits.wholeWarps(threads));
  }

  /**
   * {@code bar.arrive} at a numbered barrier: does not wait.
   *
   * @param barrier 0 to 15
   * @param threads how many are expected, a multiple of 32, including this one
   */
  @Instruction(value = "bar.arrive $0, $1;", convergent = true)
  public static void barArrive(int barrier, int threads) {
    DeviceThread.current("barArrive").barriers().arrive(barrier, PtxBits.wholeWarps(threads));
  }

  /**
   * {@code fence.acq_rel}: like {@link Atomics#fence(Scope)}.
   *
   * @param scope the threads that it applies to
   */
  @Instruction("fence.acq_rel.$0;")
  public static void fenceAcqRel(@Const Scope scope) {
    DeviceThread.fences(scope.isWide(), scope == Scope.SYSTEM);
    VarHandle.fullFence();
  }

  /**
   * {@code fence.sc}: a fence in the single order of all such fences of the scope. The equivalent
   * of {@code __threadfence()}, {@code __threadfence_block()} and {@code __threadfence_system()} in
   * CUDA C++.
   *
   * @param scope the threads that it applies to
   */
  @Instruction("fence.sc.$0;")
  public static void fenceSc(@Const Scope scope) {
    DeviceThread.fences(scope.isWide(), scope == Scope.SYSTEM);
    VarHandle.fullFence();
  }

  /**
   * {@code nanosleep.u32}: suspends the thread for about this long: on a GPU for up to twice the
   * time, on a virtual device for exactly that much modelled time. A thread of a virtual device
   * that looks for what other threads do between two sleeps waits for them, and its sleeps take no
   * time.
   *
   * @param nanoseconds 0 to 1000000
   */
  @Instruction("nanosleep.u32 $0;")
  public static void nanosleep(int nanoseconds) {
    DeviceThread.sleep(nanoseconds);
  }

  // --- caches
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@code prefetch.global.L1}: loads an element into a cache.
   *
   * @param array holds the element
   * @param index of the element; it need not exist on a GPU, but must exist on a virtual device
   */
  @Instruction("prefetch.global.L1 [$0[1]];")
  public static void prefetchGlobalL1(GlobalBytes array, long index) {
    PtxBits.touch(array, index);
  }

  /**
   * {@code prefetch.global.L2}: loads an element into a cache.
   *
   * @param array holds the element
   * @param index of the element; it need not exist on a GPU, but must exist on a virtual device
   */
  @Instruction("prefetch.global.L2 [$0[1]];")
  public static void prefetchGlobalL2(GlobalBytes array, long index) {
    PtxBits.touch(array, index);
  }

  /**
   * {@code prefetch.global.L1}: loads an element into a cache.
   *
   * @param array holds the element
   * @param index of the element; it need not exist on a GPU, but must exist on a virtual device
   */
  @Instruction("prefetch.global.L1 [$0[1]];")
  public static void prefetchGlobalL1(GlobalShorts array, long index) {
    PtxBits.touch(array, index);
  }

  /**
   * {@code prefetch.global.L2}: loads an element into a cache.
   *
   * @param array holds the element
   * @param index of the element; it need not exist on a GPU, but must exist on a virtual device
   */
  @Instruction("prefetch.global.L2 [$0[1]];")
  public static void prefetchGlobalL2(GlobalShorts array, long index) {
    PtxBits.touch(array, index);
  }

  /**
   * {@code prefetch.global.L1}: loads an element into a cache.
   *
   * @param array holds the element
   * @param index of the element; it need not exist on a GPU, but must exist on a virtual device
   */
  @Instruction("prefetch.global.L1 [$0[1]];")
  public static void prefetchGlobalL1(GlobalInts array, long index) {
    PtxBits.touch(array, index);
  }

  /**
   * {@code prefetch.global.L2}: loads an element into a cache.
   *
   * @param array holds the element
   * @param index of the element; it need not exist on a GPU, but must exist on a virtual device
   */
  @Instruction("prefetch.global.L2 [$0[1]];")
  public static void prefetchGlobalL2(GlobalInts array, long index) {
    PtxBits.touch(array, index);
  }

  /**
   * {@code prefetch.global.L1}: loads an element into a cache.
   *
   * @param array holds the element
   * @param index of the element; it need not exist on a GPU, but must exist on a virtual device
   */
  @Instruction("prefetch.global.L1 [$0[1]];")
  public static void prefetchGlobalL1(GlobalLongs array, long index) {
    PtxBits.touch(array, index);
  }

  /**
   * {@code prefetch.global.L2}: loads an element into a cache.
   *
   * @param array holds the element
   * @param index of the element; it need not exist on a GPU, but must exist on a virtual device
   */
  @Instruction("prefetch.global.L2 [$0[1]];")
  public static void prefetchGlobalL2(GlobalLongs array, long index) {
    PtxBits.touch(array, index);
  }

  /**
   * {@code prefetch.global.L1}: loads an element into a cache.
   *
   * @param array holds the element
   * @param index of the element; it need not exist on a GPU, but must exist on a virtual device
   */
  @Instruction("prefetch.global.L1 [$0[1]];")
  public static void prefetchGlobalL1(GlobalFloats array, long index) {
    PtxBits.touch(array, index);
  }

  /**
   * {@code prefetch.global.L2}: loads an element into a cache.
   *
   * @param array holds the element
   * @param index of the element; it need not exist on a GPU, but must exist on a virtual device
   */
  @Instruction("prefetch.global.L2 [$0[1]];")
  public static void prefetchGlobalL2(GlobalFloats array, long index) {
    PtxBits.touch(array, index);
  }

  /**
   * {@code prefetch.global.L1}: loads an element into a cache.
   *
   * @param array holds the element
   * @param index of the element; it need not exist on a GPU, but must exist on a virtual device
   */
  @Instruction("prefetch.global.L1 [$0[1]];")
  public static void prefetchGlobalL1(GlobalDoubles array, long index) {
    PtxBits.touch(array, index);
  }

  /**
   * {@code prefetch.global.L2}: loads an element into a cache.
   *
   * @param array holds the element
   * @param index of the element; it need not exist on a GPU, but must exist on a virtual device
   */
  @Instruction("prefetch.global.L2 [$0[1]];")
  public static void prefetchGlobalL2(GlobalDoubles array, long index) {
    PtxBits.touch(array, index);
  }

  /**
   * {@code prefetch.global.L1}: loads an element into a cache.
   *
   * @param array holds the element
   * @param index of the element; it need not exist on a GPU, but must exist on a virtual device
   */
  @Instruction("prefetch.global.L1 [$0[1]];")
  public static void prefetchGlobalL1(GlobalHalfs array, long index) {
    PtxBits.touch(array, index);
  }

  /**
   * {@code prefetch.global.L2}: loads an element into a cache.
   *
   * @param array holds the element
   * @param index of the element; it need not exist on a GPU, but must exist on a virtual device
   */
  @Instruction("prefetch.global.L2 [$0[1]];")
  public static void prefetchGlobalL2(GlobalHalfs array, long index) {
    PtxBits.touch(array, index);
  }

  /**
   * {@code prefetch.global.L1}: loads an element into a cache.
   *
   * @param array holds the element
   * @param index of the element; it need not exist on a GPU, but must exist on a virtual device
   */
  @Instruction("prefetch.global.L1 [$0[1]];")
  public static void prefetchGlobalL1(GlobalBfloats array, long index) {
    PtxBits.touch(array, index);
  }

  /**
   * {@code prefetch.global.L2}: loads an element into a cache.
   *
   * @param array holds the element
   * @param index of the element; it need not exist on a GPU, but must exist on a virtual device
   */
  @Instruction("prefetch.global.L2 [$0[1]];")
  public static void prefetchGlobalL2(GlobalBfloats array, long index) {
    PtxBits.touch(array, index);
  }

  /**
   * {@code ld.global.nc}: loads an element through the cache for data that no thread writes while
   * the kernel runs.
   *
   * @param array holds the element
   * @param index of the element
   * @return the element
   */
  @Instruction("ld.global.nc.s8 $r, [$0[1]];")
  public static byte ldGlobalNc(GlobalBytes array, long index) {
    return array.get(index);
  }

  /**
   * {@code ld.global.cs}: loads an element as data that is read once.
   *
   * @param array holds the element
   * @param index of the element
   * @return the element
   */
  @Instruction("ld.global.cs.s8 $r, [$0[1]];")
  public static byte ldGlobalCs(GlobalBytes array, long index) {
    return array.get(index);
  }

  /**
   * {@code ld.global.cg}: loads an element bypassing the first-level cache.
   *
   * @param array holds the element
   * @param index of the element
   * @return the element
   */
  @Instruction("ld.global.cg.s8 $r, [$0[1]];")
  public static byte ldGlobalCg(GlobalBytes array, long index) {
    return array.get(index);
  }

  /**
   * {@code ld.global.nc}: loads an element through the cache for data that no thread writes while
   * the kernel runs.
   *
   * @param array holds the element
   * @param index of the element
   * @return the element
   */
  @Instruction("ld.global.nc.s16 $r, [$0[1]];")
  public static short ldGlobalNc(GlobalShorts array, long index) {
    return array.get(index);
  }

  /**
   * {@code ld.global.cs}: loads an element as data that is read once.
   *
   * @param array holds the element
   * @param index of the element
   * @return the element
   */
  @Instruction("ld.global.cs.s16 $r, [$0[1]];")
  public static short ldGlobalCs(GlobalShorts array, long index) {
    return array.get(index);
  }

  /**
   * {@code ld.global.cg}: loads an element bypassing the first-level cache.
   *
   * @param array holds the element
   * @param index of the element
   * @return the element
   */
  @Instruction("ld.global.cg.s16 $r, [$0[1]];")
  public static short ldGlobalCg(GlobalShorts array, long index) {
    return array.get(index);
  }

  /**
   * {@code ld.global.nc}: loads an element through the cache for data that no thread writes while
   * the kernel runs.
   *
   * @param array holds the element
   * @param index of the element
   * @return the element
   */
  @Instruction("ld.global.nc.b32 $r, [$0[1]];")
  public static int ldGlobalNc(GlobalInts array, long index) {
    return array.get(index);
  }

  /**
   * {@code ld.global.cs}: loads an element as data that is read once.
   *
   * @param array holds the element
   * @param index of the element
   * @return the element
   */
  @Instruction("ld.global.cs.b32 $r, [$0[1]];")
  public static int ldGlobalCs(GlobalInts array, long index) {
    return array.get(index);
  }

  /**
   * {@code ld.global.cg}: loads an element bypassing the first-level cache.
   *
   * @param array holds the element
   * @param index of the element
   * @return the element
   */
  @Instruction("ld.global.cg.b32 $r, [$0[1]];")
  public static int ldGlobalCg(GlobalInts array, long index) {
    return array.get(index);
  }

  /**
   * {@code ld.global.nc}: loads an element through the cache for data that no thread writes while
   * the kernel runs.
   *
   * @param array holds the element
   * @param index of the element
   * @return the element
   */
  @Instruction("ld.global.nc.b64 $r, [$0[1]];")
  public static long ldGlobalNc(GlobalLongs array, long index) {
    return array.get(index);
  }

  /**
   * {@code ld.global.cs}: loads an element as data that is read once.
   *
   * @param array holds the element
   * @param index of the element
   * @return the element
   */
  @Instruction("ld.global.cs.b64 $r, [$0[1]];")
  public static long ldGlobalCs(GlobalLongs array, long index) {
    return array.get(index);
  }

  /**
   * {@code ld.global.cg}: loads an element bypassing the first-level cache.
   *
   * @param array holds the element
   * @param index of the element
   * @return the element
   */
  @Instruction("ld.global.cg.b64 $r, [$0[1]];")
  public static long ldGlobalCg(GlobalLongs array, long index) {
    return array.get(index);
  }

  /**
   * {@code ld.global.nc}: loads an element through the cache for data that no thread writes while
   * the kernel runs.
   *
   * @param array holds the element
   * @param index of the element
   * @return the element
   */
  @Instruction("ld.global.nc.f32 $r, [$0[1]];")
  public static float ldGlobalNc(GlobalFloats array, long index) {
    return array.get(index);
  }

  /**
   * {@code ld.global.cs}: loads an element as data that is read once.
   *
   * @param array holds the element
   * @param index of the element
   * @return the element
   */
  @Instruction("ld.global.cs.f32 $r, [$0[1]];")
  public static float ldGlobalCs(GlobalFloats array, long index) {
    return array.get(index);
  }

  /**
   * {@code ld.global.cg}: loads an element bypassing the first-level cache.
   *
   * @param array holds the element
   * @param index of the element
   * @return the element
   */
  @Instruction("ld.global.cg.f32 $r, [$0[1]];")
  public static float ldGlobalCg(GlobalFloats array, long index) {
    return array.get(index);
  }

  /**
   * {@code ld.global.nc}: loads an element through the cache for data that no thread writes while
   * the kernel runs.
   *
   * @param array holds the element
   * @param index of the element
   * @return the element
   */
  @Instruction("ld.global.nc.f64 $r, [$0[1]];")
  public static double ldGlobalNc(GlobalDoubles array, long index) {
    return array.get(index);
  }

  /**
   * {@code ld.global.cs}: loads an element as data that is read once.
   *
   * @param array holds the element
   * @param index of the element
   * @return the element
   */
  @Instruction("ld.global.cs.f64 $r, [$0[1]];")
  public static double ldGlobalCs(GlobalDoubles array, long index) {
    return array.get(index);
  }

  /**
   * {@code ld.global.cg}: loads an element bypassing the first-level cache.
   *
   * @param array holds the element
   * @param index of the element
   * @return the element
   */
  @Instruction("ld.global.cg.f64 $r, [$0[1]];")
  public static double ldGlobalCg(GlobalDoubles array, long index) {
    return array.get(index);
  }

  /**
   * {@code st.global.cs}: stores an element as data that is not read again soon.
   *
   * @param array the destination
   * @param index of the element
   * @param value the element
   */
  @Instruction("st.global.cs.b8 [$0[1]], $2;")
  public static void stGlobalCs(GlobalBytes array, long index, byte value) {
    array.set(index, value);
  }

  /**
   * {@code st.global.wt}: stores an element through to the memory of the system.
   *
   * @param array the destination
   * @param index of the element
   * @param value the element
   */
  @Instruction("st.global.wt.b8 [$0[1]], $2;")
  public static void stGlobalWt(GlobalBytes array, long index, byte value) {
    array.set(index, value);
  }

  /**
   * {@code st.global.cs}: stores an element as data that is not read again soon.
   *
   * @param array the destination
   * @param index of the element
   * @param value the element
   */
  @Instruction("st.global.cs.b16 [$0[1]], $2;")
  public static void stGlobalCs(GlobalShorts array, long index, short value) {
    array.set(index, value);
  }

  /**
   * {@code st.global.wt}: stores an element through to the memory of the system.
   *
   * @param array the destination
   * @param index of the element
   * @param value the element
   */
  @Instruction("st.global.wt.b16 [$0[1]], $2;")
  public static void stGlobalWt(GlobalShorts array, long index, short value) {
    array.set(index, value);
  }

  /**
   * {@code st.global.cs}: stores an element as data that is not read again soon.
   *
   * @param array the destination
   * @param index of the element
   * @param value the element
   */
  @Instruction("st.global.cs.b32 [$0[1]], $2;")
  public static void stGlobalCs(GlobalInts array, long index, int value) {
    array.set(index, value);
  }

  /**
   * {@code st.global.wt}: stores an element through to the memory of the system.
   *
   * @param array the destination
   * @param index of the element
   * @param value the element
   */
  @Instruction("st.global.wt.b32 [$0[1]], $2;")
  public static void stGlobalWt(GlobalInts array, long index, int value) {
    array.set(index, value);
  }

  /**
   * {@code st.global.cs}: stores an element as data that is not read again soon.
   *
   * @param array the destination
   * @param index of the element
   * @param value the element
   */
  @Instruction("st.global.cs.b64 [$0[1]], $2;")
  public static void stGlobalCs(GlobalLongs array, long index, long value) {
    array.set(index, value);
  }

  /**
   * {@code st.global.wt}: stores an element through to the memory of the system.
   *
   * @param array the destination
   * @param index of the element
   * @param value the element
   */
  @Instruction("st.global.wt.b64 [$0[1]], $2;")
  public static void stGlobalWt(GlobalLongs array, long index, long value) {
    array.set(index, value);
  }

  /**
   * {@code st.global.cs}: stores an element as data that is not read again soon.
   *
   * @param array the destination
   * @param index of the element
   * @param value the element
   */
  @Instruction("st.global.cs.f32 [$0[1]], $2;")
  public static void stGlobalCs(GlobalFloats array, long index, float value) {
    array.set(index, value);
  }

  /**
   * {@code st.global.wt}: stores an element through to the memory of the system.
   *
   * @param array the destination
   * @param index of the element
   * @param value the element
   */
  @Instruction("st.global.wt.f32 [$0[1]], $2;")
  public static void stGlobalWt(GlobalFloats array, long index, float value) {
    array.set(index, value);
  }

  /**
   * {@code st.global.cs}: stores an element as data that is not read again soon.
   *
   * @param array the destination
   * @param index of the element
   * @param value the element
   */
  @Instruction("st.global.cs.f64 [$0[1]], $2;")
  public static void stGlobalCs(GlobalDoubles array, long index, double value) {
    array.set(index, value);
  }

  /**
   * {@code st.global.wt}: stores an element through to the memory of the system.
   *
   * @param array the destination
   * @param index of the element
   * @param value the element
   */
  @Instruction("st.global.wt.f64 [$0[1]], $2;")
  public static void stGlobalWt(GlobalDoubles array, long index, double value) {
    array.set(index, value);
  }
}
