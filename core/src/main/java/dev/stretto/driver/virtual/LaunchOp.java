package dev.stretto.driver.virtual;

import dev.stretto.driver.KernelTwin;
import dev.stretto.driver.KernelTwin.Run.Progress;
import dev.stretto.driver.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A kernel launch. */
final class LaunchOp extends StreamOp {
  private final LoadedFunction function;
  private final LaunchShape shape;
  private final MemorySegment parameters;
  private final LaunchCost cost;
  private final @Nullable StackTraceElement place;
  private final Residency room;
  private final LaunchWaits waits;

  /** A launch that has begun and runs for a while at a time. */
  private record UnderWay(KernelTwin.Run run, LaunchMemory memory) {}

  private @Nullable UnderWay underWay;

  /**
   * Creates a launch that has passed the checks.
   *
   * @param parameters a copy of the caller's parameters
   * @param cost how long it takes on the modelled device
   * @param place the line of the program that launches it or made it a graph node, or null
   */
  LaunchOp(
      OpQueue stream,
      LoadedFunction function,
      LaunchShape shape,
      MemorySegment parameters,
      LaunchCost cost,
      @Nullable StackTraceElement place) {
    super(stream);
    this.function = function;
    this.shape = shape;
    this.parameters = parameters;
    this.cost = cost;
    this.place = place;
    this.waits = new LaunchWaits(shape.clusters());
    this.room = new Residency(shape, function.properties(), stream.context().properties());
  }

  /** {@return what it asks of the modelled device} */
  WaitingLaunch.Demand demand() {
    long together = shape.isCooperative() ? shape.blocks() : shape.blocksPerCluster();
    return new WaitingLaunch.Demand(
        Multiprocessor.needs(function.properties(), shape, context().properties()),
        shape.blocks(),
        together,
        cost.memoryNanos(),
        cost.operationNanos(),
        waits.byCluster(),
        shape.blocksPerCluster());
  }

  @Override
  boolean isLengthOpen() {
    return function.twin().keepsTime();
  }

  /** {@return how long it takes at least, without its lead} */
  long aloneNanos() {
    long work = Math.max(cost.memoryNanos(), cost.operationNanos());
    return Math.max(work, waits.longest());
  }

  /** The time in which a launch becomes blocks on multiprocessors. */
  @Override
  long leadNanos() {
    return context().platform().model().kernelNanos();
  }

  @Override
  DeviceEngine engine() {
    return DeviceEngine.COMPUTE;
  }

  @Override
  long length() {
    return shape.clusters();
  }

  @Override
  List<Touched> touches() {
    return Touched.ANYTHING;
  }

  @Override
  int leastParts() {
    return function.twin().leastClusters();
  }

  @Override
  boolean runsKernel() {
    return true;
  }

  @Override
  Runnable worker() {
    KernelTwin.Work work = twin().work(shape, parameters);
    return () -> {
      try (LaunchMemory memory = memory()) {
        work.run(memory);
      }
    };
  }

  @Override
  void run(long from, long to) {
    try (LaunchMemory memory = memory()) {
      twin().run(shape, from, to, parameters, memory);
    }
  }

  /** Runs the whole launch, a while at a time. */
  @Override
  Progress advance(long from, long to) {
    UnderWay now = underWay;
    if (now == null) {
      LaunchMemory memory = memory();
      try {
        now = new UnderWay(twin().start(shape, parameters, memory), memory);
      } catch (Throwable e) {
        memory.close();
        throw e;
      }
      underWay = now;
    }
    Progress progress = Progress.OVER;
    try {
      progress = now.run().advance();
    } finally {
      if (progress == Progress.OVER) {
        underWay = null;
        now.memory().close();
      }
    }
    return progress;
  }

  @Override
  void discard() {
    UnderWay now = underWay;
    if (now != null) {
      underWay = null;
      now.run().abandon();
      now.memory().close();
    }
  }

  @Override
  String waitsFor() {
    UnderWay now = underWay;
    return now == null ? "" : now.run().waitsFor();
  }

  private LaunchMemory memory() {
    long begin = context().timing().soonestNanos(this);
    return new LaunchMemory(context(), function.entry(), room, waits, begin);
  }

  private KernelTwin twin() {
    Platform platform = context().platform();
    OptionalLong seed = platform.config().seed();
    KernelTwin twin = platform.watchesKernels() ? function.twin().watched() : function.twin();
    return seed.isPresent() ? twin.seeded(seed.getAsLong() + sequence) : twin;
  }

  @Override
  String describe() {
    boolean node = place != null && stream().isOfNode();
    return "%slaunch of %s, %d blocks%s"
        .formatted(
            shape.isCooperative() ? "cooperative " : "",
            function.entry(),
            shape.blocks(),
            node ? ", made a node at " + place : launchedAt(place));
  }
}
