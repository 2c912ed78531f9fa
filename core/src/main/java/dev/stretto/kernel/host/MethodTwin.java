package dev.stretto.kernel.host;

import dev.stretto.driver.KernelTwin;
import dev.stretto.driver.LaunchShape;
import dev.stretto.kernel.machine.ClusterOrder;
import dev.stretto.kernel.machine.ClusterQueue;
import dev.stretto.kernel.machine.GlobalRaces;
import dev.stretto.kernel.machine.KernelFaults;
import dev.stretto.kernel.machine.LaunchExtents;
import dev.stretto.kernel.machine.TurnOrder;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Runs a Java method for every thread of a launch.
 *
 * @param entry the kernel's name
 * @param arguments unpacks the arguments of a launch
 * @param body the method
 * @param operationsPerThread the operations of a thread, for the modelled clock
 * @param computeCapability the compute capability for which the kernel is compiled
 * @param seed the seed of the order in which threads get their turns, or empty for the order of
 *     their ranks
 * @param isWatched whether all blocks are watched for races without a seed as well
 */
public record MethodTwin(
    String entry,
    KernelArguments arguments,
    KernelBody body,
    double operationsPerThread,
    int computeCapability,
    OptionalLong seed,
    boolean isWatched)
    implements KernelTwin {

  /** The same twin with a hint for the modelled clock. */
  public MethodTwin withOperationsPerThread(double operations) {
    return new MethodTwin(entry, arguments, body, operations, computeCapability, seed, isWatched);
  }

  @Override
  public KernelTwin seeded(long with) {
    return new MethodTwin(
        entry,
        arguments,
        body,
        operationsPerThread,
        computeCapability,
        OptionalLong.of(with),
        isWatched);
  }

  @Override
  public KernelTwin watched() {
    return new MethodTwin(
        entry, arguments, body, operationsPerThread, computeCapability, seed, true);
  }

  /**
   * A single cluster is worth another host thread if its threads wait for each other, because it
   * then takes long.
   */
  @Override
  public int leastClusters() {
    return body.synchronizes() ? 1 : KernelTwin.super.leastClusters();
  }

  @Override
  public void run(
      LaunchShape shape, long first, long last, MemorySegment packed, DeviceMemory memory) {
    LaunchExtents extents = new LaunchExtents(shape, computeCapability);
    ClusterOrder order = ClusterOrder.of(first, last);
    if (runsTogether(extents, packed, memory)) {
      run(extents, new ClusterQueue(order), packed, memory, watch());
    } else {
      body.runPlain(new KernelFaults(entry), extents, order, unpack(packed, memory, false));
    }
  }

  /** Whether the launch's threads wait for each other, or are watched. */
  private boolean runsTogether(LaunchExtents extents, MemorySegment packed, DeviceMemory memory) {
    return body.synchronizes() || (watchesAll() && mayRace(extents, packed, memory));
  }

  /** Whether threads that do not wait for each other may race. */
  private boolean mayRace(LaunchExtents extents, MemorySegment packed, DeviceMemory memory) {
    return body.steps(extents)
        .map(steps -> steps.mayRace(extents, numbers(packed, memory, false)))
        .orElse(false);
  }

  /** Whether all blocks are watched. */
  private boolean watchesAll() {
    return seed.isPresent() || isWatched;
  }

  /** Watches the global memory of a launch; null if nobody does. */
  private @Nullable GlobalRaces watch() {
    return watchesAll() ? new GlobalRaces() : null;
  }

  @Override
  public Work work(LaunchShape shape, MemorySegment packed) {
    LaunchExtents extents = new LaunchExtents(shape, computeCapability);
    if (!body.synchronizes()) {
      return watchesAll() ? watched(shape, extents, packed) : KernelTwin.super.work(shape, packed);
    }
    return together(shape, extents, packed);
  }

  /** Whether threads may race shows only when the memory is there. */
  private Work watched(LaunchShape shape, LaunchExtents extents, MemorySegment packed) {
    Work together = together(shape, extents, packed);
    Work plain =
        body.steps(extents).isPresent()
            ? KernelTwin.super.work(shape, packed)
            : headFirst(shape, extents, packed);
    return memory -> (mayRace(extents, packed, memory) ? together : plain).run(memory);
  }

  /** A launch whose first clusters are watched, since nobody knows what its method accesses. */
  private Work headFirst(LaunchShape shape, LaunchExtents extents, MemorySegment packed) {
    ClusterOrder head = KernelBody.head(extents, ClusterOrder.of(0, shape.clusters()));
    AtomicBoolean begun = new AtomicBoolean();
    AtomicLong next = new AtomicLong(head.count());
    return memory -> {
      KernelFaults faults = new KernelFaults(entry);
      try {
        if (!begun.getAndSet(true)) {
          Object[] watched = unpack(packed, memory, true);
          body.together(
                  faults,
                  extents,
                  new TurnOrder.ByRank(),
                  new ClusterQueue(head),
                  watched,
                  memory,
                  false,
                  new GlobalRaces())
              .run();
        }
        Object[] arguments = unpack(packed, memory, false);
        for (long at = next.getAndIncrement(); at < shape.clusters(); at = next.getAndIncrement()) {
          body.runPlain(faults, extents, ClusterOrder.of(at, at + 1), arguments);
        }
      } catch (Throwable e) {
        next.set(shape.clusters());
        throw e;
      }
    };
  }

  private Work together(LaunchShape shape, LaunchExtents extents, MemorySegment packed) {
    GlobalRaces watch = watch();
    long clusters = shape.clusters();
    // The last one is watched; those that look for what others do begin in order, as on a GPU.
    boolean inOrder = body.steps(extents).map(steps -> steps.plan().asks()).orElse(true);
    ClusterQueue queue =
        new ClusterQueue(inOrder ? ClusterOrder.of(0, clusters) : ClusterOrder.lastFirst(clusters));
    return memory -> {
      try {
        run(extents, queue, packed, memory, watch);
      } catch (Throwable e) {
        queue.close(e);
        throw e;
      }
    };
  }

  /** Runs clusters whose threads wait for each other, or are watched. */
  private void run(
      LaunchExtents extents,
      ClusterQueue queue,
      MemorySegment packed,
      DeviceMemory memory,
      @Nullable GlobalRaces watch) {
    KernelFaults faults = new KernelFaults(entry);
    boolean watched = watch != null;
    TurnOrder turns =
        seed.isPresent()
            ? new TurnOrder.Seeded(new SplittableRandom(seed.getAsLong()))
            : new TurnOrder.ByRank();
    Optional<Steps> steps = body.steps(extents);
    if (steps.isPresent()) {
      Object[] numbers = numbers(packed, memory, watched);
      body.inSteps(steps.get(), faults, extents, turns, queue, numbers, memory, false, watch).run();
    } else {
      Object[] unpacked = unpack(packed, memory, watched);
      body.together(faults, extents, turns, queue, unpacked, memory, false, watch).run();
    }
  }

  @Override
  public Run start(LaunchShape shape, MemorySegment packed, DeviceMemory memory) {
    if (seed.isEmpty()) {
      return KernelTwin.super.start(shape, packed, memory);
    }
    GlobalRaces watch = watch();
    LaunchExtents extents = new LaunchExtents(shape, computeCapability);
    KernelFaults faults = new KernelFaults(entry);
    Object[] unpacked = unpack(packed, memory, true);
    SplittableRandom random = new SplittableRandom(seed.getAsLong());
    ClusterOrder order = ClusterOrder.seeded(0, shape.clusters(), random);
    boolean alone = !body.synchronizes() && !memory.hasWindows();
    if (alone && (body.communicates() || !mayRace(extents, packed, memory))) {
      return body.shuffled(faults, extents, random, order, unpacked, memory);
    }
    TurnOrder turns = new TurnOrder.Seeded(random);
    ClusterQueue queue = new ClusterQueue(order);
    Optional<Steps> steps = body.steps(extents);
    return steps.isPresent()
        ? body.inSteps(
            steps.get(),
            faults,
            extents,
            turns,
            queue,
            numbers(packed, memory, true),
            memory,
            true,
            watch)
        : body.together(faults, extents, turns, queue, unpacked, memory, true, watch);
  }

  private Object[] unpack(MemorySegment packed, DeviceMemory memory, boolean watched) {
    return arguments.of(packed, memory, watched || body.fetches(computeCapability));
  }

  private Object[] numbers(MemorySegment packed, DeviceMemory memory, boolean watched) {
    return arguments.numbers(packed, memory, watched || body.fetches(computeCapability));
  }

  @Override
  public boolean keepsTime() {
    return body.keepsTime();
  }

  @Override
  public long nanos(LaunchShape shape, MemorySegment packed, Machine machine) {
    double threads = (double) shape.blocks() * shape.threadsPerBlock();
    double seconds =
        Math.max(
            arguments.bytes(packed, _ -> true) / machine.memoryBytesPerSecond(),
            threads * operationsPerThread / machine.operationsPerSecond());
    double onLink = arguments.bytes(packed, machine.isHost()) / machine.linkBytesPerSecond();
    return Math.round(Math.max(seconds, onLink) * 1e9);
  }
}
