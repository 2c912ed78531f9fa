package dev.stretto.driver.virtual;

import dev.stretto.driver.KernelTwin;
import dev.stretto.driver.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A kernel launch. */
final class LaunchOp extends Op {
  private final LoadedFunction function;
  private final LaunchShape shape;
  private final MemorySegment parameters;
  private final long nanos;
  private final @Nullable StackTraceElement place;

  /**
   * A launch that was found legal.
   *
   * @param parameters copied from the caller's
   * @param nanos how long it takes on the modelled device
   * @param place the line of the program that launches it or made it a node, if that is known
   */
  LaunchOp(
      StreamQueue stream,
      LoadedFunction function,
      LaunchShape shape,
      MemorySegment parameters,
      long nanos,
      @Nullable StackTraceElement place) {
    super(stream);
    this.function = function;
    this.shape = shape;
    this.parameters = parameters;
    this.nanos = nanos;
    this.place = place;
  }

  long nanos() {
    return nanos;
  }

  @Override
  Engine engine() {
    return Engine.COMPUTE;
  }

  @Override
  long length() {
    return shape.clusters();
  }

  @Override
  int leastParts() {
    return function.twin().leastClusters();
  }

  @Override
  void run(long from, long to) {
    try (LaunchMemory memory = new LaunchMemory(context(), function.entry())) {
      twin().run(shape, from, to, parameters, memory);
    }
  }

  private KernelTwin twin() {
    OptionalLong seed = context().platform().config().seed();
    return seed.isPresent() ? function.twin().seeded(seed.getAsLong() + sequence) : function.twin();
  }

  @Override
  String describe() {
    boolean node = place != null && stream().isOfNode();
    return "launch of %s, %d blocks%s"
        .formatted(
            function.entry(),
            shape.blocks(),
            node ? ", made a node at " + place : launchedAt(place));
  }
}
