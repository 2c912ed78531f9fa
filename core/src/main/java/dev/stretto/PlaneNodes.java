package dev.stretto;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.GraphWork;
import dev.stretto.driver.Volume;
import dev.stretto.enqueue.Box;
import dev.stretto.enqueue.Direction;
import dev.stretto.enqueue.Ends;
import dev.stretto.memory.GlobalArray;
import dev.stretto.order.HostMemories;
import dev.stretto.order.Way;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.PinnedBlock;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Makes the graph nodes that copy planes of rows. */
final class PlaneNodes {
  private PlaneNodes() {}

  /** A copy between pinned memory and the device. */
  static NodeWork.OnDevice copy(
      DeviceRuntime engine,
      Direction direction,
      MemorySegment host,
      Box hostBox,
      GlobalArray array,
      Box arrayBox) {
    boolean toDevice = direction == Direction.TO_DEVICE;
    DeviceBlock block = NodeWorks.block(engine, array);
    hostBox.check(toDevice ? "source" : "destination", host.byteSize());
    arrayBox.check(toDevice ? "destination" : "source", array.byteSize());
    MemorySegment used = host.asSlice(0, hostBox.span());
    PinnedBlock pinned = NodeWorks.pinned(engine, host, used, !toDevice, hostBox.bytes());
    GraphWork.Planes work =
        new GraphWork.Planes(
            toDevice ? array.address() : host.address(),
            toDevice ? host.address() : array.address(),
            toDevice ? arrayBox.from(hostBox) : hostBox.from(arrayBox),
            direction.kind());
    NodeUse ofHost =
        new NodeUse(
            () -> HostMemories.of(used),
            hostBox.at(host.address()),
            toDevice ? Way.READS : Way.WRITES);
    NodeUse ofArray =
        new NodeUse(
            block::accesses, arrayBox.at(array.address()), toDevice ? Way.WRITES : Way.READS);
    return NodeWorks.made(
        engine, GraphNode.Kind.COPY, label(work), work, List.of(block, pinned), ofHost, ofArray);
  }

  /** A copy within the device. */
  static NodeWork.OnDevice copy(
      DeviceRuntime engine,
      GlobalArray source,
      Box sourceBox,
      GlobalArray destination,
      Box destinationBox) {
    sourceBox.check("source", source.byteSize());
    destinationBox.check("destination", destination.byteSize());
    if (NodeWorks.isBetween(engine, source, destination)) {
      return NodeWorks.between(
          engine,
          source,
          sourceBox.at(source.address()),
          destination,
          destinationBox.at(destination.address()),
          destinationBox.from(sourceBox));
    }
    DeviceBlock from = NodeWorks.block(engine, source);
    DeviceBlock to = NodeWorks.block(engine, destination);
    Ends.requireApart(
        source,
        sourceBox.at(source.address()),
        destination,
        destinationBox.at(destination.address()));
    GraphWork.Planes work =
        new GraphWork.Planes(
            destination.address(),
            source.address(),
            destinationBox.from(sourceBox),
            CopyKind.DEVICE_TO_DEVICE);
    return NodeWorks.made(
        engine,
        GraphNode.Kind.COPY,
        label(work),
        work,
        List.of(to, from),
        new NodeUse(from::accesses, sourceBox.at(source.address()), Way.READS),
        new NodeUse(to::accesses, destinationBox.at(destination.address()), Way.WRITES));
  }

  private static String label(GraphWork.Planes copy) {
    Volume shape = copy.shape();
    return "copy of %d planes of %d rows of %d bytes%s"
        .formatted(shape.planes(), shape.rows(), shape.width(), NodeWorks.way(copy.kind()));
  }
}
