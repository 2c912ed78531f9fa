package dev.stretto.cli;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;

/** Kernels for {@code stretto explain} to explain. */
final class ExplainedKernels {
  private ExplainedKernels() {}

  @Kernel
  static void scale(ThreadBlock block, float factor, GlobalFloats x) {
    long i = block.globalIndexX();
    if (i < x.length()) {
      x.set(i, factor * x.get(i));
    }
  }

  @Kernel
  static void reverse(ThreadBlock block, GlobalInts x, @Const int tile, @Const boolean twice) {
    var turned = block.sharedInts(tile);
    int i = block.threadIndexX();
    turned.set(tile - 1 - i, x.get(i));
    block.sync();
    x.set(i, twice ? turned.get(tile - 1 - i) : turned.get(i));
  }

  @Kernel
  static void every(
      ThreadBlock block,
      GlobalFloats x,
      GlobalInts counter,
      @Const byte b,
      @Const short s,
      @Const char c,
      @Const long l,
      @Const float f,
      @Const double d,
      @Const Scope scope) {
    x.set(0, b + s + c + l + f + (float) d);
    Atomics.add(counter, 0, 1, scope);
  }

  @Kernel
  static void twoOfAName(ThreadBlock block, GlobalInts x) {
    x.set(0, 1);
  }

  @Kernel
  static void twoOfAName(ThreadBlock block, GlobalFloats x) {
    x.set(0, 1);
  }

  @Kernel
  static void allocates(ThreadBlock block, GlobalInts x) {
    x.set(0, new Object().hashCode());
  }

  static int twice(int number) {
    return 2 * number;
  }

  static KernelMethod.Of1<GlobalInts> filling(int number) {
    return (block, x) -> x.set(block.threadIndexX(), number);
  }

  /** A nested class. */
  static final class Inner {
    private Inner() {}

    @Kernel
    static void one(ThreadBlock block, GlobalInts x) {
      x.set(block.threadIndexX(), 1);
    }
  }

  @Kernel
  static void staged(ThreadBlock block, GlobalFloats x, GlobalFloats y) {
    var tile = block.sharedFloats(64);
    var arrived = block.barrier();
    block.memcpyAsync(tile, 0, x, 0, 64, 16, arrived);
    arrived.arriveAndWait();
    y.set(block.threadRank(), tile.get(63 - block.threadRank()));
  }

  @Kernel
  static void hasty(ThreadBlock block, GlobalFloats x, GlobalFloats y, int n) {
    var tile = block.sharedFloats(64);
    block.memcpyAsync(tile, 0, x, 0, n);
    y.set(block.threadRank(), tile.get(63 - block.threadRank()));
    block.waitAll();
  }

  @Kernel
  static void leftOver(ThreadBlock block, GlobalFloats x, GlobalFloats y) {
    var tile = block.sharedFloats(256);
    var arrived = block.barrier(1);
    block.memcpyAsync(tile, 0, x, 0, 131, 16, arrived);
    if (block.threadRank() == 0) {
      arrived.arrive();
    }
    arrived.waitForParity(0);
    y.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  static void greedy(ThreadBlock block, GlobalFloats x) {
    var tile = block.sharedFloats(50_000);
    tile.set(block.threadRank(), x.get(block.threadRank()));
    block.sync();
    x.set(block.threadRank(), tile.get(0));
  }

  @Kernel
  static void transposed(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    var tile = block.sharedFloats(32 * 32);
    int x = block.threadIndexX();
    int y = block.threadIndexY();
    tile.set(y * 32 + x, in.get(y * 32 + x));
    block.sync();
    out.set(y * 32 + x, tile.get(x * 32 + y));
  }

  @Kernel(maxThreads = 256)
  static void gathered(ThreadBlock block, GlobalInts places, GlobalInts x, int stride) {
    var tile = block.sharedInts(1024);
    int i = block.threadIndexX();
    tile.set(i * stride, i);
    block.sync();
    x.set(i, tile.get(places.get(i)));
  }
}
