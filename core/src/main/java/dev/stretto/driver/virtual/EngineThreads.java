package dev.stretto.driver.virtual;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run the operations of one engine of a device. They are started when needed.
 * Guarded by the platform's lock.
 */
final class EngineThreads {
  private final String name;
  private final int most;
  private final Condition work;
  private final Consumer<EngineThreads> loop;
  private final PriorityQueue<StreamOp> ready =
      new PriorityQueue<>(
          Comparator.<StreamOp>comparingInt(op -> op.stream().priority())
              .thenComparingLong(op -> op.sequence));
  private int threads;
  private int idle;
  private boolean closed;

  /**
   * Creates an engine without threads.
   *
   * @param most the most operations that run at once
   * @param loop the body of each thread: takes operations and runs them
   */
  EngineThreads(String name, int most, Condition work, Consumer<EngineThreads> loop) {
    this.name = name;
    this.most = most;
    this.work = work;
    this.loop = loop;
  }

  /** {@return whether there is a thread that will run the operation} */
  boolean offer(StreamOp op) {
    ready.add(op);
    startThreads();
    work.signal();
    return hasThreads();
  }

  boolean hasThreads() {
    return threads > 0;
  }

  /** Starts as many threads as there is work for, if the process can have them. */
  void startThreads() {
    if (ready.size() > idle && threads < most) {
      try {
        Thread.ofPlatform()
            .daemon()
            .inheritInheritableThreadLocals(false)
            .name(name + "-" + threads)
            .start(() -> loop.accept(this));
        threads++;
      } catch (OutOfMemoryError e) {
        // The existing threads do the work; if there are none, see ThreadScheduler.asked().
      }
    }
  }

  /**
   * {@return the most urgent operation; waits for one, and returns null once the lane is closed}
   */
  @Nullable StreamOp take() {
    while (true) {
      if (closed) {
        return null;
      }
      StreamOp op = ready.poll();
      if (op == null) {
        idle++;
        work.awaitUninterruptibly();
        idle--;
      } else if (!op.done) {
        return op;
      }
    }
  }

  /** {@return the most urgent operation, or null if there is none} */
  @Nullable StreamOp poll() {
    for (StreamOp op = ready.poll(); op != null; op = ready.poll()) {
      if (!op.done) {
        return op;
      }
    }
    return null;
  }

  void close() {
    closed = true;
    ready.clear();
    work.signalAll();
  }
}
