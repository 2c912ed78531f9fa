package dev.stretto.twin;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** The kernels of {@code semantics/meeting.cuh}. */
final class MeetingTwinKernels {
  private MeetingTwinKernels() {}

  @Kernel
  static void twice(ThreadBlock block, GlobalInts in, GlobalInts out) {
    long i = block.globalIndexX();
    out.set(i, 2 * in.get(i) + 1);
  }

  @Kernel
  static void answers(ThreadBlock block, GlobalInts words, int last) {
    for (int number = 1; number <= last; number++) {
      while (Atomics.loadAcquire(words, 0, Scope.SYSTEM) < number) {
        // until the host rings
      }
      words.set(2, words.get(1) * words.get(1) + number);
      Atomics.storeRelease(words, 64, number, Scope.SYSTEM);
    }
  }
}
