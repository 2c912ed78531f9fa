package dev.stretto.misuse;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.util.List;
import java.util.Random;

/** Kernels, right ones and one that faults. */
final class MisuseKernels {
  private static final KernelMethod.Of3<GlobalInts, Integer, Integer> ADD = MisuseKernels::add;
  private static final KernelMethod.Of1<GlobalInts> FAULT = MisuseKernels::fault;
  private static final KernelMethod.Of1<GlobalInts> ONE = MisuseKernels::one;

  /** No kernel at all. */
  private static final KernelMethod.Of0 NONE = _ -> {};

  private MisuseKernels() {}

  /** {@return one, which seldom faults} */
  static KernelMethod any(Random random) {
    return random.nextInt(300) == 0 ? FAULT : List.of(ADD, ADD, ONE, NONE).get(random.nextInt(4));
  }

  /** Adds a number to every element. */
  @Kernel
  static void add(ThreadBlock block, GlobalInts array, int value, int n) {
    long i = block.globalIndexX();
    if (i < n) {
      array.set(i, array.get(i) + value);
    }
  }

  /** Sets the first element. */
  @Kernel
  static void one(ThreadBlock block, GlobalInts array) {
    if (block.globalIndexX() == 0) {
      array.set(0, 1);
    }
  }

  /** Stores where nothing is. */
  @Kernel
  static void fault(ThreadBlock block, GlobalInts array) {
    array.set(1L << 44, 1);
  }
}
