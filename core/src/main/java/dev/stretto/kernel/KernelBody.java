package dev.stretto.kernel;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/** The Java method that is a kernel, ready to be called for every thread of a launch. */
final class KernelBody {
  private final MethodHandle method;
  private final boolean synchronizes;
  private final boolean multiplies;
  private final boolean fetches;
  private volatile @Nullable TightLoop loop;

  /**
   * A body.
   *
   * @param method takes a {@link ThreadBlock} and the kernel's parameters
   * @param synchronizes whether threads of a block wait for each other or share memory
   * @param multiplies whether warp groups multiply what lies in shared memory
   * @param fetches whether it may have bulk copies read global memory, where the target has them
   */
  KernelBody(MethodHandle method, boolean synchronizes, boolean multiplies, boolean fetches) {
    this.method = method;
    this.synchronizes = synchronizes;
    this.multiplies = multiplies;
    this.fetches = fetches;
  }

  /** Whether bulk copies may read global memory, on a target. */
  boolean fetches(int computeCapability) {
    return synchronizes && fetches && computeCapability >= 90;
  }

  boolean synchronizes() {
    return synchronizes;
  }

  /** Runs clusters whose threads do not wait for each other, thread by thread. */
  void runPlain(
      KernelFaults faults, LaunchExtents extents, long first, long last, Object[] arguments) {
    TightLoop threads = loop();
    for (long cluster = first; cluster < last; cluster++) {
      for (int rank = 0; rank < extents.blocksPerCluster(); rank++) {
        threads.run(
            faults,
            extents,
            extents.x(cluster, rank),
            extents.y(cluster, rank),
            extents.z(cluster, rank),
            arguments);
      }
    }
  }

  /** Runs clusters whose threads wait for each other. */
  void runTogether(
      KernelFaults faults,
      LaunchExtents extents,
      TurnOrder order,
      long first,
      long last,
      Object[] arguments) {
    MethodHandle bound = MethodHandles.insertArguments(method, 1, arguments);
    boolean watches = multiplies || fetches(extents.computeCapability());
    BlockThreads threads = new BlockThreads(faults, extents, bound::invokeExact, order, watches);
    threads.run(first, last);
  }

  private TightLoop loop() {
    TightLoop made = loop;
    if (made == null) {
      made = TightLoop.over(method);
      loop = made;
    }
    return made;
  }
}
