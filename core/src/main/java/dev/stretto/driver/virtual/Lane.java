package dev.stretto.driver.virtual;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run what one engine of a device does. Started when they are needed; guarded by
 * the platform's lock.
 */
final class Lane {
  private final String name;
  private final int most;
  private final Condition work;
  private final Consumer<Lane> loop;
  private final PriorityQueue<Op> ready =
      new PriorityQueue<>(
          Comparator.<Op>comparingInt(op -> op.stream().priority())
              .thenComparingLong(op -> op.sequence));
  private int threads;
  private int idle;
  private boolean closed;

  /**
   * Without threads yet.
   *
   * @param most how many operations run at once at most
   * @param loop what each thread does: takes operations and runs them
   */
  Lane(String name, int most, Condition work, Consumer<Lane> loop) {
    this.name = name;
    this.most = most;
    this.work = work;
    this.loop = loop;
  }

  void offer(Op op) {
    ready.add(op);
    if (ready.size() > idle && threads < most) {
      Thread.ofPlatform()
          .daemon()
          .inheritInheritableThreadLocals(false)
          .name(name + "-" + threads)
          .start(() -> loop.accept(this));
      threads++;
    }
    work.signal();
  }

  /** {@return the most urgent operation, once there is one, or null once the lane is closed} */
  @Nullable Op take() {
    while (true) {
      if (closed) {
        return null;
      }
      Op op = ready.poll();
      if (op == null) {
        idle++;
        work.awaitUninterruptibly();
        idle--;
      } else if (!op.done) {
        return op;
      }
    }
  }

  void close() {
    closed = true;
    ready.clear();
    work.signalAll();
  }
}
