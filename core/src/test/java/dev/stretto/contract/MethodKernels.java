package dev.stretto.contract;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.FastMath;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.SharedBfloats;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.Bfloat;
import dev.stretto.memory.Float4;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import dev.stretto.memory.Int4;

/** Kernels that are methods and nothing else. */
final class MethodKernels {
  private static final int LARGE = 20_000;

  private MethodKernels() {}

  @Kernel
  static void saxpy(ThreadBlock block, float a, GlobalFloats x, GlobalFloats y, int n) {
    int i = block.blockIndexX() * block.blockSizeX() + block.threadIndexX();
    if (i < n) {
      y.set(i, a * x.get(i) + y.get(i));
    }
  }

  @Kernel
  static void everyType(
      ThreadBlock block,
      byte b,
      short s,
      int i,
      long l,
      float f,
      double d,
      GlobalBytes bytes,
      GlobalShorts shorts,
      GlobalInts ints,
      GlobalLongs longs,
      GlobalFloats floats,
      GlobalDoubles doubles) {
    int at = block.threadIndexX();
    bytes.set(at, (byte) (bytes.get(at) + b));
    shorts.set(at, (short) (shorts.get(at) * s));
    ints.set(at, ints.get(at) - i);
    longs.set(at, longs.get(at) ^ l);
    floats.set(at, floats.get(at) / f);
    doubles.set(at, doubles.get(at) * d);
  }

  @Kernel
  static void halves(
      ThreadBlock block, GlobalHalfs halfs, GlobalBfloats bfloats, GlobalFloats out) {
    int i = block.threadIndexX();
    float sum = halfs.get(i) + bfloats.get(i);
    out.set(i, sum);
    halfs.set(i, sum * 1.3f);
    bfloats.set(i, sum * 1.3f);
    out.set(i + 64, Float.float16ToFloat(Float.floatToFloat16(sum * 0.7f)));
    out.set(i + 128, Bfloat.toFloat(Bfloat.of(sum * 0.7f)));
  }

  @Kernel
  static void shape(ThreadBlock block, GlobalInts out) {
    int number =
        (block.blockIndexZ() * block.gridSizeY() + block.blockIndexY()) * block.gridSizeX()
            + block.blockIndexX();
    int at = number * block.size() + block.threadRank();
    int x = block.threadIndexX() + 10 * block.threadIndexY() + 100 * block.threadIndexZ();
    out.set(at, x * 1000 + block.blockSizeX() + block.blockSizeY() * 5 + block.blockSizeZ() * 7);
  }

  @Kernel
  static void sum(ThreadBlock block, GlobalInts in, GlobalInts out, int n) {
    SharedInts part = block.sharedInts(256);
    int thread = block.threadIndexX();
    int sum = 0;
    for (long i = block.globalIndexX(); i < n; i += (long) block.gridSizeX() * block.blockSizeX()) {
      sum += in.get(i);
    }
    part.set(thread, sum);
    block.sync();
    for (int half = 128; half > 0; half >>= 1) {
      if (thread < half) {
        part.set(thread, part.get(thread) + part.get(thread + half));
      }
      block.sync();
    }
    if (thread == 0) {
      Atomics.add(out, 0, part.get(0));
    }
  }

  @Kernel
  static void warps(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Warp warp = block.warp();
    int thread = block.threadIndexX();
    int value = in.get(thread);
    int n = block.blockSizeX();
    out.set(thread, warp.shuffle(value, (warp.lane() * 7 + 3) & 31));
    out.set(n + thread, warp.shuffleUp(value, 3));
    out.set(2 * n + thread, warp.shuffleDown(value, 5));
    out.set(3 * n + thread, warp.shuffleXor(value, 9));
    out.set(4 * n + thread, warp.ballot((value & 1) != 0));
    out.set(5 * n + thread, (warp.any(value > 1000) ? 1 : 0) + (warp.all(value > -1000) ? 2 : 0));
    out.set(6 * n + thread, warp.matchAny(value & 3));
    out.set(7 * n + thread, warp.reduceAdd(value) ^ warp.reduceMin(value) ^ warp.reduceMax(value));
    out.set(
        8 * n + thread,
        warp.reduceAnd(value) + 3 * warp.reduceOr(value) + 5 * warp.reduceXor(value));
    out.set(9 * n + thread, Float.floatToRawIntBits(warp.reduceMax((float) value)));
    out.set(10 * n + thread, (int) (warp.shuffleXor(value * 5_000_000_000L, 3) >>> 20));
    out.set(11 * n + thread, block.syncCount(value > 0));
    out.set(
        12 * n + thread,
        (block.syncAnd(value > -5000) ? 1 : 0) + (block.syncOr(value > 5000) ? 2 : 0));
  }

  @Kernel
  static void atomics(ThreadBlock block, GlobalInts ints, GlobalLongs longs, GlobalFloats floats) {
    SharedInts shared = block.sharedInts(4);
    SharedLongs wide = block.sharedLongs(2);
    int thread = block.threadRank();
    if (thread < 4) {
      shared.set(thread, thread == 2 ? -1 : 0);
    }
    if (thread < 2) {
      wide.set(thread, 0);
    }
    block.sync();
    int value = (int) block.globalIndexX();
    Atomics.add(shared, 0, value);
    Atomics.max(shared, 1, value);
    Atomics.and(shared, 2, ~(1 << (value & 15)));
    Atomics.or(shared, 3, 1 << (value & 31));
    Atomics.add(wide, 0, 3L * value);
    Atomics.max(wide, 1, -value);
    block.sync();
    Atomics.add(ints, 0, 1);
    Atomics.min(ints, 1, -value);
    Atomics.max(ints, 2, value, Scope.SYSTEM);
    Atomics.xor(ints, 3, value * 0x9E3779B9);
    Atomics.add(longs, 0, 1L << (value & 31), Scope.DEVICE);
    Atomics.add(floats, 0, 1f);
    int old = Atomics.add(ints, 4, 0);
    while (true) {
      int seen = Atomics.compareAndExchange(ints, 4, old, old + 2);
      if (seen == old) {
        break;
      }
      old = seen;
    }
    if (thread < 4) {
      Atomics.add(ints, 5 + thread, shared.get(thread));
    }
    if (thread < 2) {
      Atomics.add(longs, 1 + thread, wide.get(thread));
    }
  }

  @Kernel
  static void largeStatic(ThreadBlock block, GlobalInts out) {
    SharedInts large = block.sharedInts(LARGE);
    SharedInts small = block.sharedInts(8);
    int thread = block.threadIndexX();
    for (int i = thread; i < LARGE; i += block.blockSizeX()) {
      large.set(i, i * 3);
    }
    if (thread < 8) {
      small.set(thread, thread);
    }
    block.sync();
    for (int i = thread; i < LARGE; i += block.blockSizeX()) {
      out.set(i, large.get(LARGE - 1 - i) + small.get(i & 7));
    }
  }

  @Kernel
  static void dynamic(ThreadBlock block, GlobalFloats out) {
    SharedBytes all = block.dynamicShared();
    int n = block.blockSizeX();
    SharedFloats floats = all.slice(0, 4 * n).asFloats();
    SharedInts ints = all.slice(4 * n, 4 * n).asInts();
    int thread = block.threadIndexX();
    floats.set(thread, thread * 0.5f);
    ints.set(thread, thread * 7);
    block.sync();
    out.set(thread, floats.get(n - 1 - thread) + ints.get((thread + 1) % n) + all.length());
  }

  @Kernel
  static void vectors(ThreadBlock block, GlobalFloats floats, GlobalInts ints, GlobalFloats out) {
    SharedFloats tile = block.sharedFloats(256);
    int i = 4 * block.threadIndexX();
    Float4 f = floats.get4(i);
    Int4 k = ints.get4(i);
    tile.set4(i, new Float4(f.w(), f.z(), f.y(), f.x()));
    block.sync();
    Float4 other = tile.get4((i + 4) & 255);
    out.set4(i, new Float4(other.x() + k.x(), other.y() - k.y(), other.z() * k.z(), other.w()));
  }

  @Kernel
  static void tile(
      ThreadBlock block, GlobalFloats a, GlobalFloats b, GlobalFloats c, @Const int size) {
    float[][] sum = new float[4][4];
    int row = 4 * block.threadIndexY();
    int column = 4 * block.threadIndexX();
    for (int k = 0; k < size; k++) {
      for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
          sum[i][j] =
              Math.fma(a.get((row + i) * size + k), b.get(k * size + column + j), sum[i][j]);
        }
      }
    }
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 4; j++) {
        c.set((row + i) * size + column + j, sum[i][j]);
      }
    }
  }

  /** How {@link #combined} puts numbers together. */
  enum Combination {
    SUM,
    PRODUCT,
    SMALLER
  }

  @Kernel
  static void combined(
      ThreadBlock block, GlobalInts a, GlobalInts b, GlobalInts c, @Const Combination how) {
    int t = block.threadIndexX();
    int value =
        switch (how) {
          case SUM -> a.get(t) + b.get(t);
          case PRODUCT -> a.get(t) * b.get(t);
          case SMALLER -> Math.min(a.get(t), b.get(t));
        };
    c.set(t, how == Combination.SMALLER ? value : ~value);
  }

  /** Which the assembler makes one instruction of where it can; what random kernels came to. */
  @Kernel
  static void minimaOfNegatives(ThreadBlock block, GlobalInts x, GlobalInts out) {
    int t = block.threadIndexX();
    int n = block.blockSizeX();
    int a = x.get(t);
    int b = x.get((t + 1) % n);
    int c = x.get((t + 2) % n);
    out.set(t, Math.min(Math.min(a, -b), c));
    out.set(n + t, Math.min(Math.min(-a, b), c));
    out.set(2 * n + t, Math.min(c, Math.min(a, -b)));
    out.set(3 * n + t, Math.max(Math.max(a, -b), c));
    out.set(4 * n + t, Math.max(-c, Math.max(-a, -b)));
    out.set(5 * n + t, Math.min(Math.max(a, -b), c));
    out.set(6 * n + t, Math.max(Math.min(a, -b), 0));
    out.set(7 * n + t, Math.min(Math.min(Math.abs(a), Math.abs(b)), ~c));
    out.set(8 * n + t, Math.min(Math.min(a, b * -1), 0 - c));
    out.set(9 * n + t, (byte) Math.min(Math.min(a & 255, -t), 0));
    out.set(10 * n + t, Math.max(Math.max(a, 7 - b), c - a));
    out.set(11 * n + t, (int) Math.min(Math.min((long) a, -(long) b), c));
  }

  /** What random kernels came to where an assembler was wrong; each is written otherwise since. */
  @Kernel
  static void whatAssemblersGotWrong(
      ThreadBlock block, GlobalInts ints, GlobalFloats floats, GlobalLongs out) {
    int t = block.threadIndexX();
    int n = block.blockSizeX();
    long place = block.globalIndexX();
    float x = floats.get(t);
    out.set(t, Float.floatToRawIntBits(Float.isInfinite(x) ? -0.0f : 1.0f));
    float half = Float.float16ToFloat((short) (0.0f >= x ? 1 : 0));
    out.set(n + t, Float.floatToRawIntBits(half));
    out.set(2 * n + t, Float.isNaN(half) ? 1 : 0);
    out.set(3 * n + t, place == 17L ? Long.bitCount(place) + (place >>> 32) : 0L);
    out.set(4 * n + t, t != 2 ? 0L : (long) ints.get(t) << (t / -1));
    double sum = x;
    for (int i = 0; i < (t & 15); i += 2) {
      sum += 0.0;
    }
    out.set(5 * n + t, Double.doubleToLongBits(Math.min(sum, 0.0)));
    out.set(6 * n + t, Double.doubleToLongBits(Math.max(-0.0, sum * 0.0)));
    out.set(7 * n + t, (long) ints.get(t) % -1 + ints.get(t) / -1);
    out.set(8 * n + t, t == 0 ? ~t + t : 5);
    out.set(9 * n + t, Math.min(Math.min(t, ints.get(t) / -1), Long.signum(place)));
    float nan = t % 3 == 0 ? Float.NaN : x;
    out.set(10 * n + t, !(-2.0f < Math.abs(nan)) ? ints.get(t) : 7);
    long shifted = (((place - 20) << 18) << 18) << 18;
    out.set(11 * n + t, shifted > 0 ? 1 : shifted << 5 >= 0 ? 2 : 3);
    long reversed = ints.get(t) == 0 ? Long.MIN_VALUE : place;
    out.set(12 * n + t, Long.MIN_VALUE == reversed ? (long) (double) Long.reverse(reversed) : 0);
  }

  /** D = A * B of 16 by 8 by 16, with the fragments as the hardware lays them out. */
  @Kernel
  static void mma(ThreadBlock block, GlobalBfloats a, GlobalBfloats b, GlobalFloats d) {
    SharedBfloats rows = block.sharedBfloats(16 * 16);
    SharedBfloats columns = block.sharedBfloats(8 * 16);
    int lane = block.threadIndexX();
    for (int i = lane; i < 256; i += 32) {
      rows.set(i, a.get(i));
    }
    for (int i = lane; i < 128; i += 32) {
      columns.set(i, b.get(i));
    }
    block.sync();
    int[] fa = new int[4];
    int[] fb = new int[2];
    float[] fd = new float[4];
    Ptx.ldmatrixX4(fa, 0, rows, (lane & 15) * 16 + (lane >> 4) * 8);
    Ptx.ldmatrixX2(fb, 0, columns, (lane & 7) * 16 + ((lane >> 3) & 1) * 8);
    Ptx.mmaM16N8K16Bf16(fd, 0, fa, 0, fb, 0);
    for (int i = 0; i < 4; i++) {
      int row = lane / 4 + i / 2 * 8;
      int column = lane % 4 * 2 + i % 2;
      d.set(row * 8 + column, fd[i]);
    }
  }

  @Kernel
  static void mathematics(ThreadBlock block, GlobalDoubles in, GlobalDoubles out) {
    int i = block.threadIndexX();
    double x = in.get(i);
    int n = block.blockSizeX();
    out.set(i, Math.exp(x) + Math.sqrt(Math.abs(x)));
    out.set(n + i, Math.sin(x) * Math.cos(x));
    out.set(2 * n + i, Math.log(Math.abs(x) + 1) + Math.pow(Math.abs(x), 0.3));
    out.set(3 * n + i, Math.atan2(x, 2) + Math.tanh(x) + Math.cbrt(x));
    out.set(4 * n + i, x % 0.7 + Math.floor(x) + Math.rint(x) + Math.signum(x));
  }

  @Kernel
  static void fast(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    int i = block.threadIndexX();
    float x = in.get(i);
    int n = block.blockSizeX();
    out.set(i, FastMath.exp(x) + FastMath.log(Math.abs(x) + 1));
    out.set(n + i, FastMath.sin(x) + FastMath.cos(x));
    out.set(2 * n + i, FastMath.rsqrt(Math.abs(x) + 1) + FastMath.divide(x, 3f));
    out.set(3 * n + i, FastMath.tanh(x) + FastMath.exp2(x));
  }

  /** What Java says of numbers where C says nothing. */
  @Kernel
  static void numbers(ThreadBlock block, GlobalInts ints, GlobalDoubles doubles, GlobalLongs out) {
    int t = block.threadIndexX();
    int n = block.blockSizeX();
    int a = ints.get(t);
    int b = ints.get((t + 1) % n) | 1;
    double x = doubles.get(t);
    double y = doubles.get((t + 1) % n);
    long wide = ((long) a << 32) + b;
    out.set(t, a / b + 31L * (a % b));
    out.set(n + t, wide / (b * 3L) + 31L * (wide % (b * 3L)));
    out.set(2 * n + t, (a << b) + (a >> b) + (a >>> b));
    out.set(3 * n + t, (wide << b) + (wide >> a) + (wide >>> b));
    out.set(4 * n + t, (long) x + (int) y + (int) (float) x + (long) (float) y);
    out.set(
        5 * n + t,
        (x < y ? 1 : 0)
            + (x <= y ? 2 : 0)
            + (x > y ? 4 : 0)
            + (x >= y ? 8 : 0)
            + (x == y ? 16 : 0)
            + (x != y ? 32 : 0));
    out.set(
        6 * n + t,
        Double.doubleToLongBits(Math.min(x, y)) ^ Double.doubleToLongBits(Math.max(x, y)));
    out.set(
        7 * n + t,
        Float.floatToIntBits(Math.min((float) x, (float) y))
            + (long) Float.floatToIntBits(Math.max((float) x, (float) y)));
    out.set(8 * n + t, (byte) a + (short) a * 3L + (char) a * 5L);
    out.set(
        9 * n + t,
        Integer.rotateLeft(a, b)
            + Long.rotateRight(wide, a)
            + Integer.reverse(a)
            + Long.reverseBytes(wide)
            + Integer.numberOfTrailingZeros(a)
            + Long.numberOfLeadingZeros(wide)
            + Long.bitCount(wide)
            + Integer.highestOneBit(a));
    out.set(
        10 * n + t,
        Math.multiplyHigh(wide, wide * 31)
            + Integer.divideUnsigned(a, b)
            + Long.remainderUnsigned(wide, b));
    out.set(
        11 * n + t,
        Math.round(x) + Math.round((float) y) + Math.floorMod(a, b) + Math.floorDiv(a, b));
    out.set(
        12 * n + t,
        Double.doubleToLongBits(x * y + x) ^ Double.doubleToLongBits(Math.fma(x, y, x)));
    out.set(13 * n + t, Float.floatToIntBits((float) x * (float) y + (float) x));
    out.set(14 * n + t, Double.doubleToLongBits(x % y));
    out.set(
        15 * n + t,
        Double.doubleToLongBits((double) wide)
            ^ Float.floatToIntBits((float) wide)
            ^ Float.floatToIntBits((float) a));
  }

  @Kernel
  static void outOfBounds(ThreadBlock block, GlobalInts array, int at) {
    int i = block.threadIndexX();
    if (i == 5) {
      array.set(i + at, 1); // the line that the message names
    }
  }

  @Kernel
  static void divides(ThreadBlock block, GlobalInts array) {
    array.set(block.threadIndexX(), 100 / (block.threadIndexX() - 3));
  }

  @Kernel
  static void asserts(ThreadBlock block, GlobalInts array) {
    int i = block.threadIndexX();
    assert i != 7 : "seven is not allowed";
    array.set(i, i);
  }
}
