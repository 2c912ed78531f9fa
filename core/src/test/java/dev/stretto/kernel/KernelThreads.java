package dev.stretto.kernel;

import dev.stretto.compiler.KernelSource;
import dev.stretto.compiler.KernelTarget;
import dev.stretto.driver.KernelTwin;
import dev.stretto.driver.LaunchShape;
import dev.stretto.kernel.host.Steps;
import dev.stretto.kernel.machine.BlockThreads;
import dev.stretto.kernel.machine.ClusterOrder;
import dev.stretto.kernel.machine.ClusterQueue;
import dev.stretto.kernel.machine.Clusters;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.kernel.machine.GridBarrier;
import dev.stretto.kernel.machine.KernelFaults;
import dev.stretto.kernel.machine.LaunchExtents;
import dev.stretto.kernel.machine.Resident;
import dev.stretto.kernel.machine.SteppedLaunch;
import dev.stretto.kernel.machine.ThreadPosition;
import dev.stretto.kernel.machine.TurnOrder;
import dev.stretto.kernel.machine.WaitingPlaces;
import dev.stretto.memory.Allocation;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/** Runs a body for every thread of a grid, as a virtual device does, without a device around it. */
public final class KernelThreads {
  private static final int SM = 80;

  private KernelThreads() {}

  /** What every thread does. */
  @FunctionalInterface
  public interface Body {
    /** Runs for one thread. */
    void run(ThreadBlock block) throws Throwable;
  }

  /**
   * {@return memory that a body reaches}
   *
   * @param address what its address is said to be
   */
  public static Allocation memory(long address, MemorySegment memory) {
    return new Resident(address, memory);
  }

  private static LaunchExtents extents(int[] grid, int[] block) {
    return new LaunchExtents(
        LaunchShape.of(grid[0], grid[1], grid[2], block[0], block[1], block[2], 0), SM);
  }

  /**
   * Runs thread after thread, none of which waits for another one.
   *
   * @param grid blocks in x, y and z
   * @param block threads in x, y and z
   */
  public static void runPlain(int[] grid, int[] block, Body body) throws Throwable {
    LaunchExtents extents = extents(grid, block);
    for (long number = 0; number < (long) grid[0] * grid[1] * grid[2]; number++) {
      for (int rank = 0; rank < extents.threadsPerBlock(); rank++) {
        body.run(
            ThreadBlock.alone(
                extents,
                extents.x(number, 0),
                extents.y(number, 0),
                extents.z(number, 0),
                rank % block[0],
                rank / block[0] % block[1],
                rank / block[0] / block[1]));
      }
    }
  }

  private static final KernelTwin.DeviceMemory NO_MEMORY =
      address -> {
        throw new IllegalStateException("no memory at " + address);
      };

  /**
   * Runs threads that wait for each other, in an order that a seed picks.
   *
   * @param grid blocks in x, y and z
   * @param block threads in x, y and z
   */
  public static void runTogether(String name, int[] grid, int[] block, long seed, Body body) {
    long blocks = (long) grid[0] * grid[1] * grid[2];
    TurnOrder order = new TurnOrder.Seeded(new SplittableRandom(seed));
    new Clusters(
            new Clusters.Kernel(
                new KernelFaults(name),
                extents(grid, block),
                new Threads(body),
                false,
                null,
                alone(grid, block),
                NO_MEMORY,
                WaitingPlaces.NONE),
            order,
            new ClusterQueue(ClusterOrder.of(0, blocks)),
            NO_MEMORY,
            false)
        .run();
  }

  private static GridBarrier alone(int[] grid, int[] block) {
    return new GridBarrier(extents(grid, block), MemorySegment.ofArray(new long[2]), null);
  }

  /**
   * Compiles a kernel for the JVM and runs it in steps.
   *
   * @param seed picks the order in which threads go on; without one they do in that of their ranks
   * @param arguments of the parameters that are not constants
   * @return whether it can be compiled
   */
  public static boolean runInSteps(
      KernelSource source, int[] grid, int[] block, OptionalLong seed, Object... arguments) {
    Optional<Steps> steps =
        Steps.of(BlockCalls.CALLS.lookup(), source, new KernelTarget(SM), false, false);
    if (steps.isEmpty()) {
      return false;
    }
    Clusters.Kernel launch =
        new Clusters.Kernel(
            new KernelFaults(source.method()),
            extents(grid, block),
            (_, _) -> {},
            false,
            null,
            alone(grid, block),
            NO_MEMORY,
            WaitingPlaces.NONE);
    TurnOrder order =
        seed.isPresent()
            ? new TurnOrder.Seeded(new SplittableRandom(seed.getAsLong()))
            : new TurnOrder.ByRank();
    new SteppedLaunch(
            new SteppedLaunch.Compiled(
                launch,
                steps.get().kernel(),
                steps.get().plan(),
                BlockCalls.CALLS::block,
                arguments),
            order,
            new ClusterQueue(ClusterOrder.of(0, (long) grid[0] * grid[1] * grid[2])),
            address -> {
              throw new AssertionError("memory at " + address);
            },
            false)
        .run();
    return true;
  }

  /** Gives a body what a kernel gets. */
  private record Threads(Body body) implements BlockThreads.Body {
    @Override
    public void run(ThreadPosition at, DeviceThread thread) throws Throwable {
      body.run(
          new ThreadBlock(
              at.extents(),
              at.blockX(),
              at.blockY(),
              at.blockZ(),
              at.threadX(),
              at.threadY(),
              at.threadZ(),
              thread));
    }
  }
}
