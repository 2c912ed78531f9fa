package dev.stretto.contract;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.FastMath;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.PtxMemory;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedDoubles;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.Fp8;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;

/** Kernels that say everything there is to say, each part of the vocabulary in one. */
final class Instructions {
  private Instructions() {}

  @Kernel
  static void bits(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int i = (int) block.globalIndexX();
    int n = block.gridSizeX() * block.blockSizeX();
    int a = in.get(i);
    int b = in.get(n + i);
    int c = in.get(2 * n + i);
    out.set(i, Ptx.prmt(a, b, c));
    out.set(n + i, Ptx.lop3(a, b, c, 0x96));
    out.set(2 * n + i, Ptx.lop3(a, b, c, 0xca));
    out.set(3 * n + i, Ptx.shfLWrap(a, b, c));
    out.set(4 * n + i, Ptx.shfRWrap(a, b, c));
    out.set(5 * n + i, Ptx.bfeU32(a, b & 63, c & 63));
    out.set(6 * n + i, Ptx.bfeS32(a, b & 63, c & 63));
    out.set(7 * n + i, Ptx.bfi(a, b, c & 63, c >>> 8 & 63));
    out.set(8 * n + i, Ptx.dp4aS32(a, b, c));
    out.set(9 * n + i, Ptx.dp4aU32(a, b, c));
    out.set(10 * n + i, Ptx.mad24LoS32(a, b, c));
    out.set(11 * n + i, Ptx.bfeS32(a, b, c));
    out.set(12 * n + i, Ptx.bfi(a, b, c, c >>> 8));
  }

  @Kernel
  static void packed(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int i = (int) block.globalIndexX();
    int n = block.gridSizeX() * block.blockSizeX();
    int a = in.get(i);
    int b = in.get(n + i);
    int c = in.get(2 * n + i);
    out.set(i, Ptx.fmaRnBf16x2(a, b, c));
    out.set(n + i, Ptx.addRnBf16x2(a, b));
    out.set(2 * n + i, Ptx.mulRnBf16x2(a, b));
    out.set(3 * n + i, Ptx.maxBf16x2(a, b));
    out.set(4 * n + i, Ptx.minBf16x2(a, b));
    out.set(5 * n + i, Ptx.fmaRnF16x2(a, b, c));
    out.set(6 * n + i, Ptx.addRnF16x2(a, b));
    out.set(7 * n + i, Ptx.mulRnF16x2(a, b));
    out.set(8 * n + i, Ptx.maxF16x2(a, b));
    out.set(9 * n + i, Ptx.minF16x2(a, b));
    float x = Float.intBitsToFloat(a);
    float y = Float.intBitsToFloat(b);
    out.set(10 * n + i, Ptx.cvtRnBf16x2F32(x, y));
    out.set(11 * n + i, Ptx.cvtRnF16x2F32(x, y));
    // What a GPU leaves in the bits that do not count, and of a NaN, nobody says.
    out.set(12 * n + i, Float.isNaN(x) ? 0 : Ptx.cvtRnaTf32F32(x) & ~0x1fff);
  }

  /** Numbers of 8 bits: by the instructions, and by the methods that every device has. */
  @Kernel
  static void eights(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int i = (int) block.globalIndexX();
    int n = block.gridSizeX() * block.blockSizeX();
    int a = in.get(i);
    float x = Float.intBitsToFloat(a);
    float y = Float.intBitsToFloat(in.get(n + i));
    out.set(i, Ptx.cvtRnSatfiniteE4m3x2F32(x, y));
    out.set(n + i, Ptx.cvtRnSatfiniteE5m2x2F32(x, y));
    out.set(2 * n + i, Ptx.cvtRnF16x2E4m3x2(a));
    out.set(3 * n + i, Ptx.cvtRnF16x2E5m2x2(a));
    out.set(4 * n + i, Ptx.cvtRnF16x2E4m3x2(a >>> 16));
    out.set(5 * n + i, Fp8.ofE4m3(x) << 8 | (Fp8.ofE4m3(y) & 0xff));
    out.set(6 * n + i, Fp8.ofE5m2(x) << 8 | (Fp8.ofE5m2(y) & 0xff));
    out.set(9 * n + i, Ptx.cvtRnSatfiniteE4m3x2F32(y, x, x, y));
    out.set(10 * n + i, Ptx.cvtRnSatfiniteE5m2x2F32(y, x, x, y));
    float e4m3 = Fp8.toFloatE4m3((byte) a);
    float e5m2 = Fp8.toFloatE5m2((byte) a);
    out.set(7 * n + i, Float.isNaN(e4m3) ? 0 : Float.floatToRawIntBits(e4m3));
    out.set(8 * n + i, Float.isNaN(e5m2) ? 0 : Float.floatToRawIntBits(e5m2));
  }

  @Kernel
  static void lanes(ThreadBlock block, GlobalInts in, GlobalInts out, GlobalLongs wide) {
    Warp warp = block.warp();
    int t = block.threadRank();
    int n = block.size();
    int value = in.get(t);
    long large = value * 0x1234567L;
    double real = value / 3.0;
    wide.set(t, warp.shuffle(large, 5) ^ warp.shuffleUp(large, 2) ^ warp.shuffleDown(large, 3));
    wide.set(n + t, Double.doubleToRawLongBits(warp.shuffle(real, 7) + warp.shuffleXor(real, 2)));
    wide.set(2 * n + t, warp.reduceAdd(large) ^ warp.reduceMin(large) ^ warp.reduceMax(large));
    wide.set(3 * n + t, Double.doubleToRawLongBits(warp.reduceAdd(real) + warp.reduceMin(real)));
    out.set(
        t,
        Float.floatToRawIntBits(warp.reduceAdd(value * 0.25f) + warp.shuffleUp(value * 0.5f, 1)));
    out.set(n + t, warp.matchAny(large & 0x300000003L));
    out.set(2 * n + t, warp.index() * 100 + warp.lane());
    if (warp.lane() < 12) {
      int members = 0xfff;
      int sum = warp.reduceAdd(members, value) + warp.reduceXor(members, value);
      warp.sync(members);
      sum += warp.ballot(members, (value & 4) != 0) + warp.matchAny(members, value & 1);
      sum +=
          warp.shuffle(members, value, 11 - warp.lane()) + (warp.any(members, value > 0) ? 1 : 0);
      out.set(3 * n + t, sum);
    } else {
      out.set(3 * n + t, warp.reduceMax(0xfffff000, value) - warp.reduceMin(0xfffff000, value));
    }
    out.set(4 * n + t, warp.activeMask() >>> warp.lane() & 1);
  }

  /** The other lanes of the last warp do not exist or have returned. */
  @Kernel
  static void partOfAWarp(ThreadBlock block, GlobalInts out) {
    int t = block.threadRank();
    if (t == 34) {
      return;
    }
    Warp warp = block.warp();
    out.set(t, warp.ballot(true));
    out.set(48 + t, warp.reduceAdd(t));
    out.set(96 + t, block.syncCount(true));
    out.set(144 + t, warp.shuffle(t, 1));
  }

  @Kernel
  static void product(
      ThreadBlock block,
      @Const int type,
      GlobalInts a,
      GlobalInts b,
      GlobalInts c,
      GlobalInts out) {
    int lane = block.threadIndexX();
    int[] left = new int[4];
    int[] right = new int[2];
    int[] sum = new int[4];
    float[] real = new float[4];
    for (int i = 0; i < 4; i++) {
      left[i] = a.get(4 * lane + i);
      sum[i] = c.get(4 * lane + i);
      real[i] = sum[i];
    }
    right[0] = b.get(2 * lane);
    right[1] = b.get(2 * lane + 1);
    if (type == 0) {
      Ptx.mmaM16N8K16Bf16(real, 0, left, 0, right, 0);
    } else if (type == 1) {
      Ptx.mmaM16N8K16F16(real, 0, left, 0, right, 0);
    } else if (type == 2) {
      Ptx.mmaM16N8K8Tf32(real, 0, left, 0, right, 0);
    } else if (type == 4) {
      Ptx.mmaM16N8K32E4m3(real, 0, left, 0, right, 0);
    } else if (type == 5) {
      Ptx.mmaM16N8K32E5m2(real, 0, left, 0, right, 0);
    } else {
      Ptx.mmaM16N8K32S8(sum, 0, left, 0, right, 0);
    }
    for (int i = 0; i < 4; i++) {
      out.set(4 * lane + i, type == 3 ? sum[i] : Float.floatToRawIntBits(real[i]));
    }
  }

  @Kernel
  static void loads(ThreadBlock block, GlobalInts out) {
    SharedBytes memory = block.sharedBytes(512);
    int lane = block.threadIndexX();
    for (int i = 0; i < 16; i++) {
      memory.set(16 * lane + i, (byte) (37 * lane + i));
    }
    block.sync();
    int row = 16 * (lane * 5 % 32);
    int[] d = new int[14];
    Ptx.ldmatrixX1(d, 0, memory, row);
    Ptx.ldmatrixX1Trans(d, 1, memory, row);
    Ptx.ldmatrixX2(d, 2, memory.asHalfs(), row / 2);
    Ptx.ldmatrixX2Trans(d, 4, memory.asHalfs(), row / 2);
    Ptx.ldmatrixX4(d, 6, memory.asBfloats(), row / 2);
    Ptx.ldmatrixX4Trans(d, 10, memory.asBfloats(), row / 2);
    for (int i = 0; i < 14; i++) {
      out.set(14 * lane + i, d[i]);
    }
  }

  @Kernel
  static void handOver(ThreadBlock block, GlobalInts out) {
    SharedInts box = block.sharedInts(32);
    int lane = block.warp().lane();
    for (int turn = 0; turn < 20; turn++) {
      if (block.warp().index() == 0) {
        if (turn > 0) {
          Ptx.barSync(2, 64);
        }
        box.set(lane, turn * 100 + lane);
        Ptx.barArrive(1, 64);
      } else {
        Ptx.barSync(1, 64);
        out.set(32 * turn + lane, box.get(31 - lane));
        if (turn < 19) {
          Ptx.barArrive(2, 64);
        }
      }
    }
    Ptx.barSync(3);
  }

  @Kernel
  static void olds(
      ThreadBlock block, GlobalInts g, GlobalLongs w, GlobalInts old, GlobalLongs oldWide) {
    SharedInts s = block.sharedInts(1);
    SharedLongs l = block.sharedLongs(1);
    s.set(0, 5);
    l.set(0, 5);
    old.set(0, Atomics.add(g, 0, 5));
    old.set(1, Atomics.exchange(g, 0, 7));
    old.set(2, Atomics.compareAndExchange(g, 0, 8, 100));
    old.set(3, Atomics.compareAndExchange(g, 0, 7, 9, Scope.BLOCK));
    old.set(4, Atomics.increment(g, 0, 12));
    old.set(5, Atomics.decrement(g, 0, 5));
    old.set(6, Atomics.decrement(g, 0, -7, Scope.SYSTEM));
    Atomics.storeRelease(g, 0, -3);
    old.set(7, Atomics.loadAcquire(g, 0));
    old.set(8, Atomics.max(s, 0, 9));
    old.set(9, Atomics.min(s, 0, -9));
    old.set(10, Atomics.xor(s, 0, 0xff));
    old.set(11, Atomics.increment(s, 0, 3));
    old.set(12, Atomics.decrement(s, 0, 3));
    old.set(13, Atomics.exchange(s, 0, 77));
    old.set(14, Atomics.compareAndExchange(s, 0, 77, 78));
    Atomics.storeRelease(s, 0, Atomics.loadAcquire(s, 0) + 1);
    old.set(15, s.get(0));
    oldWide.set(0, Atomics.add(w, 0, 1L << 40));
    oldWide.set(1, Atomics.min(w, 0, -1L << 50));
    oldWide.set(2, Atomics.max(w, 0, 1L << 50));
    oldWide.set(3, Atomics.and(w, 0, 0xfL << 47));
    oldWide.set(4, Atomics.or(w, 0, 3));
    oldWide.set(5, Atomics.exchange(w, 0, 11));
    oldWide.set(6, Atomics.compareAndExchange(w, 0, 11, 12));
    Atomics.storeRelease(w, 0, Atomics.loadAcquire(w, 0) * 2);
    oldWide.set(7, Atomics.xor(l, 0, -1));
    oldWide.set(8, Atomics.or(l, 0, 1));
    oldWide.set(9, Atomics.compareAndExchange(l, 0, -5, 6));
    oldWide.set(10, Atomics.exchange(l, 0, 8));
    Atomics.storeRelease(l, 0, Atomics.loadAcquire(l, 0) * 3);
    oldWide.set(11, l.get(0));
  }

  @Kernel
  static void sums(ThreadBlock block, GlobalFloats f, GlobalDoubles d) {
    SharedFloats sf = block.sharedFloats(1);
    SharedDoubles sd = block.sharedDoubles(1);
    sf.set(0, Float.MIN_VALUE);
    sd.set(0, 1);
    f.set(1, Atomics.add(f, 0, Float.MIN_VALUE));
    f.set(2, Atomics.add(f, 0, 2.5f));
    f.set(3, Atomics.exchange(f, 0, Float.MIN_NORMAL * 1.5f));
    f.set(4, Atomics.add(f, 0, -Float.MIN_NORMAL, Scope.SYSTEM));
    f.set(5, Atomics.add(sf, 0, Float.MIN_VALUE));
    f.set(6, Atomics.exchange(sf, 0, 3));
    d.set(1, Atomics.add(d, 0, Double.MIN_VALUE));
    d.set(2, Atomics.exchange(d, 0, 4));
    d.set(3, Atomics.add(sd, 0, 0.1) + Atomics.exchange(sd, 0, 5));
    d.set(4, sd.get(0));
  }

  @Kernel
  static void hints(
      ThreadBlock block,
      GlobalBytes b,
      GlobalShorts s,
      GlobalInts i,
      GlobalLongs l,
      GlobalFloats f,
      GlobalDoubles d) {
    int t = block.threadIndexX();
    Ptx.prefetchGlobalL1(f, t);
    Ptx.prefetchGlobalL2(d, t);
    Ptx.stGlobalCs(b, t, (byte) (Ptx.ldGlobalNc(b, t + 32) + Ptx.ldGlobalCs(b, t + 32) * 3));
    Ptx.stGlobalWt(s, t, (short) (Ptx.ldGlobalNc(s, t + 32) + Ptx.ldGlobalCg(s, t + 32) * 3));
    Ptx.stGlobalCs(i, t, Ptx.ldGlobalNc(i, t + 32) + Ptx.ldGlobalCs(i, t + 32) * 3);
    Ptx.stGlobalWt(l, t, Ptx.ldGlobalCg(l, t + 32) + Ptx.ldGlobalNc(l, t + 32) * 3);
    Ptx.stGlobalCs(f, t, Ptx.ldGlobalNc(f, t + 32) + Ptx.ldGlobalCg(f, t + 32));
    Ptx.stGlobalWt(d, t, Ptx.ldGlobalNc(d, t + 32) + Ptx.ldGlobalCs(d, t + 32));
    Ptx.fenceAcqRel(Scope.DEVICE);
    Ptx.fenceSc(Scope.BLOCK);
    Ptx.nanosleep(100);
  }

  @Kernel
  static void functions(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    int i = (int) block.globalIndexX();
    int n = block.gridSizeX() * block.blockSizeX();
    float x = in.get(i);
    float magnitude = Math.abs(x);
    out.set(i, FastMath.exp(x));
    out.set(n + i, FastMath.exp2(x));
    out.set(2 * n + i, FastMath.log(magnitude));
    out.set(3 * n + i, FastMath.log2(magnitude));
    out.set(4 * n + i, FastMath.sin(x));
    out.set(5 * n + i, FastMath.cos(x));
    out.set(6 * n + i, FastMath.tanh(x));
    out.set(7 * n + i, FastMath.rsqrt(magnitude));
    out.set(8 * n + i, FastMath.sqrt(magnitude));
    out.set(9 * n + i, FastMath.reciprocal(x));
    out.set(10 * n + i, FastMath.divide(1.7f, x));
    out.set(11 * n + i, Ptx.ex2ApproxFtzF32(x));
    // Too small for a number that is not subnormal.
    out.set(12 * n + i, Ptx.ex2ApproxFtzF32(-130 - magnitude));
  }

  /** Sixteen bytes of each thread, which change places. */
  @Kernel
  static void sixteenBytes(ThreadBlock block, GlobalShorts from, GlobalBytes to) {
    int t = block.threadIndexX();
    int[] words = new int[6];
    PtxMemory.ldGlobalV4B32(words, 1, from, 16L * t);
    words[5] = words[1];
    PtxMemory.stGlobalV4B32(to, 16L * (block.blockSizeX() - 1 - t), words, 2);
  }
}
