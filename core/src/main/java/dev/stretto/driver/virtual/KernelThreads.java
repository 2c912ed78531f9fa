package dev.stretto.driver.virtual;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;

/** Spreads the blocks of a kernel over the cores of this machine. */
final class KernelThreads {
  /** Several parts per core, because some blocks may take longer than others. */
  private static final int PARTS_PER_CORE = 4;

  private static final ForkJoinPool POOL = new ForkJoinPool();

  private KernelThreads() {}

  /** Runs a whole operation. */
  static void run(StreamOp op) {
    long length = op.length();
    int least = op.leastParts();
    long parts =
        least == 0 ? 1 : Math.min(length / least, (long) POOL.getParallelism() * PARTS_PER_CORE);
    if (parts < 2) {
      op.run(0, length);
      return;
    }
    List<RecursiveAction> actions = new ArrayList<>();
    long each = length / parts;
    long rest = length % parts;
    for (long part = 0, from = 0; part < parts; part++) {
      long to = from + each + (part < rest ? 1 : 0);
      actions.add(new Part(op, from, to));
      from = to;
    }
    actions.forEach(POOL::execute);
    // Joins all parts, even after a failure: none may still run when the launch is over.
    actions.forEach(RecursiveAction::quietlyJoin);
    for (RecursiveAction action : actions) {
      action.join();
    }
  }

  private static final class Part extends RecursiveAction {
    private static final long serialVersionUID = 1L;

    private final transient StreamOp op;
    private final long from;
    private final long to;

    Part(StreamOp op, long from, long to) {
      this.op = op;
      this.from = from;
      this.to = to;
    }

    @Override
    protected void compute() {
      op.run(from, to);
    }
  }
}
