package dev.stretto.driver.virtual;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;

/** Lets the cores of this machine work together on the blocks of a kernel. */
final class KernelThreads {
  private static final ForkJoinPool POOL = new ForkJoinPool();

  private KernelThreads() {}

  /** Runs a whole operation. */
  static void run(StreamOp op) {
    Runnable worker = op.worker();
    int least = op.leastParts();
    long workers = least == 0 ? 1 : Math.min(op.length() / least, POOL.getParallelism());
    if (workers < 2) {
      worker.run();
      return;
    }
    List<RecursiveAction> actions = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      actions.add(new Share(worker));
    }
    actions.forEach(POOL::execute);
    // Joins all, even after a failure: none may still run when the launch is over.
    actions.forEach(RecursiveAction::quietlyJoin);
    for (RecursiveAction action : actions) {
      action.join();
    }
  }

  private static final class Share extends RecursiveAction {
    private static final long serialVersionUID = 1L;

    private final transient Runnable worker;

    Share(Runnable worker) {
      this.worker = worker;
    }

    @Override
    protected void compute() {
      worker.run();
    }
  }
}
