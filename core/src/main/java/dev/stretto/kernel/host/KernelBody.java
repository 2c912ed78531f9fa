package dev.stretto.kernel.host;

import dev.stretto.compiler.KernelCompiler;
import dev.stretto.compiler.KernelSource;
import dev.stretto.compiler.KernelTarget;
import dev.stretto.driver.KernelTwin;
import dev.stretto.kernel.machine.BlockThreads;
import dev.stretto.kernel.machine.ClusterOrder;
import dev.stretto.kernel.machine.ClusterQueue;
import dev.stretto.kernel.machine.Clusters;
import dev.stretto.kernel.machine.GlobalRaces;
import dev.stretto.kernel.machine.GridBarrier;
import dev.stretto.kernel.machine.KernelFaults;
import dev.stretto.kernel.machine.LaunchExtents;
import dev.stretto.kernel.machine.SteppedLaunch;
import dev.stretto.kernel.machine.TurnOrder;
import dev.stretto.kernel.machine.WaitingPlaces;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A kernel's Java method, ready to be called for every thread of a launch. */
public final class KernelBody {
  /** The number of a launch's threads of which a few are enough. */
  private static final int FEW = 256;

  private final MethodHandle method;
  private final ThreadCalls calls;
  private final boolean synchronizes;
  private final boolean communicates;
  private final boolean copies;
  private final boolean fetches;
  private final boolean keepsTime;
  private final boolean compiles;
  private final @Nullable KernelSource source;
  private volatile @Nullable TightLoop loop;
  private volatile boolean tried;
  private volatile @Nullable Steps steps;

  /**
   * Creates a body.
   *
   * @param method the method, which takes the block and the kernel's parameters
   * @param calls calls the method for a thread
   * @param synchronizes whether threads of a block wait for each other or share memory
   * @param communicates whether threads communicate through atomic operations
   * @param copies whether copies fill shared memory, or warp groups multiply its content
   * @param fetches whether its bulk copies may read global memory, on targets that have bulk copies
   * @param keepsTime whether threads read the time or sleep
   * @param compiles whether it may be compiled; otherwise the method itself runs in any case
   * @param source the method for the compiler; null if the compiler shall not see it
   */
  public KernelBody(
      MethodHandle method,
      ThreadCalls calls,
      boolean synchronizes,
      boolean communicates,
      boolean copies,
      boolean fetches,
      boolean keepsTime,
      boolean compiles,
      @Nullable KernelSource source) {
    this.compiles = compiles;
    this.source = source;
    this.method = method;
    this.calls = calls;
    this.communicates = communicates;
    this.synchronizes = synchronizes;
    this.copies = copies;
    this.fetches = fetches;
    this.keepsTime = keepsTime;
  }

  /** Whether bulk copies may read global memory on a target. */
  boolean fetches(int computeCapability) {
    return synchronizes && fetches && computeCapability >= 90;
  }

  boolean keepsTime() {
    return keepsTime;
  }

  boolean communicates() {
    return communicates;
  }

  boolean synchronizes() {
    return synchronizes;
  }

  /** Runs clusters whose threads do not wait for each other, thread by thread. */
  void runPlain(
      KernelFaults faults, LaunchExtents extents, ClusterOrder order, Object[] arguments) {
    TightLoop threads = loop();
    for (long nth = 0; nth < order.count(); nth++) {
      runPlain(threads, faults, extents, order.of(nth), arguments);
    }
  }

  private static void runPlain(
      TightLoop threads,
      KernelFaults faults,
      LaunchExtents extents,
      long cluster,
      Object[] arguments) {
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

  /**
   * Clusters whose threads do not wait for each other. A seed picks the order of some of these
   * threads. Threads that communicate through atomic operations, and those of which it is not known
   * what they access, also take turns and are watched; their turns may change between any two
   * accesses that others can see. A few clusters are enough to show whether a kernel depends on the
   * order, and take almost no time.
   */
  KernelTwin.Run shuffled(
      KernelFaults faults,
      LaunchExtents extents,
      SplittableRandom random,
      ClusterOrder order,
      Object[] arguments,
      KernelTwin.DeviceMemory room) {
    ClusterOrder head = head(extents, order);
    ClusterOrder behind = order.behind(head);
    List<ClusterOrder> rest = ShuffledThreads.pieces(behind, random);
    TurnOrder turns = new TurnOrder.Seeded(random);
    if (communicates) {
      List<Runnable> pieces = new ArrayList<>();
      rest.forEach(piece -> pieces.add(() -> runPlain(faults, extents, piece, arguments)));
      ClusterQueue queue = new ClusterQueue(head);
      return new ShuffledThreads.Before(
          together(faults, extents, turns, queue, arguments, room, true, new GlobalRaces()),
          pieces);
    }
    TightLoop threads = loop();
    ShuffledLaunch.First first =
        steps(extents).isPresent()
            ? new ShuffledThreads(faults, extents, threads, arguments, head, random)
            : new IndependentThreads(
                Clusters.ofIndependentThreads(
                    launch(faults, extents, arguments, room, new GlobalRaces()),
                    turns,
                    new ClusterQueue(head),
                    room),
                head);
    return new ShuffledLaunch(
        first,
        head.count(),
        rest,
        order,
        cluster -> runPlain(threads, faults, extents, cluster, arguments));
  }

  /** The first clusters of a launch. */
  static ClusterOrder head(LaunchExtents extents, ClusterOrder order) {
    long each = (long) extents.threadsPerBlock() * extents.blocksPerCluster();
    return order.head(Math.max(1, FEW / each));
  }

  private BlockThreads.Body bound(Object[] arguments) {
    return calls.body(MethodHandles.insertArguments(method, 1, arguments));
  }

  /** Clusters whose threads wait for each other. */
  Clusters together(
      KernelFaults faults,
      LaunchExtents extents,
      TurnOrder turns,
      ClusterQueue queue,
      Object[] arguments,
      KernelTwin.DeviceMemory room,
      boolean advances,
      @Nullable GlobalRaces global) {
    return new Clusters(
        launch(faults, extents, arguments, room, global), turns, queue, room, advances);
  }

  private Clusters.Kernel launch(
      KernelFaults faults,
      LaunchExtents extents,
      Object[] arguments,
      KernelTwin.DeviceMemory room,
      @Nullable GlobalRaces global) {
    return new Clusters.Kernel(
        faults,
        extents,
        bound(arguments),
        copies,
        global,
        new GridBarrier(extents, room.meeting(), global),
        room,
        waiting(extents));
  }

  /**
   * {@return the kernel as code whose threads go in steps; nothing if its method has to run}
   *
   * @param extents the launch
   */
  Optional<Steps> steps(LaunchExtents extents) {
    if (source == null || !compiles) {
      return Optional.empty();
    }
    if (!tried) {
      compile(extents.computeCapability());
    }
    return Optional.ofNullable(steps);
  }

  /** Several host threads may begin a launch together: one of them compiles. */
  private synchronized void compile(int computeCapability) {
    KernelSource known = source;
    if (!tried && known != null) {
      KernelTarget target = new KernelTarget(computeCapability);
      try {
        steps =
            Steps.of(calls.lookup(), known, target, copies, fetches(computeCapability))
                .orElse(null);
      } catch (RuntimeException | AssertionError e) { // the method does the same, only slower
        System.getLogger("dev.stretto")
            .log(
                System.Logger.Level.WARNING,
                "kernel "
                    + known.method()
                    + " cannot be compiled for virtual devices, and its method runs instead, some"
                    + " hundred times slower. This is a bug in Stretto: report it with the class"
                    + " file",
                e);
      }
      tried = true;
    }
  }

  /** Clusters whose threads go in steps. */
  SteppedLaunch inSteps(
      Steps with,
      KernelFaults faults,
      LaunchExtents extents,
      TurnOrder turns,
      ClusterQueue queue,
      Object[] arguments,
      KernelTwin.DeviceMemory room,
      boolean advances,
      @Nullable GlobalRaces global) {
    with.requireUnchanged();
    Clusters.Kernel launch =
        new Clusters.Kernel(
            faults,
            extents,
            (_, _) -> {},
            copies,
            global,
            new GridBarrier(extents, room.meeting(), global),
            room,
            waiting(extents));
    return new SteppedLaunch(
        new SteppedLaunch.Compiled(launch, with.kernel(), with.plan(), calls::block, arguments),
        turns,
        queue,
        room,
        advances);
  }

  private WaitingPlaces waiting(LaunchExtents extents) {
    return source == null
        ? WaitingPlaces.NONE
        : new WaitingPlaces(
            () ->
                KernelCompiler.waiting(source, new KernelTarget(extents.computeCapability()))
                    .stream()
                    .map(Steps::stack)
                    .toList());
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
