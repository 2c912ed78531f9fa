package dev.stretto.driver.virtual;

import dev.stretto.driver.DriverDevice;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A stream: operations that happen one after the other. Guarded by the platform's lock. */
final class OpQueue {
  /** The implicit synchronization of a stream. */
  enum Sort {
    /** None. */
    NON_BLOCKING,
    /** With the legacy default stream: a stream that another library created without flags. */
    BLOCKING,
    /** With the legacy default stream: a thread's default stream. */
    PER_THREAD,
    /** With every stream that is not non-blocking: the legacy default stream. */
    LEGACY
  }

  private final PrimaryContext context;
  private final long handle;
  private final int priority;
  private final Sort sort;
  private final @Nullable StreamOp launch;

  /** The program's name for the stream, or null. */
  private @Nullable String given;

  private final ArrayDeque<StreamOp> pending = new ArrayDeque<>();
  private int counted;
  private final ActorRank actor = new ActorRank();

  /** How many operations of each kind it has got, under a seed. */
  private int @Nullable [] numbers;

  /** How many nodes of graphs were launched on it. */
  private int nodes;

  private @Nullable String key;

  /** The moments of the latest operations, as many as the launch queue holds. */
  private final ArrayDeque<Moment> ends = new ArrayDeque<>();

  private @Nullable Moment tail;

  /** When the operations that have run end at the earliest on the modelled device. */
  long soonestEndNanos;

  /** Its place among the streams that were created, for its name in traces. */
  private final int ordinal;

  OpQueue(PrimaryContext context, long handle, int priority, Sort sort) {
    this(context, handle, priority, sort, null, context.nextOrdinal());
  }

  private OpQueue(
      PrimaryContext context,
      long handle,
      int priority,
      Sort sort,
      @Nullable StreamOp launch,
      int ordinal) {
    this.context = context;
    this.handle = handle;
    this.priority = priority;
    this.sort = sort;
    this.launch = launch;
    this.ordinal = ordinal;
  }

  /**
   * {@return a stream for one node of a graph's launch}
   *
   * @param doer the device that does the node's work
   * @param begin the beginning of the launch, or of a part of it
   * @param graph the graph's handle
   */
  static OpQueue ofNode(PrimaryContext doer, StreamOp begin, long graph) {
    OpQueue stream = begin.stream();
    StreamOp launch = stream.launch == null ? begin : stream.launch;
    OpQueue base = launch.stream();
    return new OpQueue(doer, graph, stream.priority, Sort.NON_BLOCKING, launch, ++base.nodes);
  }

  PrimaryContext context() {
    return context;
  }

  /** {@return the handle that programs see} */
  long handle() {
    return sort == Sort.PER_THREAD ? DriverDevice.PER_THREAD_STREAM : handle;
  }

  int priority() {
    return priority;
  }

  /** {@return whether it and the legacy default stream wait for each other} */
  boolean waitsForLegacyStream() {
    return sort != Sort.NON_BLOCKING;
  }

  /** {@return its number among the streams that were created on its device} */
  int ordinal() {
    return ordinal;
  }

  /** {@return whether it holds one node of a graph's launch} */
  boolean isOfNode() {
    return launch != null;
  }

  /** {@return the place of an operation, as the end of a clause} */
  String where() {
    return launch == null ? " on " + name() : ", in the " + name();
  }

  String name() {
    if (launch != null) {
      return launch.describe() + launch.stream().where();
    }
    String name = given;
    String what = name == null ? defaultName() : name;
    return what + " of " + context.name();
  }

  private String defaultName() {
    return switch (sort) {
      case NON_BLOCKING -> "stream " + DeviceSpace.name(handle);
      case BLOCKING -> "blocking stream " + DeviceSpace.name(handle);
      case PER_THREAD -> "per-thread default stream " + DeviceSpace.name(handle);
      case LEGACY -> "legacy default stream";
    };
  }

  /** {@return its priority under a seed} */
  ActorRank actor() {
    return actor;
  }

  /** {@return its name in traces, which does not change any more} */
  String key() {
    String known = key;
    if (known == null) {
      known =
          launch != null
              ? launch.stream().key() + "/" + ordinal
              : context.platform().streamNames().of(context, given, sort, ordinal);
      key = known;
    }
    return known;
  }

  /** {@return the number of an operation among those of its kind} */
  int nextNumber(OpKind kind) {
    int[] known = numbers;
    if (known == null) {
      known = new int[OpKind.values().length];
      numbers = known;
    }
    return ++known[kind.ordinal()];
  }

  void setName(String name) {
    given = name;
  }

  int size() {
    return pending.size();
  }

  /** {@return how many of its operations a launch queue counts} */
  int counted() {
    return counted;
  }

  boolean isIdle() {
    return pending.isEmpty();
  }

  /** {@return the operation that is next or running} */
  @Nullable StreamOp head() {
    return pending.peekFirst();
  }

  /** {@return the operation that was added last, if it is not done} */
  @Nullable StreamOp last() {
    return pending.peekLast();
  }

  /** {@return the operations that are not done, in order} */
  Iterable<StreamOp> pending() {
    return pending;
  }

  void add(StreamOp op) {
    pending.addLast(op);
    counted += op.isCounted() ? 1 : 0;
  }

  void removeHead() {
    counted -= pending.removeFirst().isCounted() ? 1 : 0;
  }

  /** {@return the moment of the operation that was submitted last, if there was one} */
  @Nullable Moment tail() {
    return tail;
  }

  /** Notes the moment of an operation that was submitted. */
  void ends(StreamOp op, int limit) {
    tail = op.moment();
    if (waitsForLegacyStream()) {
      context.streams().ends(this, op.moment());
    }
    if (!op.isCounted()) {
      return;
    }
    ends.addLast(op.moment());
    if (ends.size() > limit) {
      ends.removeFirst();
    }
  }

  /**
   * {@return the operation that has to end before the launch queue has room for one more on the
   * modelled device; null if there is room}
   */
  @Nullable Moment oldestOfFull(int limit) {
    return ends.size() < limit ? null : ends.peekFirst();
  }
}
