package dev.stretto.bench.meeting;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.GridGroup;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.Float4;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;

/** The kernels of {@code bench/cpp/meeting.cu}. */
final class MeetingKernels {
  private MeetingKernels() {}

  @Kernel
  static void syncs(ThreadBlock block, int n) {
    GridGroup grid = block.grid();
    for (int i = 0; i < n; i++) {
      grid.sync();
    }
  }

  @Kernel
  static void reads(ThreadBlock block, GlobalFloats from, GlobalFloats out) {
    float sum = 0;
    long n = from.length() / 4;
    long step = (long) block.gridSizeX() * block.blockSizeX();
    for (long i = block.globalIndexX(); i < n; i += step) {
      Float4 four = from.get4(4 * i);
      sum += four.x() + four.y() + four.z() + four.w();
    }
    if (sum == 1.2345f) {
      out.set(0, sum);
    }
  }

  @Kernel
  static void writes(ThreadBlock block, GlobalFloats to) {
    long n = to.length() / 4;
    long step = (long) block.gridSizeX() * block.blockSizeX();
    for (long i = block.globalIndexX(); i < n; i += step) {
      to.set4(4 * i, new Float4(1, 2, 3, 4));
    }
  }

  @Kernel
  static void answers(ThreadBlock block, GlobalInts words, int n) {
    for (int i = 1; i <= n; i++) {
      int seen = 0;
      while (seen < i) {
        seen = Atomics.loadAcquire(words, 0, Scope.SYSTEM);
      }
      Atomics.storeRelease(words, 128, i, Scope.SYSTEM);
    }
  }
}
