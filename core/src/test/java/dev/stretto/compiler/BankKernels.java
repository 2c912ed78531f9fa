package dev.stretto.compiler;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.Swizzle;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.Float4;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;

/**
 * Kernels whose conflicts at the banks of shared memory are known, each with the method that says
 * where a thread accesses it, which tests call themselves.
 */
final class BankKernels {
  private BankKernels() {}

  // --- blocks of 32 x 8 threads

  static int column(int x, int y) {
    return x * 32 + y;
  }

  @Kernel
  static void transpose(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    var tile = block.sharedFloats(32 * 32);
    int x = block.threadIndexX();
    int y = block.threadIndexY();
    tile.set(y * 32 + x, in.get(y * 32 + x));
    block.sync();
    out.set(y * 32 + x, tile.get(column(x, y)));
  }

  static int paddedColumn(int x, int y) {
    return x * 33 + y;
  }

  @Kernel
  static void padded(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    var tile = block.sharedFloats(32 * 33);
    int x = block.threadIndexX();
    int y = block.threadIndexY();
    tile.set(y * 33 + x, in.get(y * 32 + x));
    block.sync();
    out.set(y * 32 + x, tile.get(paddedColumn(x, y)));
  }

  static int swizzledColumn(int x, int y) {
    return x * 32 + (y ^ x);
  }

  @Kernel
  static void swizzled(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    var tile = block.sharedFloats(32 * 32);
    int x = block.threadIndexX();
    int y = block.threadIndexY();
    for (int row = y; row < 32; row += 8) {
      tile.set(row * 32 + (x ^ row), in.get(row * 32 + x));
    }
    block.sync();
    for (int row = y; row < 32; row += 8) {
      out.set(row * 32 + x, tile.get(swizzledColumn(x, row)));
    }
  }

  // --- rows of 128 threads

  static int second(int x) {
    return 2 * x;
  }

  @Kernel(maxThreads = 128)
  static void everySecond(ThreadBlock block, GlobalFloats out) {
    var tile = block.sharedFloats(4096);
    tile.set(second(block.threadIndexX()), 1);
    block.sync();
    out.set(block.threadIndexX(), tile.get(block.threadIndexX()));
  }

  static int fourth(int x) {
    return 4 * x + 1;
  }

  @Kernel(maxThreads = 128)
  static void everyFourth(ThreadBlock block, GlobalFloats out) {
    var tile = block.sharedFloats(4096);
    tile.set(fourth(block.threadIndexX()), 1);
    block.sync();
    out.set(block.threadIndexX(), tile.get(block.threadIndexX()));
  }

  static int rowOf64(int x) {
    return 64 * x;
  }

  @Kernel(maxThreads = 32)
  static void rowsOf64(ThreadBlock block, GlobalFloats out) {
    var tile = block.sharedFloats(64 * 32);
    tile.set(rowOf64(block.threadIndexX()), 1);
    block.sync();
    out.set(block.threadIndexX(), tile.get(block.threadIndexX()));
  }

  static int sevenPlaces(int x) {
    return x * x % 7 * 32;
  }

  @Kernel(maxThreads = 128)
  static void remainders(ThreadBlock block, GlobalFloats out) {
    var tile = block.sharedFloats(4096);
    tile.set(sevenPlaces(block.threadIndexX()), 1);
    block.sync();
    out.set(block.threadIndexX(), tile.get(block.threadIndexX()));
  }

  static int each(int x) {
    return x;
  }

  static int twoOfThree(int x) {
    return x / 3 * 34 + x % 3;
  }

  @Kernel(maxThreads = 128)
  static void doubles(ThreadBlock block, GlobalDoubles out) {
    var tile = block.sharedDoubles(4096);
    tile.set(second(block.threadIndexX()), 1);
    tile.set(twoOfThree(block.threadIndexX()), 1);
    block.sync();
    out.set(block.threadIndexX(), tile.get(each(block.threadIndexX())));
  }

  static int byteOfRow(int x) {
    return x * 128 + 3;
  }

  @Kernel(maxThreads = 128)
  static void bytes(ThreadBlock block, GlobalInts out) {
    var tile = block.sharedBytes(128 * 128);
    tile.set(byteOfRow(block.threadIndexX()), (byte) 1);
    block.sync();
    out.set(block.threadIndexX(), tile.get(each(block.threadIndexX())));
  }

  static int quad(int x) {
    return 4 * x;
  }

  static int quadOfRow(int x) {
    return 64 * (x % 64);
  }

  @Kernel(maxThreads = 128)
  static void quads(ThreadBlock block, GlobalFloats out) {
    var tile = block.sharedFloats(64 * 64);
    tile.set4(quadOfRow(block.threadIndexX()), new Float4(1, 2, 3, 4));
    block.sync();
    out.set(block.threadIndexX(), tile.get4(quad(block.threadIndexX())).x());
  }

  static int nothing(int x) {
    return 17 + 0 * x;
  }

  @Kernel(maxThreads = 128)
  static void broadcast(ThreadBlock block, GlobalFloats out) {
    var tile = block.sharedFloats(64);
    tile.set(block.threadIndexX() & 63, 1);
    block.sync();
    out.set(block.threadIndexX(), tile.get(nothing(block.threadIndexX())));
  }

  // --- matrices: rows of 64 halfs

  static int matrixRow(int lane) {
    return lane * 128;
  }

  static int swizzledRow(int lane) {
    return Swizzle.bytes128(lane * 128);
  }

  @Kernel(maxThreads = 32)
  static void matrices(ThreadBlock block, GlobalInts out) {
    var tile = block.sharedBytes(32 * 128);
    int[] d = new int[4];
    tile.set(block.threadIndexX(), (byte) 1);
    block.sync();
    Ptx.ldmatrixX4(d, 0, tile, matrixRow(block.warp().lane()));
    out.set(block.threadIndexX(), d[0] + d[1] + d[2] + d[3]);
    Ptx.ldmatrixX2(d, 0, tile, swizzledRow(block.warp().lane()));
    out.set(block.threadIndexX(), d[0] + d[1]);
    block.sync();
    Ptx.stmatrixX4(tile, swizzledRow(block.warp().lane()), d, 0);
    block.sync();
    out.set(block.threadIndexX(), tile.get(block.threadIndexX()));
  }

  // --- what depends on more

  @Kernel(maxThreads = 128)
  static void strideOfArgument(ThreadBlock block, GlobalFloats out, int stride, int from) {
    var tile = block.sharedFloats(4096);
    tile.set(block.threadIndexX() * stride + from, 1);
    block.sync();
    out.set(block.threadIndexX(), tile.get(block.threadIndexX() + from));
  }

  @Kernel(maxThreads = 128)
  static void gathered(ThreadBlock block, GlobalInts index, GlobalFloats out) {
    var tile = block.sharedFloats(4096);
    tile.set(block.threadIndexX(), 1);
    block.sync();
    out.set(block.threadIndexX(), tile.get(index.get(block.threadIndexX())));
  }

  @Kernel(maxThreads = 128)
  static void guarded(ThreadBlock block, GlobalFloats out, int n) {
    var tile = block.sharedFloats(4096);
    int x = block.threadIndexX();
    if (x % 2 == 0) {
      tile.set(x * 16, 1);
    }
    if (block.globalIndexX() < n) {
      tile.set(x + 64, 1);
    }
    block.sync();
    out.set(x, tile.get(x));
  }

  /** The reduction whose strides double. */
  @Kernel(maxThreads = 256)
  static void interleaved(ThreadBlock block, GlobalFloats x, int n) {
    var tile = block.sharedFloats(256);
    int i = block.threadIndexX();
    tile.set(i, x.get(i));
    block.sync();
    for (int s = 1; s < n; s *= 2) {
      int index = 2 * s * i;
      if (index < 256) {
        tile.set(index, 2f);
      }
      block.sync();
    }
    x.set(i, tile.get(0));
  }

  /** The loop counter adds the same to all lanes' addresses. */
  @Kernel
  static void columns(ThreadBlock block, GlobalFloats x, int n) {
    var tile = block.sharedFloats(256 * 32);
    float sum = 0;
    for (int k = 0; k < n; k++) {
      sum += tile.get(block.threadIndexX() + 32 * k);
    }
    for (int k = block.threadIndexX(); k < n; k += block.blockSizeX()) {
      sum += tile.get(k);
    }
    x.set(block.threadIndexX(), sum);
  }

  /** Either half of the lanes has another row. */
  @Kernel(maxThreads = 64)
  static void chosen(ThreadBlock block, GlobalFloats x) {
    var tile = block.sharedFloats(4096);
    int i = block.threadIndexX();
    int at;
    if (i % 2 == 0) {
      at = i * 32;
      tile.set(4095, 0);
    } else {
      at = i;
      tile.set(4094, 0);
    }
    x.set(i, tile.get(at));
  }
}
