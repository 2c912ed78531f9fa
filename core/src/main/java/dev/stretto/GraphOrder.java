package dev.stretto;

import dev.stretto.fault.RaceException;
import dev.stretto.observe.Observers;
import dev.stretto.order.Footprint;
import dev.stretto.order.Issue;
import dev.stretto.order.Way;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.StreamQueue;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks the order of a graph's operations: among each other when the graph is made, and against
 * everything else when it is launched. A launch counts as one operation that does all that the
 * nodes do, and it comes after the launch before.
 */
final class GraphOrder {
  private @Nullable StreamQueue lastQueue;
  private long lastSequence;

  /**
   * Checks the nodes against each other.
   *
   * @throws RaceException if two of them access the same bytes, and none comes after the other
   */
  static void requireOrdered(List<NodeWork.Step> steps) {
    List<BitSet> before = new ArrayList<>();
    List<List<NodeUse>> uses = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      BitSet all = new BitSet();
      for (int after : steps.get(i).after()) {
        all.set(after);
        all.or(before.get(after));
      }
      before.add(all);
      uses.add(uses(steps.get(i).work()));
      if (steps.get(i).work() instanceof NodeWork.Conditional choice) {
        choice.bodies().forEach(GraphOrder::requireOrdered);
      }
      for (int j = all.nextClearBit(0); j < i; j = all.nextClearBit(j + 1)) {
        requireApart(steps.get(j), uses.get(j), steps.get(i), uses.get(i));
      }
    }
  }

  private static void requireApart(
      NodeWork.Step first, List<NodeUse> its, NodeWork.Step second, List<NodeUse> others) {
    for (NodeUse one : its) {
      for (NodeUse other : others) {
        if (one.conflictsWith(other)) {
          throw new RaceException(
              "race in a graph: %s %s %s (%s); nothing orders it after %s, which %s %s (%s). Let it come after that node"
                  .formatted(
                      second.work().label(),
                      other.way(),
                      other.bytes(),
                      line(second),
                      first.work().label(),
                      one.way(),
                      one.bytes(),
                      line(first)),
              Optional.of(first.place()),
              Optional.of(second.place()));
        }
      }
    }
  }

  private static String line(NodeWork.Step step) {
    return step.place().getFileName() + ":" + step.place().getLineNumber();
  }

  /** {@return the memory that a node accesses} */
  static List<NodeUse> uses(NodeWork work) {
    List<NodeUse> all = new ArrayList<>();
    collect(work, all);
    return all;
  }

  private static void collect(NodeWork work, List<NodeUse> all) {
    switch (work) {
      case NodeWork.OnDevice node -> {
        all.addAll(node.uses());
        Launch launch = node.launch();
        if (launch != null) {
          all.addAll(launch.uses());
        }
      }
      case NodeWork.Child child -> child.steps().forEach(step -> collect(step.work(), all));
      case NodeWork.Conditional choice -> {
        if (choice.used() instanceof DeviceBlock block) {
          Footprint condition = Footprint.of(choice.condition(), Integer.BYTES);
          boolean isLoop = choice.kind() == GraphNode.Kind.WHILE; // which others may end
          all.add(new NodeUse(block::accesses, condition, Way.READS, isLoop));
        }
        choice.bodies().forEach(body -> body.forEach(step -> collect(step.work(), all)));
      }
      case NodeWork.OnHost host -> all.addAll(host.uses());
      case NodeWork.Off _ -> {}
    }
  }

  /** Whether a node waits for what nobody here knows: a callback's doing, or another graph. */
  static boolean waitsForOthers(NodeWork work) {
    return switch (work) {
      case NodeWork.OnHost host -> host.kind() == GraphNode.Kind.HOST; // what steps do is known
      case NodeWork.OnDevice node ->
          node.kind() == GraphNode.Kind.WAIT || node.kind() == GraphNode.Kind.WAIT_VALUE;
      case NodeWork.Child child ->
          child.steps().stream().anyMatch(step -> waitsForOthers(step.work()));
      case NodeWork.Conditional _, NodeWork.Off _ -> false;
    };
  }

  /**
   * {@return a launch that is about to be enqueued, or null if the order is not checked}
   *
   * @throws RaceException if a node races with an operation before
   */
  @Nullable Issue begin(StreamQueue queue, List<GraphNode> nodes) {
    if (!queue.isOrdered()) {
      return null;
    }
    List<NodeWork.Step> steps = GraphDraft.steps(nodes);
    StreamQueue before = lastQueue;
    if (before != null) {
      queue.comesAfter(before, lastSequence);
    }
    if (steps.stream().anyMatch(step -> waitsForOthers(step.work()))) {
      queue.comesAfterAll();
    }
    Issue issue = queue.issue("a graph of " + steps.size() + " nodes", Observers::trail);
    if (issue == null) {
      return null;
    }
    if (steps.stream().anyMatch(step -> waitsForOthers(step.work()))) {
      issue.callsBack();
    }
    boolean isRight = false;
    try {
      for (NodeWork.Step step : steps) {
        for (NodeUse use : uses(step.work())) {
          if (use.isSignal()) {
            issue.looksAt(use.memory().get(), use.bytes());
          } else {
            issue.accesses(use.memory().get(), use.bytes(), use.way());
          }
        }
      }
      issue.ready();
      isRight = true;
    } finally {
      if (!isRight) {
        issue.failed();
      }
    }
    return issue;
  }

  /** Notes that a launch was enqueued. */
  void enqueued(StreamQueue queue, long sequence) {
    if (queue.isOrdered()) {
      lastQueue = queue;
      lastSequence = sequence;
    }
  }
}
