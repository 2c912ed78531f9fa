package dev.stretto.route;

import dev.stretto.driver.DriverException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The failures on a stream that happened after the call had returned: those not reported yet, and
 * the last few by the number of their operation. Guarded by the driver's lock.
 */
final class Failures {
  private static final int REMEMBERED = 1024;

  /** The most failures in one exception, because people read it. */
  private static final int TOLD_TOGETHER = 16;

  /** The kind of work that has failed. */
  enum Sort {
    /** An operation: later operations miss its results. */
    OPERATION,
    /** The program's own code, in a callback. */
    CALLBACK,
    /** Finding out the stream's progress. */
    WATCH
  }

  /** A failure of this stream, or of another stream that this one has waited for. */
  static final class Failed {
    private final long sequence;
    private final RuntimeException cause;
    private final Sort sort;
    private final Failed origin;

    /** Used only for a failure of this stream. Streams of another driver have another lock. */
    private volatile boolean told;

    private Failed(long sequence, RuntimeException cause, Sort sort) {
      this.sequence = sequence;
      this.cause = cause;
      this.sort = sort;
      this.origin = this;
    }

    private Failed(long sequence, Failed origin) {
      this.sequence = sequence;
      this.cause = origin.cause;
      this.sort = origin.sort;
      this.origin = origin;
    }

    private boolean isOwn() {
      return origin == this;
    }

    private boolean isTold() {
      return origin.told;
    }

    /** Whether the failure affects this operation and is not reported yet. */
    private boolean spoils(long operation) {
      return sort == Sort.OPERATION && sequence <= operation && !isTold();
    }

    private RuntimeException tell() {
      origin.told = true;
      Loss.shown(cause);
      return cause;
    }
  }

  private final DeviceState device;
  private final ArrayDeque<Failed> byOperation = new ArrayDeque<>();
  private final List<Failed> untaken = new ArrayList<>(1);

  /** Read without the lock, usually to find that there are none. */
  private volatile boolean any;

  Failures(DeviceState device) {
    this.device = device;
  }

  /** Keeps the failure of an operation that was handed over after its call had returned. */
  void add(long sequence, RuntimeException cause) {
    add(sequence, cause, Sort.OPERATION);
  }

  /** The same for any kind of failure. */
  void add(long sequence, RuntimeException cause, Sort sort) {
    synchronized (device.lock) {
      RuntimeException raised = cause instanceof DriverException e ? device.raised(e) : cause;
      Loss.kept(raised);
      add(new Failed(sequence, raised, sort));
    }
  }

  private void add(Failed failed) {
    if (untaken.size() < TOLD_TOGETHER) {
      untaken.add(failed);
    }
    byOperation.add(failed);
    if (byOperation.size() > REMEMBERED) {
      byOperation.remove();
    }
    any = true;
  }

  /** The failures up to a point that no exception has reported to the program. */
  List<Failed> untold(long point) {
    if (!any) {
      return List.of();
    }
    synchronized (device.lock) {
      return byOperation.stream().filter(failed -> failed.spoils(point)).toList();
    }
  }

  /**
   * Takes over failures of another stream that this one has waited for: operations after the wait
   * come after those failures.
   *
   * @param sequence the number of the wait
   */
  void inherit(List<Failed> others, long sequence) {
    if (others.isEmpty()) {
      return; // the usual case, and without an iterator
    }
    device.lock.assertHeld();
    for (Failed other : others) {
      if (byOperation.stream().noneMatch(known -> known.origin == other.origin)) {
        add(new Failed(sequence, other.origin));
      }
    }
  }

  /**
   * {@return the first failure since the last call, with the others as suppressed exceptions, or
   * null; each failure is reported once}
   */
  @Nullable RuntimeException take() {
    if (!any) {
      return null;
    }
    synchronized (device.lock) {
      return takeUntaken();
    }
  }

  private @Nullable RuntimeException takeUntaken() {
    untaken.removeIf(failed -> !failed.isOwn() && failed.isTold());
    if (untaken.isEmpty()) {
      return null;
    }
    RuntimeException first = untaken.getFirst().cause;
    for (Failed failed : untaken.subList(1, untaken.size())) {
      if (!failed.cause.equals(first)) { // the same exception may be thrown several times
        first.addSuppressed(failed.cause);
      }
    }
    untaken.clear();
    byOperation.forEach(Failed::tell);
    return first;
  }

  /** {@return why an operation failed; if it did not, {@link #before}} */
  @Nullable RuntimeException upTo(long sequence) {
    if (!any) {
      return null;
    }
    synchronized (device.lock) {
      RuntimeException own = of(sequence);
      return own == null ? firstUntold(sequence) : own;
    }
  }

  private @Nullable RuntimeException of(long sequence) {
    for (Failed failed : byOperation) {
      if (failed.sequence == sequence && failed.isOwn() && failed.sort != Sort.WATCH) {
        return failed.tell();
      }
    }
    return null;
  }

  /**
   * {@return the first failure up to a point that no exception has reported to the program, or
   * null; each failure is reported once} It matters to later operations because they use data that
   * a failed copy should have brought.
   */
  @Nullable RuntimeException before(long point) {
    if (!any) {
      return null;
    }
    synchronized (device.lock) {
      return firstUntold(point);
    }
  }

  private @Nullable RuntimeException firstUntold(long sequence) {
    for (Failed failed : byOperation) {
      if (failed.spoils(sequence)) {
        return failed.tell();
      }
    }
    return null;
  }

  /**
   * Notes that the operation itself reports its failure to the program.
   *
   * @param sequence its number
   * @param cause why it failed
   */
  void tell(long sequence, RuntimeException cause) {
    Loss.shown(cause);
    if (any) {
      synchronized (device.lock) {
        toldBy(sequence, cause);
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // this very exception
  private void toldBy(long sequence, RuntimeException cause) {
    for (Failed failed : byOperation) {
      if (failed.cause == cause || (failed.sequence == sequence && failed.isOwn())) {
        failed.origin.told = true;
      }
    }
  }

  /** The failures of this stream that no exception has reported to the program. */
  List<Untold> untold() {
    return byOperation.stream()
        .filter(failed -> failed.isOwn() && !failed.isTold())
        .map(failed -> new Untold(failed.sequence, failed.cause, failed.sort))
        .toList();
  }

  /**
   * A failure that no exception has reported to the program.
   *
   * @param sequence the operation's number
   * @param cause why it failed
   * @param sort what failed
   */
  record Untold(long sequence, RuntimeException cause, Sort sort) {}
}
