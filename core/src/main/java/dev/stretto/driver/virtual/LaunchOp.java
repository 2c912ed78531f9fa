package dev.stretto.driver.virtual;

import dev.stretto.driver.KernelTwin;
import dev.stretto.driver.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/** A kernel launch. */
final class LaunchOp extends Op {
  private final LoadedFunction function;
  private final LaunchShape shape;
  private final MemorySegment parameters;
  private final long nanos;

  /**
   * A launch that was found legal.
   *
   * @param parameters copied from the caller's
   * @param nanos how long it takes on the modelled device
   */
  LaunchOp(
      StreamQueue stream,
      LoadedFunction function,
      LaunchShape shape,
      MemorySegment parameters,
      long nanos) {
    super(stream);
    this.function = function;
    this.shape = shape;
    this.parameters = parameters;
    this.nanos = nanos;
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
    return "launch of %s, %d blocks".formatted(function.entry(), shape.blocks());
  }
}
