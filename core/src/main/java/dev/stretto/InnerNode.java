package dev.stretto;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.GraphWork;
import dev.stretto.enqueue.BetweenDevices;
import dev.stretto.enqueue.Direction;
import dev.stretto.enqueue.OnDevice;
import dev.stretto.observe.NodeMarks;
import dev.stretto.observe.WorkKind;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.TimedGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A node of a graph as observers see it.
 *
 * @param index the index of the node, or of the one that contains it
 * @param name what its spans are called: as the same operation is outside of a graph
 * @param from for a copy between devices, the name of the one that sends; else empty
 * @param to for a copy between devices, the name of the one that receives; else empty
 */
record InnerNode(int index, String name, String from, String to) {
  /** Adds a node to a list, or the nodes of a child graph in its place. */
  static void add(NodeWork work, int index, List<InnerNode> nodes) {
    switch (work) {
      case NodeWork.OnDevice device -> nodes.add(of(device, index));
      case NodeWork.Conditional conditional ->
          nodes.add(new InnerNode(index, conditional.label(), "", ""));
      case NodeWork.Off off -> nodes.add(new InnerNode(index, off.label(), "", ""));
      case NodeWork.Child _ -> throw new IllegalStateException("a child graph is its nodes");
      case NodeWork.OnHost _ -> throw new IllegalStateException("a callback is a stage");
    }
  }

  private static InnerNode of(NodeWork.OnDevice device, int index) {
    return switch (device.work()) {
      case GraphWork.Kernel _ when device.launch() != null ->
          new InnerNode(index, device.launch().kernel().entry(), "", "");
      case GraphWork.Copy copy -> new InnerNode(index, name(copy.kind()), "", "");
      case GraphWork.Planes copy -> new InnerNode(index, name(copy.kind()), "", "");
      case GraphWork.Fill _ -> new InnerNode(index, OnDevice.FILL, "", "");
      case GraphWork.PeerCopy _ ->
          new InnerNode(
              index,
              BetweenDevices.NAME,
              ((DeviceBlock) device.used().get(1)).engine().name(),
              ((DeviceBlock) device.used().get(0)).engine().name());
      default -> new InnerNode(index, device.label(), "", "");
    };
  }

  private static String name(CopyKind kind) {
    return switch (kind) {
      case HOST_TO_DEVICE -> Direction.TO_DEVICE.name(true);
      case DEVICE_TO_HOST -> Direction.TO_HOST.name(true);
      case DEVICE_TO_DEVICE -> OnDevice.NAME;
    };
  }

  /** {@return when the nodes of a launch run, those left out that take no time} */
  static List<NodeMarks> marks(
      List<List<InnerNode>> nodes, List<List<Optional<TimedGraph.Node>>> timed) {
    List<NodeMarks> marks = new ArrayList<>();
    for (int stage = 0; stage < nodes.size(); stage++) {
      for (int i = 0; i < nodes.get(stage).size(); i++) {
        InnerNode node = nodes.get(stage).get(i);
        timed.get(stage).get(i).ifPresent(times -> marks.add(node.marks(times)));
      }
    }
    return marks;
  }

  private NodeMarks marks(TimedGraph.Node timed) {
    return new NodeMarks(
        kind(timed.work()), name, index, bytes(timed.work()), from, to, timed.after(), timed.end());
  }

  private static WorkKind kind(GraphWork work) {
    return switch (work) {
      case GraphWork.Copy copy -> kind(copy.kind());
      case GraphWork.Planes copy -> kind(copy.kind());
      case GraphWork.PeerCopy _ -> WorkKind.PEER;
      case GraphWork.Fill _ -> WorkKind.FILL;
      case GraphWork.Elsewhere elsewhere -> kind(elsewhere.work());
      case GraphWork.Kernel _ -> WorkKind.KERNEL;
      case GraphWork.WaitEvent _ -> WorkKind.WAIT_EVENT;
      case GraphWork.WriteValue _ -> WorkKind.WRITE_VALUE;
      case GraphWork.WaitValue _ -> WorkKind.WAIT_VALUE;
      case GraphWork.Conditional _,
          GraphWork.Captured _,
          GraphWork.Empty _,
          GraphWork.Undefined _,
          GraphWork.Off _,
          GraphWork.RecordEvent _ ->
          WorkKind.GRAPH;
    };
  }

  private static WorkKind kind(CopyKind kind) {
    return switch (kind) {
      case HOST_TO_DEVICE -> WorkKind.HOST_TO_DEVICE;
      case DEVICE_TO_HOST -> WorkKind.DEVICE_TO_HOST;
      case DEVICE_TO_DEVICE -> WorkKind.DEVICE_TO_DEVICE;
    };
  }

  private static long bytes(GraphWork work) {
    return switch (work) {
      case GraphWork.Copy copy -> copy.width() * copy.rows();
      case GraphWork.Planes copy -> copy.shape().bytes();
      case GraphWork.PeerCopy copy -> copy.shape().bytes();
      case GraphWork.Elsewhere elsewhere -> bytes(elsewhere.work());
      case GraphWork.Fill fill -> fill.rows() * fill.count() * fill.elementBytes();
      default -> 0;
    };
  }
}
