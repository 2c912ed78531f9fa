package dev.stretto.route;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong on a stream after the call had returned: what nobody was told of yet, and the
 * last few by the number of their operation. Guarded by the engine's lock.
 */
final class Failures {
  private static final int REMEMBERED = 1024;

  /** More are not told together: an exception is read by people. */
  private static final int TOLD_TOGETHER = 16;

  private static final class Failed {
    final long sequence;
    final RuntimeException cause;
    final boolean ofCallback;
    boolean told;

    Failed(long sequence, RuntimeException cause, boolean ofCallback) {
      this.sequence = sequence;
      this.cause = cause;
      this.ofCallback = ofCallback;
    }
  }

  private final ArrayDeque<Failed> byOperation = new ArrayDeque<>();
  private final List<RuntimeException> untaken = new ArrayList<>(1);

  /**
   * @param ofCallback whether the program's own code threw it
   */
  void add(long sequence, RuntimeException cause, boolean ofCallback) {
    if (untaken.size() < TOLD_TOGETHER) {
      untaken.add(cause);
    }
    Loss.kept(cause);
    byOperation.add(new Failed(sequence, cause, ofCallback));
    if (byOperation.size() > REMEMBERED) {
      byOperation.remove();
    }
  }

  /** The first failure since the last call, with those after it as suppressed ones. */
  @Nullable RuntimeException take() {
    if (untaken.isEmpty()) {
      return null;
    }
    RuntimeException first = untaken.getFirst();
    for (RuntimeException other : untaken.subList(1, untaken.size())) {
      if (!other.equals(first)) { // which an exception that is thrown again and again may be
        first.addSuppressed(other);
      }
    }
    untaken.forEach(Loss::shown);
    untaken.clear();
    byOperation.forEach(failed -> failed.told = true);
    return first;
  }

  @Nullable RuntimeException of(long sequence) {
    for (Failed failed : byOperation) {
      if (failed.sequence == sequence) {
        failed.told = true;
        Loss.shown(failed.cause);
        return failed.cause;
      }
    }
    return null;
  }

  /** The operation itself has thrown its failure at the program. */
  @SuppressWarnings("ReferenceEquality") // this very exception
  void tell(RuntimeException cause) {
    for (Failed failed : byOperation) {
      failed.told |= failed.cause == cause;
    }
  }

  /** The failures that no exception has brought to the program. */
  List<Untold> untold() {
    return byOperation.stream()
        .filter(failed -> !failed.told)
        .map(failed -> new Untold(failed.sequence, failed.cause, failed.ofCallback))
        .toList();
  }

  /**
   * A failure that no exception has brought to the program.
   *
   * @param sequence the operation's number
   * @param cause why it failed
   * @param ofCallback whether the program's own code threw it
   */
  record Untold(long sequence, RuntimeException cause, boolean ofCallback) {}
}
