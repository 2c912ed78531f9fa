package dev.stretto.bench.kernel;

import dev.stretto.kernel.FastMath;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.Float4;
import dev.stretto.memory.GlobalFloats;

/**
 * The acceleration of each body by all bodies, with one tile of them in shared memory at a time. A
 * body is four floats: x, y, z and its mass.
 */
final class NBody {
  static final int THREADS = 256;
  static final float SOFTENING = 1e-3f;

  private static final int UNROLL = 8;

  private NBody() {}

  @Kernel(maxThreads = THREADS)
  static void nbody(ThreadBlock block, GlobalFloats bodies, GlobalFloats accelerations, int n) {
    SharedFloats tile = block.sharedFloats(4 * THREADS);
    int thread = block.threadIndexX();
    int i = block.blockIndexX() * THREADS + thread;
    Float4 me = bodies.get4(4L * i);
    float ax = 0;
    float ay = 0;
    float az = 0;
    for (int start = 0; start < n; start += THREADS) {
      tile.set4(4 * thread, bodies.get4(4L * (start + thread)));
      block.sync();
      for (int j = 0; j < THREADS; j += UNROLL) {
        for (int k = 0; k < UNROLL; k++) {
          Float4 other = tile.get4(4 * (j + k));
          float dx = other.x() - me.x();
          float dy = other.y() - me.y();
          float dz = other.z() - me.z();
          float square = Math.fma(dx, dx, Math.fma(dy, dy, Math.fma(dz, dz, SOFTENING)));
          float inverse = FastMath.rsqrt(square);
          float scale = other.w() * inverse * (inverse * inverse);
          ax = Math.fma(dx, scale, ax);
          ay = Math.fma(dy, scale, ay);
          az = Math.fma(dz, scale, az);
        }
      }
      block.sync();
    }
    accelerations.set4(4L * i, new Float4(ax, ay, az, 0));
  }
}
