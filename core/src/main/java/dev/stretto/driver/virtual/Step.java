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

  /** Between two operations there is room for the numbers of so many tasks. */
  private static final int TASKS_BETWEEN = 1 << 20;

  private final @Nullable StreamOp op;
  private final @Nullable Runnable task;
  private final OpName name;
  private final ActorRank actor;
  private final long sequence;

  /** The priority of the next piece by itself; negative if it has to be drawn. */
  private double rank = -1;

  /** The turn in which its next piece was first ready; 0 if it has not been yet. */
  private long readySince;

  /** The ends of the remaining pieces. */
  private final Deque<Long> ends = new ArrayDeque<>();

  private long from;

  private Step(
      @Nullable StreamOp op, @Nullable Runnable task, OpName name, ActorRank actor, long sequence) {
    this.op = op;
    this.task = task;
    this.name = name;
    this.actor = actor;
    this.sequence = sequence;
  }

  /**
   * {@return a task of the host}
   *
   * @param number its number
   * @param sequence the number of the last operation that was enqueued
   */
  static Step of(Runnable task, int number, long sequence) {
    OpName name = new OpName(OpName.HOST, "task", number);
    return new Step(
        null, task, name, new ActorRank(), sequence * TASKS_BETWEEN + number % TASKS_BETWEEN);
  }

  /**
   * {@return an operation, in as many pieces as the seed picks} The pieces depend on its name only,
   * so they are the same in whatever order things happen.
   */
  static Step of(StreamOp op, long seed) {
    Step step = new Step(op, null, op.name(), op.stream().actor(), op.sequence * TASKS_BETWEEN);
    long length = op.length();
    if (op.bytes() > WHOLE_BYTES) {
      SplittableRandom random = new SplittableRandom(seed ^ ((long) step.name.hashCode() << 20));
      int pieces = 1 + random.nextInt(MOST_PIECES);
      long from = 0;
      for (int piece = 1; piece < pieces && length - from > 1; piece++) {
        from += 1 + random.nextLong(length - from - 1);
        step.ends.add(from);
      }
    }
    step.ends.add(length);
    return step;
  }

  @Nullable StreamOp op() {
    return op;
  }

  OpName name() {
    return name;
  }

  /** {@return the priority of its stream; a task has one of its own} */
  ActorRank actor() {
    return actor;
  }

  /** {@return when it was enqueued, compared with others} */
  long sequence() {
    return sequence;
  }

  /** {@return the priority of its next piece, drawn when it is first needed} */
  double rank(SplittableRandom random) {
    if (rank < 0) {
      rank = random.nextDouble();
    }
    return rank;
  }

  /** Has the priority of its next piece drawn anew. */
  void forgetRank() {
    rank = -1;
  }

  /**
   * {@return the turn in which its next piece was first ready}
   *
   * @param turn the present one
   */
  long readySince(long turn) {
    if (readySince == 0) {
      readySince = turn;
    }
    return readySince;
  }

  /** Has the turns counted anew. */
  void readyAnew() {
    readySince = 0;
  }

  /** {@return whether the two may see each other's effects} A task may do anything. */
  boolean meets(Step other) {
    return op == null || other.op == null || Touched.meet(op.touches(), other.op.touches());
  }

  /** {@return whether it is an operation that was dropped meanwhile} */
  boolean isOver() {
    return op != null && op.done;
  }

  /** {@return whether it waits for another process} */
  boolean waitsForOthers() {
    return op != null && !op.done && op.waitsForOthers();
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
