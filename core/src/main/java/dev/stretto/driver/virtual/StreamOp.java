package dev.stretto.driver.virtual;

import dev.stretto.driver.KernelTwin;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a stream. Its state is guarded by the platform's lock and kept by {@link
 * StreamOrder}.
 */
abstract sealed class StreamOp
    permits AllocateOp,
        ConditionOp,
        CopyOp,
        FillOp,
        FreeOp,
        GraphOp,
        LaunchOp,
        PeerCopyOp,
        PoisonOp,
        RecordOp,
        ValueOp,
        WaitOp {
  private final OpQueue stream;

  /**
   * The operations that have to be done before it, in addition to those before it in its stream.
   */
  private final List<StreamOp> after = new ArrayList<>();

  // Kept by StreamOrder and the scheduler only.
  final List<StreamOp> dependents = new ArrayList<>();
  long sequence;

  /** Its number among those of its kind on its stream; kept under a seed only. */
  int number;

  int unmet;
  boolean offered;
  boolean running;
  boolean done;

  /** When it begins and ends on the modelled device; set when it is submitted. */
  private @Nullable Moment moment;

  /** The modelled time of the host when it was submitted. */
  long submittedNanos;

  /** When it ends at the earliest on the modelled device; known when it has run. */
  long soonestEndNanos;

  StreamOp(OpQueue stream) {
    this.stream = stream;
  }

  final OpQueue stream() {
    return stream;
  }

  /** {@return when it begins and ends on the modelled device; valid once it is submitted} */
  final Moment moment() {
    return Objects.requireNonNull(moment, "moment");
  }

  final void setMoment(Moment submitted) {
    moment = submitted;
  }

  final PrimaryContext context() {
    return stream.context();
  }

  /**
   * {@return the operations that have to be done before it, in addition to those before it in its
   * stream}
   */
  final List<StreamOp> after() {
    return after;
  }

  /**
   * Drops the references to its neighbours when it is done. Otherwise an event would keep all
   * operations before it reachable.
   */
  final void forget() {
    after.clear();
    dependents.clear();
  }

  /** {@return its name in a trace} */
  final OpName name() {
    return new OpName(stream.key(), OpName.kind(this).word(), number);
  }

  /** {@return the memory that it touches} */
  List<Touched> touches() {
    return List.of();
  }

  /** {@return the engine that it occupies} */
  abstract DeviceEngine engine();

  /** {@return whether a launch queue counts it} An H200 does not count records and waits. */
  final boolean isCounted() {
    return engine() != DeviceEngine.NONE && engine() != DeviceEngine.VALUES;
  }

  /** Whether only its run tells how long it takes on the modelled device. */
  boolean isLengthOpen() {
    return false;
  }

  /** {@return the time for which it takes part in nothing yet, after its turn in its stream} */
  long leadNanos() {
    return 0;
  }

  /** {@return how many parts its effect has: bytes, rows, elements or blocks} */
  abstract long length();

  /** {@return how many bytes it moves piece by piece, or 0 if it does not move bytes} */
  long bytes() {
    return 0;
  }

  /** {@return what does all of it, on one thread or on several ones together} */
  Runnable worker() {
    return () -> run(0, length());
  }

  /** {@return the fewest parts that are worth another thread, or 0 if one thread has to do all} */
  int leastParts() {
    return 0;
  }

  /**
   * Runs a range of its parts.
   *
   * @throws RuntimeException if it failed; the device is lost then
   */
  abstract void run(long from, long to);

  /** Whether it runs a kernel of the program, which may take any length of time. */
  boolean runsKernel() {
    return false;
  }

  /**
   * Runs a range of its parts, as far as possible without other operations.
   *
   * @return the state of the range
   * @throws RuntimeException as {@link #run} does
   */
  KernelTwin.Run.Progress advance(long from, long to) {
    run(from, to);
    return KernelTwin.Run.Progress.OVER;
  }

  /** Has the effects that its end has at once; called with the platform's lock held. */
  void happen() {}

  /** Releases what it holds, after it is done or was dropped. */
  void discard() {}

  /** Whether it waits for another process, which nothing here can tell the end of. */
  boolean waitsForOthers() {
    return false;
  }

  /** {@return what it polls for, in words for a report; or nothing} */
  String waitsFor() {
    return "";
  }

  /** {@return a description of it for a report} */
  abstract String describe();

  /** {@return the line of the program that made a launch, as the end of a clause} */
  static String launchedAt(@Nullable StackTraceElement place) {
    return place == null ? "" : ", launched at " + place;
  }
}
