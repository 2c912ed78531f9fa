package dev.stretto.driver.virtual;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DeviceProperties;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongUnaryOperator;

/**
 * The modelled times of a device. They are fixed when an operation is submitted. They depend only
 * on earlier submissions and the submitting thread's time, so neither threads nor a seed change
 * them. Operations after a conditional node of a graph are the exception, because its duration is
 * not known in advance. Guarded by the platform's lock.
 */
final class Timing {
  /** Host time of a call that allocates or frees in the order of a stream; estimated. */
  private static final long POOL_SUBMIT_NANOS = 500;

  /**
   * From a number that one stream writes to the end of another one's wait for it are 2.4
   * microseconds on an H200 (bench/cpp/meeting.cu); half of that each.
   */
  private static final long VALUE_NANOS = 1_200;

  private final Platform platform;
  private final DeviceModel model;
  private final BusyTimes toDevice = new BusyTimes();
  private final BusyTimes toHost;
  private final BusyTimes compute = new BusyTimes();
  private final BusyTimes peerOut = new BusyTimes();
  private final BusyTimes peerIn = new BusyTimes();

  Timing(Platform platform, DeviceProperties properties) {
    this.platform = platform;
    this.model = platform.model();
    this.toHost = properties.copyEngines() < 2 ? toDevice : new BusyTimes();
  }

  /**
   * Fixes the times of an operation and advances the time of the calling thread.
   *
   * @param readyNanos when the operations are done that precede it implicitly
   */
  void place(StreamOp op, long readyNanos) {
    ModelClock clock = platform.clock();
    OpQueue stream = op.stream();
    int limit = platform.config().queue();
    clock.atLeast(stream.roomNanos(limit));
    clock.spend(submitNanos(op));
    long ready = Math.max(clock.now(), readyNanos);
    for (StreamOp before : op.after()) {
      ready = Math.max(ready, before.endNanos);
    }
    occupy(op, ready);
    stream.ends(op, limit);
  }

  /**
   * Fixes the times of a node of a graph. The device starts the node as soon as everything on which
   * it depends is done.
   */
  void placeNode(StreamOp op) {
    long ready = op.stream().tailNanos();
    for (StreamOp before : op.after()) {
      ready = Math.max(ready, before.endNanos);
    }
    occupy(op, ready);
    op.stream().ends(op, platform.config().queue());
  }

  /**
   * Postpones an operation of a graph that turned out to depend on more than was known, and all
   * operations after it. They keep their reservations of engines.
   */
  void postpone(StreamOp op) {
    long ready = op.startNanos;
    for (StreamOp before : op.after()) {
      ready = Math.max(ready, before.endNanos);
    }
    postpone(op, ready);
  }

  private static void postpone(StreamOp op, long ready) {
    Deque<StreamOp> moved = new ArrayDeque<>();
    postpone(op, ready, moved);
    for (StreamOp earlier = moved.poll(); earlier != null; earlier = moved.poll()) {
      for (StreamOp dependent : earlier.dependents) {
        postpone(dependent, earlier.endNanos, moved);
      }
    }
  }

  /** Notes that a stream has written a number; called without the lock. */
  void wrote(StreamOp op, long address) {
    platform.lock().lock();
    try {
      platform.written().put(address, op.endNanos);
    } finally {
      platform.lock().unlock();
    }
  }

  /**
   * Postpones the end of a wait for a number, and all that comes after it, to the time at which
   * that was written; called without the lock.
   */
  void hasCome(StreamOp op, long address) {
    platform.lock().lock();
    try {
      Long at = platform.written().get(address);
      if (at != null && !op.done) {
        postpone(op, at);
      }
    } finally {
      platform.lock().unlock();
    }
  }

  private static void postpone(StreamOp op, long ready, Deque<StreamOp> moved) {
    if (op.done || op.startNanos >= ready) {
      return;
    }
    long from = ready;
    boolean reached = false;
    for (StreamOp next : op.stream().pending()) {
      reached |= next == op;
      if (!reached) {
        continue;
      }
      if (next.startNanos >= from) {
        break;
      }
      set(next, from, next.endNanos + from - next.startNanos);
      from = next.endNanos;
      moved.add(next);
    }
    op.stream().endsNoEarlier(from);
  }

  private void occupy(StreamOp op, long ready) {
    switch (op) {
      case RecordOp record -> set(record, ready, ready);
      case WaitOp wait -> set(wait, ready, ready);
      case ValueOp value -> set(value, ready, ready + VALUE_NANOS);
      case AllocateOp allocation -> set(allocation, ready, ready);
      case FreeOp free -> set(free, ready, ready);
      case PoisonOp poison -> set(poison, ready, ready);
      case GraphOp graph -> set(graph, ready, ready);
      case ConditionOp condition ->
          // A single thread, which leaves the multiprocessors free.
          set(condition, ready, ready + DeviceProfile.GRAPH_CONDITION_NANOS);
      case LaunchOp launch -> reserve(launch, compute, ready, model.kernelNanos() + launch.nanos());
      case FillOp fill ->
          reserve(
              fill,
              compute,
              ready,
              model.kernelNanos() + DeviceModel.nanos(fill.bytes(), model.fill()));
      case CopyOp copy -> place(copy, ready);
      case PeerCopyOp copy -> place(copy, ready);
    }
  }

  private long submitNanos(StreamOp op) {
    return switch (op) {
      case CopyOp copy -> model.copySubmitNanos();
      case PeerCopyOp copy -> model.copySubmitNanos();
      case FillOp fill -> model.copySubmitNanos();
      case LaunchOp launch -> model.launchSubmitNanos();
      case RecordOp record -> model.recordSubmitNanos();
      case WaitOp wait -> model.waitSubmitNanos();
      case ValueOp value -> model.waitSubmitNanos();
      case AllocateOp allocation -> POOL_SUBMIT_NANOS;
      case FreeOp free -> POOL_SUBMIT_NANOS;
      case GraphOp graph -> graph.submitNanos();
      case ConditionOp condition -> 0;
      case PoisonOp poison -> 0;
    };
  }

  private void place(CopyOp copy, long ready) {
    long bytes = copy.shape().bytes();
    if (copy.shape().kind() == CopyKind.DEVICE_TO_DEVICE) {
      long nanos = model.kernelNanos() + DeviceModel.nanos(bytes, model.localCopy());
      reserve(copy, compute, ready, nanos);
      return;
    }
    boolean down = copy.shape().kind() == CopyKind.HOST_TO_DEVICE;
    BusyTimes engine = down ? toDevice : toHost;
    if (copy.isPageable()) {
      double rate = down ? model.pageableToDevice() : model.pageableToHost();
      reserve(copy, engine, ready, model.copyEngineNanos() + DeviceModel.nanos(bytes, rate));
      return;
    }
    BusyTimes opposite = down ? toHost : toDevice;
    double alone = down ? model.toDevice() : model.toHost();
    // If two copies overlap, the one submitted later gets half of the rate of both directions
    // together. Then the two take as long as on the GPU, although the earlier one, whose times are
    // already fixed, seems to have run alone.
    double shared = opposite == engine ? alone : Math.min(alone, model.bothWays() / 2);
    reserve(
        copy,
        engine,
        ready,
        start -> opposite.transferEnd(start + model.copyEngineNanos(), bytes, alone, shared));
  }

  /**
   * A copy between devices occupies the sender's outgoing and the receiver's incoming link: those
   * between devices or, if neither has access to the other, those to the host.
   */
  private static void place(PeerCopyOp copy, long ready) {
    PeerModel peers = copy.context().platform().config().profile().peers();
    Timing from = copy.from().timing();
    Timing to = copy.to().timing();
    boolean direct = copy.isDirect();
    BusyTimes out = direct ? from.peerOut : from.toHost;
    BusyTimes in = direct ? to.peerIn : to.toDevice;
    BusyTimes back = direct ? from.peerIn : from.toDevice;
    double alone = direct ? peers.alone() : peers.staged();
    double both = direct ? peers.bothWays() : peers.stagedBothWays();
    // If two equal copies overlap, the earlier one seems to have run alone. The later one is slow
    // during the overlap and fast afterwards, so that the two take as long as on the GPU.
    double shared = back == out ? alone : 2 * alone * (1 - alone / both);
    LongUnaryOperator endOf =
        start -> back.transferEnd(start + peers.nanos(), copy.bytes(), alone, shared);
    long start = BusyTimes.reserveBoth(out, in, ready, endOf);
    set(copy, start, endOf.applyAsLong(start));
  }

  private static void reserve(StreamOp op, BusyTimes engine, long ready, long nanos) {
    reserve(op, engine, ready, start -> start + nanos);
  }

  private static void reserve(StreamOp op, BusyTimes engine, long ready, LongUnaryOperator endOf) {
    long start = engine.reserve(ready, endOf);
    set(op, start, endOf.applyAsLong(start));
  }

  private static void set(StreamOp op, long start, long end) {
    op.startNanos = start;
    op.endNanos = end;
  }
}
