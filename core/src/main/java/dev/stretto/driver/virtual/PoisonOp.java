package dev.stretto.driver.virtual;

import dev.stretto.driver.GraphWork;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Memory of a graph begins to be used for something, or is no longer used. What it held is
 * poisoned, so that nothing is read that a launch has not written.
 */
final class PoisonOp extends StreamOp {
  private final GraphWork.Undefined undefined;

  PoisonOp(OpQueue stream, GraphWork.Undefined undefined) {
    super(stream);
    this.undefined = undefined;
  }

  boolean isOver() {
    return undefined.isOver();
  }

  @Override
  DeviceEngine engine() {
    return DeviceEngine.NONE;
  }

  @Override
  long length() {
    return 1;
  }

  @Override
  List<Touched> touches() {
    return List.of(new Touched(undefined.address(), undefined.bytes(), true));
  }

  @Override
  void run(long from, long to) {
    Backing memory =
        context()
            .memory()
            .retain(
                "cuGraphLaunch",
                undefined.address(),
                undefined.bytes(),
                CudaResult.ILLEGAL_ADDRESS);
    try {
      MemorySegment all =
          memory.overwrite(undefined.address() - memory.address(), undefined.bytes());
      if (undefined.isOver()) {
        Poison.freed(all);
      } else {
        Poison.fresh(all);
      }
    } finally {
      memory.release();
    }
  }

  @Override
  String describe() {
    return "%s of %d bytes at %s"
        .formatted(
            isOver() ? "free" : "allocation",
            undefined.bytes(),
            DeviceSpace.name(undefined.address()));
  }
}
