package dev.stretto.spark;

import dev.stretto.flow.Flow;
import dev.stretto.flow.FlowReport;
import java.util.concurrent.atomic.AtomicBoolean;

/** A flow of a task, with what it has taken from Spark's account. */
final class TaskFlow implements AutoCloseable {
  private final Flow flow;
  private final Runnable stop;
  private final Runnable giveBack;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param stop makes the source and the sink return, if they wait for the task's thread
   * @param giveBack gives the memory back
   */
  TaskFlow(Flow flow, Runnable stop, Runnable giveBack) {
    this.flow = flow;
    this.stop = stop;
    this.giveBack = giveBack;
  }

  /** Awaits its end, throws what has failed, and gives the memory back. */
  FlowReport await() {
    FlowReport report = flow.await();
    close();
    return report;
  }

  boolean isClosed() {
    return closed.get();
  }

  /** Ends the flow, whatever it does, and gives the memory back. Again: no effect. */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    try {
      flow.cancel();
      stop.run();
      flow.close();
    } finally {
      giveBack.run();
    }
  }
}
