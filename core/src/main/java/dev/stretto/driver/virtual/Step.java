package dev.stretto.driver.virtual;

import dev.stretto.driver.KernelTwin.Run.Progress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A step that a seed can pick: a task, or the next piece of an operation. */
final class Step {
  /** Copies and fills up to this size happen as a whole. */
  private static final long WHOLE_BYTES = 4096;

  private static final int MOST_PIECES = 3;

  private final @Nullable StreamOp op;
  private final @Nullable Runnable task;

  /** The ends of the remaining pieces. */
  private final Deque<Long> ends = new ArrayDeque<>();

  private long from;

  private Step(@Nullable StreamOp op, @Nullable Runnable task) {
    this.op = op;
    this.task = task;
  }

  static Step of(Runnable task) {
    return new Step(null, task);
  }

  /** {@return an operation, in as many pieces as the seed picks} */
  static Step of(StreamOp op, SplittableRandom random) {
    Step step = new Step(op, null);
    long length = op.length();
    int pieces = op.bytes() > WHOLE_BYTES ? 1 + random.nextInt(MOST_PIECES) : 1;
    long from = 0;
    for (int piece = 1; piece < pieces && length - from > 1; piece++) {
      from += 1 + random.nextLong(length - from - 1);
      step.ends.add(from);
    }
    step.ends.add(length);
    return step;
  }

  @Nullable StreamOp op() {
    return op;
  }

  /** {@return whether it is an operation that was dropped meanwhile} */
  boolean isOver() {
    return op != null && op.done;
  }

  /** {@return whether nothing of it is left} */
  boolean isDone() {
    return ends.isEmpty();
  }

  /** {@return the state of the task or the next piece after it has run} */
  Progress run() {
    if (task != null) {
      task.run();
    }
    if (op == null) {
      return Progress.OVER;
    }
    long to = ends.getFirst();
    Progress progress = op.advance(from, to);
    if (progress == Progress.OVER) {
      ends.removeFirst();
      from = to;
    }
    return progress;
  }
}
