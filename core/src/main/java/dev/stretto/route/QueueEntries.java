package dev.stretto.route;

import dev.stretto.driver.GraphPlan;
import dev.stretto.driver.GraphWork;

/**
 * How much of a stream's launch queue one launch of a graph takes. Measured on an H200 with
 * kernels: one entry for up to eight parallel kernels, however many follow each other, eight
 * entries for 64 parallel kernels and 51 for 256. So a quarter of the parallel kernels is enough.
 * Copies and fills take one entry each.
 */
final class QueueEntries {
  private static final int KERNELS_OF_AN_ENTRY = 4;

  /** Of the nodes that another library has made, which hardly all run at the same time. */
  private static final int MOST_OF_A_NODE = 256;

  private int singles;

  private QueueEntries() {}

  /** {@return how many entries a launch is assumed to need; 1 or more} */
  static int of(GraphPlan plan) {
    QueueEntries entries = new QueueEntries();
    int widest = entries.widest(plan);
    return Math.max(1, entries.singles + (widest + KERNELS_OF_AN_ENTRY - 1) / KERNELS_OF_AN_ENTRY);
  }

  /** {@return the most kernels at the same distance from the beginning} */
  private int widest(GraphPlan plan) {
    int count = plan.steps().size();
    int[] level = new int[count];
    int[] kernels = new int[count];
    int widest = 0;
    for (int i = 0; i < count; i++) {
      GraphPlan.Step step = plan.steps().get(i);
      for (int before : step.after()) {
        level[i] = Math.max(level[i], level[before] + 1);
      }
      kernels[level[i]] += kernels(step.work());
      widest = Math.max(widest, kernels[level[i]]);
    }
    return widest;
  }

  /** {@return how many kernels run for a node} Other nodes are counted one by one. */
  private int kernels(GraphWork work) {
    return switch (work) {
      case GraphWork.Kernel _ -> 1;
      case GraphWork.Captured captured -> (int) Math.min(captured.nodes(), MOST_OF_A_NODE);
      case GraphWork.Off off -> kernels(off.work()); // it may be switched on
      case GraphWork.Elsewhere elsewhere -> kernels(elsewhere.work());
      case GraphWork.Conditional conditional ->
          // the kernel that sets the condition, and the bodies as if all of them ran
          1 + conditional.bodies().stream().mapToInt(this::widest).sum();
      case GraphWork.Copy _,
          GraphWork.Planes _,
          GraphWork.PeerCopy _,
          GraphWork.Fill _,
          GraphWork.WriteValue _,
          GraphWork.WaitValue _ -> {
        singles++;
        yield 0;
      }
      case GraphWork.RecordEvent _,
          GraphWork.WaitEvent _,
          GraphWork.Undefined _,
          GraphWork.Empty _ ->
          0;
    };
  }
}
