package dev.stretto;

import dev.stretto.order.Demand;
import dev.stretto.order.Order;
import dev.stretto.order.Pending;
import dev.stretto.route.StreamQueue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The streams of tasks. A task goes where the last operation is one that it has to wait for anyway,
 * so that the stream's own order is the wait; otherwise where nothing is under way, or else where
 * nothing was enqueued for the longest time.
 */
final class TaskLanes {
  private static final class Lane {
    final int number;
    final StreamQueue queue;
    long used;

    Lane(int number, StreamQueue queue) {
      this.number = number;
      this.queue = queue;
    }

    boolean endsWith(Pending operation) {
      return queue.endsWith(operation.stream(), operation.sequence());
    }

    /** Where time is modelled, what is done for the host may still be under way on the device. */
    boolean isIdle() {
      return queue.isKnownIdle() && !queue.device().driver().clock().isModelled();
    }
  }

  private final List<Lane> lanes = new ArrayList<>();
  private long used;

  TaskLanes(List<StreamQueue> queues) {
    for (int i = 0; i < queues.size(); i++) {
      lanes.add(new Lane(i, queues.get(i)));
    }
  }

  /** {@return the number of the lane for a task} */
  synchronized int forTask(List<Demand> demands) {
    Lane lane = behind(Order.ofProcess().pending(demands));
    Lane chosen = lane == null ? freest() : lane;
    chosen.used = ++used;
    return chosen.number;
  }

  private @Nullable Lane behind(List<Pending> operations) {
    Lane latest = null;
    for (Pending operation : operations) {
      for (Lane lane : lanes) {
        if (lane.endsWith(operation) && (latest == null || lane.used > latest.used)) {
          latest = lane;
        }
      }
    }
    return latest;
  }

  private Lane freest() {
    Lane oldest = lanes.getFirst();
    Lane oldestIdle = null;
    for (Lane lane : lanes) {
      if (lane.used < oldest.used) {
        oldest = lane;
      }
      if (lane.isIdle() && (oldestIdle == null || lane.used < oldestIdle.used)) {
        oldestIdle = lane;
      }
    }
    return oldestIdle == null ? oldest : oldestIdle;
  }
}
