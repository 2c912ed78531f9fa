package dev.stretto.driver.virtual;

/**
 * The name of an operation, which stays the same when the program changes elsewhere.
 *
 * @param stream its stream: the name that the program gave it, or its number on its device
 * @param kind what it does
 * @param number its number, from 1, among those of its kind on its stream
 */
public record OpName(String stream, String kind, int number) {
  /** The stream of the host's tasks. */
  public static final String HOST = "host";

  /** {@return the kind of an operation} */
  static OpKind kind(StreamOp op) {
    return switch (op) {
      case AllocateOp _ -> OpKind.ALLOCATE;
      case ConditionOp _ -> OpKind.CONDITION;
      case CopyOp _ -> OpKind.COPY;
      case FillOp _ -> OpKind.FILL;
      case FreeOp _ -> OpKind.FREE;
      case GraphOp _ -> OpKind.GRAPH;
      case LaunchOp _ -> OpKind.LAUNCH;
      case PeerCopyOp _ -> OpKind.PEER;
      case PoisonOp poison -> poison.isOver() ? OpKind.FREE : OpKind.ALLOCATE;
      case RecordOp _ -> OpKind.RECORD;
      case ValueOp value -> value.waits() ? OpKind.WAIT_VALUE : OpKind.WRITE_VALUE;
      case WaitOp _ -> OpKind.WAIT;
    };
  }

  @Override
  public String toString() {
    return stream + "." + kind + number;
  }
}
