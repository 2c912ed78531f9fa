package dev.stretto.driver.virtual;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.ObjIntConsumer;

/** Reads the condition of a graph node, and has the chosen body enqueued. */
final class ConditionOp extends StreamOp {
  private final long condition;
  private final ObjIntConsumer<ConditionOp> decided;
  private int value;

  /**
   * Creates a reading.
   *
   * @param condition device address of an int
   * @param decided gets the value, with the platform's lock held, before later operations may run
   */
  ConditionOp(OpQueue stream, long condition, ObjIntConsumer<ConditionOp> decided) {
    super(stream);
    this.condition = condition;
    this.decided = decided;
  }

  @Override
  DeviceEngine engine() {
    return DeviceEngine.COMPUTE;
  }

  /** What follows depends on the condition. */
  @Override
  boolean isLengthOpen() {
    return true;
  }

  @Override
  long length() {
    return 1;
  }

  @Override
  List<Touched> touches() {
    return List.of(new Touched(condition, Integer.BYTES, false));
  }

  @Override
  void run(long from, long to) {
    Backing memory =
        context()
            .memory()
            .retain(
                "conditional node of a graph",
                condition,
                Integer.BYTES,
                CudaResult.ILLEGAL_ADDRESS);
    try {
      value =
          memory
              .read(condition - memory.address(), Integer.BYTES)
              .get(ValueLayout.JAVA_INT_UNALIGNED, 0);
    } finally {
      memory.release();
    }
  }

  @Override
  void happen() {
    decided.accept(this, value);
  }

  @Override
  String describe() {
    return "reading of a graph's condition at " + DeviceSpace.name(condition);
  }
}
