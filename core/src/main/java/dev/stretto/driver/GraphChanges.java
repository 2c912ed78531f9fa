package dev.stretto.driver;

import dev.stretto.driver.GraphWork.Captured;
import dev.stretto.driver.GraphWork.Conditional;
import dev.stretto.driver.GraphWork.Copy;
import dev.stretto.driver.GraphWork.Elsewhere;
import dev.stretto.driver.GraphWork.Fill;
import dev.stretto.driver.GraphWork.Kernel;
import dev.stretto.driver.GraphWork.Off;
import dev.stretto.driver.GraphWork.PeerCopy;
import dev.stretto.driver.GraphWork.Planes;
import dev.stretto.driver.GraphWork.RecordEvent;
import dev.stretto.driver.GraphWork.Undefined;
import dev.stretto.driver.GraphWork.WaitEvent;
import dev.stretto.driver.GraphWork.WaitValue;
import dev.stretto.driver.GraphWork.WriteValue;
import java.util.Objects;

/**
 * Which work of a graph's step can become which other work while the graph stays. The rules are
 * CUDA's, which differ by the kind of the node: CUDA Driver API, {@code
 * cuGraphExecKernelNodeSetParams} and its neighbours.
 */
public final class GraphChanges {
  private static final String NEITHER = "CUDA can change neither its direction nor its devices";

  private static final String ONE_RANGE = "CUDA can only change a copy of one contiguous range";

  private static final String OTHER_DEVICE = "a node stays on its device";

  private GraphChanges() {}

  /**
   * {@return why a step cannot change so, or nothing if it can}
   *
   * @param from what the step does now
   * @param to what it is to do
   */
  public static String obstacle(GraphWork from, GraphWork to) {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(to, "to");
    if (isSame(from, to)) {
      return "";
    }
    if (from instanceof Off off) {
      return obstacle(off.work(), to instanceof Off next ? next.work() : to);
    }
    if (from instanceof Elsewhere before) {
      GraphWork next = to instanceof Off off ? off.work() : to;
      return next instanceof Elsewhere after && after.device().equals(before.device())
          ? obstacle(before.work(), after.work())
          : OTHER_DEVICE;
    }
    return switch (to) {
      case Elsewhere _ -> OTHER_DEVICE;
      case Off off -> obstacle(from, off.work());
      case Copy copy -> from instanceof Copy before ? obstacle(before, copy) : otherCopy(from);
      case PeerCopy copy ->
          from instanceof PeerCopy before ? obstacle(before, copy) : otherCopy(from);
      case Planes _ -> from instanceof Planes ? ONE_RANGE : otherCopy(from);
      case Fill fill -> from instanceof Fill before ? obstacle(before, fill) : otherKind();
      case Kernel kernel -> from instanceof Kernel before ? obstacle(before, kernel) : otherKind();
      case RecordEvent _ -> from instanceof RecordEvent ? "" : otherKind();
      case WaitEvent _ -> from instanceof WaitEvent ? "" : otherKind();
      case WriteValue _ -> from instanceof WriteValue ? "" : otherKind();
      case WaitValue _ -> from instanceof WaitValue ? "" : otherKind();
      case Undefined next ->
          from instanceof Undefined before && before.isOver() == next.isOver() ? "" : otherKind();
      case GraphWork.Empty _ -> otherKind();
      case Captured _ ->
          from instanceof Captured
              ? "what another library has enqueued does not change"
              : otherKind();
      case Conditional _ ->
          from instanceof Conditional
              ? "the condition and the bodies of a conditional node do not change"
              : otherKind();
    };
  }

  private static String otherCopy(GraphWork from) {
    return switch (from) {
      case Copy _, PeerCopy _ -> NEITHER;
      case Planes _ -> ONE_RANGE;
      default -> otherKind();
    };
  }

  private static String otherKind() {
    return "a node stays of its kind";
  }

  private static String obstacle(Copy from, Copy to) {
    if (from.kind() != to.kind()) {
      return NEITHER;
    }
    return from.rows() == 1 && to.rows() == 1 ? "" : ONE_RANGE;
  }

  private static String obstacle(PeerCopy from, PeerCopy to) {
    if (from.from() != to.from() || from.to() != to.to()) {
      return NEITHER;
    }
    return from.shape().isRun() && to.shape().isRun() ? "" : ONE_RANGE;
  }

  private static String obstacle(Fill from, Fill to) {
    if (from.elementBytes() == Long.BYTES || to.elementBytes() == Long.BYTES) {
      return "fills of elements of 8 bytes are several nodes of CUDA's, which do not change";
    }
    return from.rows() == 1 && to.rows() == 1 ? "" : "CUDA does not change fills of rows";
  }

  private static String obstacle(Kernel from, Kernel to) {
    LaunchShape before = from.shape();
    LaunchShape after = to.shape();
    boolean sameClusters =
        before.clusterX() == after.clusterX()
            && before.clusterY() == after.clusterY()
            && before.clusterZ() == after.clusterZ();
    if (!sameClusters) {
      return "CUDA does not change the size of clusters";
    }
    return before.isCooperative() == after.isCooperative()
        ? ""
        : "CUDA does not change whether a launch is cooperative";
  }

  /**
   * {@return whether two steps do the same} The lines that made them may differ.
   *
   * @param one some work
   * @param other some other work
   */
  public static boolean isSame(GraphWork one, GraphWork other) {
    Objects.requireNonNull(one, "one");
    Objects.requireNonNull(other, "other");
    return switch (one) {
      case Kernel kernel ->
          other instanceof Kernel second
              && kernel.function() == second.function()
              && kernel.shape().equals(second.shape())
              && kernel.parameters().mismatch(second.parameters()) < 0;
      case Off off -> other instanceof Off second && isSame(off.work(), second.work());
      case Elsewhere work ->
          other instanceof Elsewhere second
              && work.device().equals(second.device())
              && isSame(work.work(), second.work());
      case Conditional choice ->
          other instanceof Conditional second
              && choice.branching() == second.branching()
              && choice.condition() == second.condition()
              && areSame(choice, second);
      default -> one.equals(other);
    };
  }

  private static boolean areSame(Conditional one, Conditional other) {
    boolean same = one.bodies().size() == other.bodies().size();
    for (int i = 0; same && i < one.bodies().size(); i++) {
      same = isSame(one.bodies().get(i), other.bodies().get(i));
    }
    return same;
  }

  private static boolean isSame(GraphPlan one, GraphPlan other) {
    boolean same = one.steps().size() == other.steps().size();
    for (int i = 0; same && i < one.steps().size(); i++) {
      GraphPlan.Step first = one.steps().get(i);
      GraphPlan.Step second = other.steps().get(i);
      same = first.after().equals(second.after()) && isSame(first.work(), second.work());
    }
    return same;
  }

  /**
   * {@return whether a step can be switched off and on} CUDA Driver API, {@code
   * cuGraphNodeSetEnabled}: kernels, fills and copies.
   *
   * @param work what the step does
   */
  public static boolean isSwitchable(GraphWork work) {
    Objects.requireNonNull(work, "work");
    return switch (work) {
      case Kernel _, Fill _, Copy _, Planes _, PeerCopy _ -> true;
      case Elsewhere elsewhere -> isSwitchable(elsewhere.work());
      default -> false;
    };
  }
}
