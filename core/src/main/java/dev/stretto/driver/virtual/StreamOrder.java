package dev.stretto.driver.virtual;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * Decides which operation may run: the first of its stream, once all operations on which it depends
 * are done. Both schedulers share these rules. Every method is called with the platform's lock
 * held.
 */
final class StreamOrder {
  private final Platform platform;
  private long lastSequence;

  StreamOrder(Platform platform) {
    this.platform = platform;
  }

  /** {@return the number of the operation that was enqueued last} */
  long lastSequence() {
    return lastSequence;
  }

  /** Adds an operation to its stream. */
  void append(StreamOp op) {
    op.sequence = ++lastSequence;
    if (platform.config().seed().isPresent()) {
      op.number = op.stream().nextNumber(OpName.kind(op));
    }
    for (StreamOp before : op.after()) {
      if (!before.done) {
        before.dependents.add(op);
        op.unmet++;
      }
    }
    OpQueue stream = op.stream();
    stream.add(op);
    op.context().busy().add(stream);
    settle(new ArrayDeque<>(), stream);
  }

  /** Makes an operation that may not run yet also wait for others. */
  void putAfter(StreamOp op, List<StreamOp> others) {
    for (StreamOp before : others) {
      if (!before.done && !op.after().contains(before)) {
        op.after().add(before);
        before.dependents.add(op);
        op.unmet++;
      }
    }
  }

  /**
   * Removes an operation from its stream, run or not, and offers the operations that may run now.
   */
  void complete(StreamOp op) {
    Queue<StreamOp> completed = new ArrayDeque<>();
    completed.add(op);
    drain(completed);
  }

  /**
   * Drops all operations of a context's streams. Running operations run to their end, without
   * effect on order.
   */
  void drop(PrimaryContext context) {
    while (!context.busy().isEmpty()) {
      OpQueue stream = context.busy().iterator().next();
      for (StreamOp head = stream.head(); head != null; head = stream.head()) {
        complete(head);
      }
    }
  }

  private void settle(Queue<StreamOp> completed, OpQueue stream) {
    StreamOp head = stream.head();
    if (head != null && head.unmet == 0 && !head.offered) {
      offer(head, completed);
    }
    drain(completed);
  }

  /**
   * Works through a queue instead of recursing, because a thousand records in a row form one chain.
   */
  private void drain(Queue<StreamOp> completed) {
    boolean any = false;
    for (StreamOp op = completed.poll(); op != null; op = completed.poll()) {
      if (op.done) {
        continue;
      }
      any = true;
      finish(op);
      for (StreamOp dependent : op.dependents) {
        dependent.unmet--;
        if (dependent.unmet == 0 && dependent.stream().head() == dependent && !dependent.offered) {
          offer(dependent, completed);
        }
      }
      op.forget();
      StreamOp next = op.stream().head();
      if (next != null && next.unmet == 0 && !next.offered) {
        offer(next, completed);
      }
    }
    if (any) {
      platform.changed().signalAll();
    }
  }

  private void finish(StreamOp op) {
    if (op.context().isRunningWork()) {
      op.happen();
    }
    op.done = true;
    op.context().timing().hasRun(op);
    platform.agenda().hasLength(op.moment());
    OpQueue stream = op.stream();
    stream.removeHead();
    if (stream.isIdle()) {
      op.context().busy().remove(stream);
      op.context().streams().idle(stream);
    }
    if (!op.running) {
      op.discard();
    }
    if (op instanceof RecordOp recording) {
      platform.scheduler().recorded(recording);
    }
  }

  private void offer(StreamOp op, Queue<StreamOp> completed) {
    op.offered = true;
    boolean atOnce = op.engine() == DeviceEngine.NONE && platform.scheduler().recordsAtOnce();
    if (atOnce || !op.context().isRunningWork()) {
      completed.add(op);
    } else {
      platform.scheduler().offer(op);
    }
  }

  /**
   * {@return a description of the operation at the head of each stream, and of what it waits for}
   */
  static String describe(PrimaryContext context) {
    StringBuilder report = new StringBuilder();
    for (OpQueue stream : context.busy()) {
      StreamOp head = stream.head();
      if (head == null) {
        continue;
      }
      report.append("%n  %s holds %d: %s".formatted(stream.name(), stream.size(), head.describe()));
      if (head.running) {
        report.append(", which is running");
      } else if (!head.waitsFor().isEmpty()) {
        report.append(
            ", which cannot go on before something else does what it polls for: "
                + head.waitsFor());
      }
      for (StreamOp before : head.after()) {
        if (!before.done) {
          report.append(
              ", which waits until the %s%s is done"
                  .formatted(before.describe(), before.stream().where()));
        }
      }
    }
    return report.toString();
  }
}
