package dev.stretto.driver.virtual;

import dev.stretto.driver.KernelTwin;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a stream. Its state is guarded by the platform's lock and kept by {@link
 * StreamOrder}.
 */
abstract sealed class Op
    permits AllocateOp,
        ConditionOp,
        CopyOp,
        FillOp,
        FreeOp,
        GraphOp,
        LaunchOp,
        PeerCopyOp,
        RecordOp,
        WaitOp {
  private final OpQueue stream;

  /** What has to be done before, beside what stands before it in its stream. */
  private final List<Op> after = new ArrayList<>();

  // Kept by StreamOrder and the scheduler, as one operation's state is nobody else's business.
  final List<Op> dependents = new ArrayList<>();
  long sequence;
  int unmet;
  boolean offered;
  boolean running;
  boolean done;

  /** When it begins and ends on the modelled device, fixed when it is submitted. */
  long startNanos;

  long endNanos;

  Op(OpQueue stream) {
    this.stream = stream;
  }

  final OpQueue stream() {
    return stream;
  }

  final PrimaryContext context() {
    return stream.context();
  }

  /** {@return what has to be done before it, beside what stands before it in its stream} */
  final List<Op> after() {
    return after;
  }

  /**
   * Lets go of its neighbours once it is done, or an event would keep all that ever came before it.
   */
  final void forget() {
    after.clear();
    dependents.clear();
  }

  /** {@return what it occupies} */
  abstract DeviceEngine engine();

  /** {@return whether a launch queue counts it; records and waits an H200 does not count} */
  final boolean isCounted() {
    return engine() != DeviceEngine.NONE;
  }

  /** {@return how many parts its effect has: bytes, rows, elements or blocks} */
  abstract long length();

  /** {@return how many bytes it moves piece by piece, or 0 if its effect is none of bytes} */
  long bytes() {
    return 0;
  }

  /**
   * {@return how many of its parts are worth another thread, or 0 if one thread has to do them all}
   */
  int leastParts() {
    return 0;
  }

  /**
   * Lets a range of its parts happen.
   *
   * @throws RuntimeException if it went astray, which the device does not survive
   */
  abstract void run(long from, long to);

  /** Whether it runs a kernel of the program, which may take any time. */
  boolean runsKernel() {
    return false;
  }

  /**
   * Lets a range of its parts happen, or as much of it as happens without others.
   *
   * @return how far the range is
   * @throws RuntimeException as {@link #run}
   */
  KernelTwin.Run.Progress advance(long from, long to) {
    run(from, to);
    return KernelTwin.Run.Progress.OVER;
  }

  /** What its end brings about at once, under the platform's lock. */
  void happen() {}

  /** Lets go of what it holds, once it is done or was dropped. */
  void discard() {}

  /** {@return what it looks for again and again, in the words of a report; or nothing} */
  String waitsFor() {
    return "";
  }

  /** {@return what it is, in the words of a report} */
  abstract String describe();

  /** {@return the line of the program that launched something, as the end of a clause} */
  static String launchedAt(@Nullable StackTraceElement place) {
    return place == null ? "" : ", launched at " + place;
  }
}
