package dev.stretto.driver.virtual;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DeviceProperties;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * The modelled times of a device: how long its operations take, and on which of its parts. {@link
 * Agenda} decides when each one's turn comes. Guarded by the platform's lock.
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
  private final BusyTimes peerOut = new BusyTimes();
  private final BusyTimes peerIn = new BusyTimes();

  /** Kernels, fills and local copies share the memory. */
  private final SharedRate memory = new SharedRate();

  private final FrontEnd frontEnd = new FrontEnd();
  private final Multiprocessors multiprocessors;

  Timing(Platform platform, DeviceProperties properties) {
    this.platform = platform;
    this.model = platform.model();
    this.toHost = properties.copyEngines() < 2 ? toDevice : new BusyTimes();
    this.multiprocessors =
        new Multiprocessors(properties, memory, new SharedRate(), this::allBlocksHaveBegun);
  }

  /**
   * Puts an operation on the agenda and advances the time of the calling thread.
   *
   * @param before the moments that precede it implicitly
   */
  void place(StreamOp op, List<Moment> before) {
    ModelClock clock = platform.clock();
    OpQueue stream = op.stream();
    int limit = platform.config().queue();
    Moment room = stream.oldestOfFull(limit);
    if (room != null) {
      clock.atLeast(platform.agenda().endNanos(room));
    }
    clock.spend(submitNanos(op));
    add(op, clock.now(), before);
  }

  /**
   * Puts a node of a graph on the agenda. The device starts the node as soon as everything on which
   * it depends is done.
   */
  void placeNode(StreamOp op) {
    Moment before = op.stream().tail();
    add(op, 0, before == null ? List.of() : List.of(before));
  }

  private void add(StreamOp op, long ready, List<Moment> before) {
    op.submittedNanos = ready;
    Moment moment = platform.agenda().moment(op, ready);
    before.forEach(moment::putAfter);
    for (StreamOp each : op.after()) {
      moment.putAfter(each.moment());
    }
    op.setMoment(moment);
    platform.agenda().add(moment);
    op.stream().ends(op, platform.config().queue());
  }

  /**
   * {@return when an operation begins at the earliest, if nothing else kept the device busy} It is
   * known when the operation runs, and the same on every run, whereas the time itself may still
   * depend on what the program enqueues meanwhile.
   */
  long soonestNanos(StreamOp op) {
    long soonest = Math.max(op.submittedNanos, op.stream().soonestEndNanos);
    for (StreamOp before : op.after()) {
      soonest = Math.max(soonest, before.soonestEndNanos);
    }
    return soonest + op.leadNanos();
  }

  /** Notes that an operation has run. */
  void hasRun(StreamOp op) {
    op.soonestEndNanos = soonestNanos(op) + aloneNanos(op);
    op.stream().soonestEndNanos = op.soonestEndNanos;
  }

  private long aloneNanos(StreamOp op) {
    return switch (op) {
      case LaunchOp launch -> launch.aloneNanos();
      case CopyOp copy -> DeviceModel.nanos(copy.bytes(), rate(copy.shape().kind()));
      case FillOp fill -> DeviceModel.nanos(fill.bytes(), model.fill());
      default -> 0;
    };
  }

  private double rate(CopyKind kind) {
    return switch (kind) {
      case HOST_TO_DEVICE -> model.toDevice();
      case DEVICE_TO_HOST -> model.toHost();
      case DEVICE_TO_DEVICE -> model.localCopy();
    };
  }

  /** Notes that a stream has written a number; called without the lock. */
  void wrote(StreamOp op, long address) {
    platform.lock().lock();
    try {
      platform.written().put(address, op.moment());
    } finally {
      platform.lock().unlock();
    }
  }

  /**
   * Notes that the number has come for which a stream waits: its wait ends after the write; called
   * without the lock.
   */
  void hasCome(StreamOp op, long address) {
    platform.lock().lock();
    try {
      Moment write = platform.written().get(address);
      if (write != null) {
        platform.agenda().putAfter(op.moment(), write);
      }
    } finally {
      platform.lock().unlock();
    }
  }

  /** Begins an operation whose turn has come. */
  void begin(Moment moment, long turn) {
    StreamOp op = moment.op();
    switch (op) {
      case RecordOp _, WaitOp _, AllocateOp _, FreeOp _, PoisonOp _, GraphOp _ ->
          fix(moment, turn, turn);
      case ValueOp _ -> fix(moment, turn, turn + VALUE_NANOS);
      // A single thread, which leaves the multiprocessors free.
      case ConditionOp _ -> fix(moment, turn, turn + DeviceProfile.GRAPH_CONDITION_NANOS);
      case LaunchOp launch -> {
        OpQueue stream = launch.stream();
        long at = stream.isOfNode() ? turn : frontEnd.begin(stream.ordinal(), turn);
        multiprocessors.arrive(moment, launch.demand(), at);
        if (multiprocessors.isAsked()) {
          platform.agenda().asks(multiprocessors);
        }
      }
      case FillOp fill -> moveLocally(moment, turn, DeviceModel.nanos(fill.bytes(), model.fill()));
      case CopyOp copy -> place(moment, copy, turn);
      case PeerCopyOp copy -> place(moment, copy, turn);
    }
  }

  private void allBlocksHaveBegun(WaitingLaunch launch) {
    fix(launch.moment(), launch.startNanos() - model.kernelNanos(), launch.endNanos());
  }

  private void fix(Moment moment, long start, long end) {
    platform.agenda().fix(moment, start, end);
  }

  /** A fill or a copy within the device needs its memory, but no room in multiprocessors. */
  private void moveLocally(Moment moment, long start, long nanos) {
    fix(moment, start, memory.end(start + model.kernelNanos(), nanos));
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

  private void place(Moment moment, CopyOp copy, long ready) {
    long bytes = copy.shape().bytes();
    if (copy.shape().kind() == CopyKind.DEVICE_TO_DEVICE) {
      moveLocally(moment, ready, DeviceModel.nanos(bytes, model.localCopy()));
      return;
    }
    boolean down = copy.shape().kind() == CopyKind.HOST_TO_DEVICE;
    BusyTimes engine = down ? toDevice : toHost;
    if (copy.isPageable()) {
      double rate = down ? model.pageableToDevice() : model.pageableToHost();
      long nanos = model.copyEngineNanos() + DeviceModel.nanos(bytes, rate);
      reserve(moment, engine, ready, start -> start + nanos);
      return;
    }
    BusyTimes opposite = down ? toHost : toDevice;
    double alone = down ? model.toDevice() : model.toHost();
    // If two copies overlap, the one that comes later gets half of the rate of both directions
    // together. Then the two take as long as on the GPU, although the earlier one, whose times are
    // already fixed, seems to have run alone.
    double shared = opposite == engine ? alone : Math.min(alone, model.bothWays() / 2);
    reserve(
        moment,
        engine,
        ready,
        start -> opposite.transferEnd(start + model.copyEngineNanos(), bytes, alone, shared));
  }

  /**
   * A copy between devices occupies the sender's outgoing and the receiver's incoming link: those
   * between devices or, if neither has access to the other, those to the host.
   */
  private void place(Moment moment, PeerCopyOp copy, long ready) {
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
    fix(moment, start, endOf.applyAsLong(start));
  }

  private void reserve(Moment moment, BusyTimes engine, long ready, LongUnaryOperator endOf) {
    long start = engine.reserve(ready, endOf);
    fix(moment, start, endOf.applyAsLong(start));
  }
}
