package dev.stretto.driver.virtual;

import java.lang.foreign.MemorySegment;

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
    return shape.blocks();
  }

  @Override
  boolean splits() {
    return true;
  }

  @Override
  void run(long from, long to) {
    try (LaunchMemory memory = new LaunchMemory(context().memory(), function.entry())) {
      function
          .twin()
          .run(shape.grid(), shape.block(), shape.sharedBytes(), from, to, parameters, memory);
    }
  }

  @Override
  String describe() {
    return "launch of %s, %d blocks".formatted(function.entry(), shape.blocks());
  }
}
