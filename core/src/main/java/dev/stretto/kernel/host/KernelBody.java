package dev.stretto.kernel.host;

import dev.stretto.driver.KernelTwin;
import dev.stretto.kernel.machine.BlockThreads;
import dev.stretto.kernel.machine.ClusterOrder;
import dev.stretto.kernel.machine.Clusters;
import dev.stretto.kernel.machine.KernelFaults;
import dev.stretto.kernel.machine.LaunchExtents;
import dev.stretto.kernel.machine.TurnOrder;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The Java method that is a kernel, ready to be called for every thread of a launch. */
public final class KernelBody {
  /** How many threads of a launch get their turns as a seed picks, where a few are enough. */
  private static final int INTERLEAVED = 256;

  private static final int SHUFFLED = 256;

  private final MethodHandle method;
  private final ThreadCalls calls;
  private final boolean synchronizes;
  private final boolean communicates;
  private final boolean copies;
  private final boolean fetches;
  private volatile @Nullable TightLoop loop;

  /**
   * A body.
   *
   * @param method takes the block and the kernel's parameters
   * @param calls how it is called for a thread
   * @param synchronizes whether threads of a block wait for each other or share memory
   * @param communicates whether threads share something by atomic operations
   * @param copies whether copies fill shared memory, or warp groups multiply what lies there
   * @param fetches whether it may have bulk copies read global memory, where the target has them
   */
  public KernelBody(
      MethodHandle method,
      ThreadCalls calls,
      boolean synchronizes,
      boolean communicates,
      boolean copies,
      boolean fetches) {
    this.method = method;
    this.calls = calls;
    this.communicates = communicates;
    this.synchronizes = synchronizes;
    this.copies = copies;
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
      KernelFaults faults, LaunchExtents extents, ClusterOrder order, Object[] arguments) {
    TightLoop threads = loop();
    for (long nth = 0; nth < order.count(); nth++) {
      long cluster = order.of(nth);
      for (int rank = 0; rank < extents.blocksPerCluster(); rank++) {
        threads.run(
            faults,
            extents,
            extents.x(cluster, rank),
            extents.y(cluster, rank),
            extents.z(cluster, rank),
            0,
            0,
            0,
            extents.threadsPerBlock(),
            arguments);
      }
    }
  }

  /**
   * Clusters whose threads do not wait for each other, with some of them in an order that a seed
   * picks: threads that share something by atomic operations also in turns, between any two of
   * them. A few are enough to show what depends on that, and take next to no time.
   */
  KernelTwin.Run shuffled(
      KernelFaults faults,
      LaunchExtents extents,
      SplittableRandom random,
      ClusterOrder order,
      Object[] arguments,
      KernelTwin.DeviceMemory room) {
    long each = (long) extents.threadsPerBlock() * extents.blocksPerCluster();
    ClusterOrder head = order.head(Math.max(1, (communicates ? INTERLEAVED : SHUFFLED) / each));
    ClusterOrder behind = order.behind(head);
    Runnable rest = () -> runPlain(faults, extents, behind, arguments);
    if (communicates) {
      TurnOrder turns = new TurnOrder.Seeded(random);
      Clusters first = together(faults, extents, turns, head, arguments, room, true);
      return new ShuffledThreads.Before(first, rest);
    }
    ShuffledThreads first = new ShuffledThreads(faults, extents, loop(), arguments, head, random);
    ClusterOrder all = ClusterOrder.of(order.first(), order.first() + order.among());
    return new ShuffledThreads.Whole(
        new ShuffledThreads.Before(first, rest), () -> runPlain(faults, extents, all, arguments));
  }

  private BlockThreads.Body bound(Object[] arguments) {
    return calls.body(MethodHandles.insertArguments(method, 1, arguments));
  }

  /** Clusters whose threads wait for each other. */
  Clusters together(
      KernelFaults faults,
      LaunchExtents extents,
      TurnOrder turns,
      ClusterOrder order,
      Object[] arguments,
      KernelTwin.DeviceMemory room,
      boolean advances) {
    return new Clusters(
        new Clusters.Kernel(faults, extents, bound(arguments), copies),
        turns,
        order,
        room,
        advances);
  }

  private TightLoop loop() {
    TightLoop made = loop;
    if (made == null) {
      made = TightLoop.over(calls.lookup(), method);
      loop = made;
    }
    return made;
  }
}
