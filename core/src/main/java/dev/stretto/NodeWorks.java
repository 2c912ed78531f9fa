package dev.stretto;

import dev.stretto.GraphNode.Kind;
import dev.stretto.driver.CopyKind;
import dev.stretto.driver.GraphWork;
import dev.stretto.driver.Volume;
import dev.stretto.enqueue.ArrayMemory;
import dev.stretto.enqueue.Direction;
import dev.stretto.enqueue.Ends;
import dev.stretto.enqueue.HostEnd;
import dev.stretto.enqueue.Rows;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.GraphException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalInts;
import dev.stretto.order.Footprint;
import dev.stretto.order.HostMemories;
import dev.stretto.order.Way;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.DriverEvent;
import dev.stretto.route.PeerLink;
import dev.stretto.route.PinnedBlock;
import dev.stretto.route.Resource;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes the operations of graph nodes, after the same checks as for the operation on a stream. */
final class NodeWorks {
  private NodeWorks() {}

  /** A copy between pinned memory and the device. */
  static NodeWork.OnDevice copy(
      DeviceRuntime engine, Direction direction, MemorySegment host, GlobalArray array) {
    return rows(
        engine, direction, host, host.byteSize(), array, array.byteSize(), array.byteSize(), 1);
  }

  /** The same for a copy of rows. */
  static NodeWork.OnDevice rows(
      DeviceRuntime engine,
      Direction direction,
      MemorySegment host,
      long hostPitch,
      GlobalArray array,
      long arrayPitch,
      long width,
      long rows) {
    boolean toDevice = direction == Direction.TO_DEVICE;
    DeviceBlock block = block(engine, array);
    MemorySegment extent = host;
    if (rows == 1 && hostPitch == host.byteSize() && arrayPitch == array.byteSize()) {
      HostEnd.check(host, !toDevice);
      HostEnd.checkSizes(
          toDevice ? host.byteSize() : array.byteSize(),
          toDevice ? array.byteSize() : host.byteSize());
    } else {
      Rows.check(toDevice ? "source" : "destination", host.byteSize(), hostPitch, width, rows);
      Rows.check(toDevice ? "destination" : "source", array.byteSize(), arrayPitch, width, rows);
      extent = host.asSlice(0, Rows.extent(hostPitch, width, rows));
      HostEnd.check(host, !toDevice);
    }
    PinnedBlock pinned = pinned(engine, host, extent, !toDevice, width * rows);
    long dst = toDevice ? array.address() : host.address();
    long src = toDevice ? host.address() : array.address();
    GraphWork.Copy work =
        copy(
            dst,
            toDevice ? arrayPitch : hostPitch,
            src,
            toDevice ? hostPitch : arrayPitch,
            width,
            rows,
            direction.kind());
    MemorySegment end = extent;
    NodeUse ofHost =
        new NodeUse(
            () -> HostMemories.of(end),
            Footprint.ofRows(host.address(), width, hostPitch, rows),
            toDevice ? Way.READS : Way.WRITES);
    NodeUse ofArray =
        new NodeUse(
            block::accesses,
            Footprint.ofRows(array.address(), width, arrayPitch, rows),
            toDevice ? Way.WRITES : Way.READS);
    return made(engine, Kind.COPY, label(work), work, List.of(block, pinned), ofHost, ofArray);
  }

  /**
   * {@return the pinned block that holds host memory}
   *
   * @param used the part of it that the copy uses
   * @param isWritten whether the copy writes it
   * @param bytes how many bytes are copied
   * @throws GraphException if it is pageable
   */
  static PinnedBlock pinned(
      DeviceRuntime engine, MemorySegment host, MemorySegment used, boolean isWritten, long bytes) {
    PinnedBlock pinned = used.isNative() ? engine.pinned().find(used) : null;
    HostEnd.check(host, isWritten, pinned);
    if (pinned == null) {
      throw refused(
          "a copy of "
              + bytes
              + " bytes of pageable host memory cannot be part of a graph, because host threads"
              + " would have to stage it: use memory of device.pinnedArena(), or copy before the"
              + " launch");
    }
    return pinned;
  }

  /** A copy within the device, or between it and a device to whose memory it has access. */
  static NodeWork.OnDevice copy(DeviceRuntime engine, GlobalArray source, GlobalArray destination) {
    HostEnd.checkSizes(source.byteSize(), destination.byteSize());
    if (isBetween(engine, source, destination)) {
      return between(
          engine,
          source,
          Footprint.of(source.address(), source.byteSize()),
          destination,
          Footprint.of(destination.address(), destination.byteSize()),
          Volume.run(source.byteSize()));
    }
    return rows(
        engine, source, source.byteSize(), destination, source.byteSize(), source.byteSize(), 1);
  }

  /**
   * {@return a copy of planes between two devices}
   *
   * @param read what it reads of the source
   * @param written what it writes of the destination
   */
  static NodeWork.OnDevice between(
      DeviceRuntime engine,
      GlobalArray source,
      Footprint read,
      GlobalArray destination,
      Footprint written,
      Volume shape) {
    DeviceBlock from = ArrayMemory.of(source).block();
    DeviceBlock to = ArrayMemory.of(destination).block();
    boolean sends = engine.peers().isSame(from.engine());
    if (!sends && !engine.peers().isSame(to.engine())) {
      throw elsewhere(source, engine);
    }
    DeviceRuntime other = (sends ? to : from).engine();
    PeerLink link = access(engine, other);
    if (link == null) {
      throw refused(
          "a copy between %s and %s in a graph, done by %s, needs access to the other device's memory: %s"
              .formatted(
                  from.engine().name(), to.engine().name(), engine.name(), wayOut(engine, other)));
    }
    GraphWork.PeerCopy work =
        new GraphWork.PeerCopy(
            destination.address(),
            to.engine().driver().properties().ordinal(),
            source.address(),
            from.engine().driver().properties().ordinal(),
            shape);
    return made(
        engine,
        Kind.COPY,
        "copy of " + (shape.isRun() ? shape.bytes() + " bytes" : shape) + " between devices",
        work,
        List.of(to, from, link),
        new NodeUse(from::accesses, read, Way.READS),
        new NodeUse(to::accesses, written, Way.WRITES));
  }

  /** {@return whether one of the arrays does not lie on a device} */
  static boolean isBetween(DeviceRuntime engine, GlobalArray source, GlobalArray destination) {
    return !engine.peers().isSame(ArrayMemory.of(source).block().engine())
        || !engine.peers().isSame(ArrayMemory.of(destination).block().engine());
  }

  private static @Nullable PeerLink access(DeviceRuntime engine, DeviceRuntime other) {
    return engine.peers().isKin(other) ? engine.peers().to(other) : null;
  }

  private static String wayOut(DeviceRuntime engine, DeviceRuntime other) {
    return engine.peers().isKin(other)
        ? "call enablePeerAccess first, or copy before or after the launch"
        : "the two belong to different drivers, so copy before or after the launch";
  }

  /** The same for a copy of rows. */
  static NodeWork.OnDevice rows(
      DeviceRuntime engine,
      GlobalArray source,
      long sourcePitch,
      GlobalArray destination,
      long destinationPitch,
      long width,
      long rows) {
    Rows.check("source", source.byteSize(), sourcePitch, width, rows);
    Rows.check("destination", destination.byteSize(), destinationPitch, width, rows);
    Footprint read = Footprint.ofRows(source.address(), width, sourcePitch, rows);
    Footprint written = Footprint.ofRows(destination.address(), width, destinationPitch, rows);
    if (isBetween(engine, source, destination)) {
      Volume shape = Volume.rows(destinationPitch, sourcePitch, width, rows);
      return between(engine, source, read, destination, written, shape);
    }
    DeviceBlock from = block(engine, source);
    DeviceBlock to = block(engine, destination);
    Ends.requireApart(source, read, destination, written);
    GraphWork.Copy work =
        copy(
            destination.address(),
            destinationPitch,
            source.address(),
            sourcePitch,
            width,
            rows,
            CopyKind.DEVICE_TO_DEVICE);
    return made(
        engine,
        Kind.COPY,
        label(work),
        work,
        List.of(to, from),
        new NodeUse(from::accesses, read, Way.READS),
        new NodeUse(to::accesses, written, Way.WRITES));
  }

  private static GraphWork.Copy copy(
      long dst, long dstPitch, long src, long srcPitch, long width, long rows, CopyKind kind) {
    return rows == 1 || (dstPitch == width && srcPitch == width)
        ? GraphWork.Copy.of(dst, src, width * rows, kind)
        : new GraphWork.Copy(dst, dstPitch, src, srcPitch, width, rows, kind);
  }

  private static String label(GraphWork.Copy copy) {
    String way = way(copy.kind());
    return copy.rows() == 1
        ? "copy of " + copy.width() + " bytes" + way
        : "copy of " + copy.rows() + " rows of " + copy.width() + " bytes" + way;
  }

  static String way(CopyKind kind) {
    return switch (kind) {
      case HOST_TO_DEVICE -> " to the device";
      case DEVICE_TO_HOST -> " to the host";
      case DEVICE_TO_DEVICE -> " within the device";
    };
  }

  /** A fill. */
  static NodeWork.OnDevice fill(DeviceRuntime engine, GlobalArray array, long bits) {
    DeviceBlock _ = block(engine, array);
    return fill(engine, array, Fill2D.whole(array, bits));
  }

  static NodeWork.OnDevice fill(DeviceRuntime engine, GlobalArray array, GraphWork.Fill fill) {
    DeviceBlock block = block(engine, array);
    return made(
        engine,
        Kind.FILL,
        "fill of " + fill.rows() * fill.count() * fill.elementBytes() + " bytes",
        fill,
        List.of(block),
        new NodeUse(block::accesses, Ends.bytes(fill), Way.WRITES));
  }

  /** A launch with its current arguments. */
  static NodeWork.OnDevice kernel(DeviceRuntime engine, Launch launch) {
    if (launch.engine() != engine) {
      throw new IllegalArgumentException(
          launch + " was prepared on another device than " + engine.name());
    }
    NodeWork.OnDevice work = kernel(launch.copy());
    work.used().forEach(NodeWorks::requireOpen);
    return work;
  }

  /**
   * The same for a launch that only this node uses. Its arrays may be closed if the graph keeps
   * them.
   */
  static NodeWork.OnDevice kernel(Launch own) {
    List<Resource> used = own.used();
    DeviceRuntime engine = own.engine();
    for (Resource resource : used) {
      if (resource instanceof DeviceBlock block
          && !engine.peers().isSame(block.engine())
          && access(engine, block.engine()) == null) {
        throw refused(
            "a launch with %s needs the access of %s to it: %s"
                .formatted(block.describe(), engine.name(), wayOut(engine, block.engine())));
      }
    }
    String label =
        "launch of %s, %d blocks of %d threads"
            .formatted(
                own.kernel().entry(), own.work().shape().blocks(), own.grid().threadsPerBlock());
    return new NodeWork.OnDevice(engine, Kind.KERNEL, label, own.work(), used, own, List.of());
  }

  /** What another library has enqueued. */
  static NodeWork.OnDevice call(CapturedCall call, List<DeviceBlock> blocks, List<NodeUse> uses) {
    List<Resource> used = new ArrayList<>(blocks);
    used.add(call);
    return new NodeWork.OnDevice(
        call.engine(),
        Kind.CALL,
        "call of another library",
        Objects.requireNonNull(call.work(), "work"),
        used,
        null,
        uses);
  }

  /** {@return how a call uses arrays} */
  static List<NodeUse> uses(List<GlobalArray> reads, List<GlobalArray> writes) {
    List<NodeUse> uses = new ArrayList<>();
    reads.forEach(array -> uses.add(use(array, Way.READS)));
    writes.forEach(array -> uses.add(use(array, Way.WRITES)));
    return uses;
  }

  /** {@return how a call uses arrays of which it does not say what it does with them} */
  static List<NodeUse> assumedUses(List<GlobalArray> arrays) {
    return arrays.stream().map(array -> use(array, new Way(true, false, true))).toList();
  }

  private static NodeUse use(GlobalArray array, Way way) {
    DeviceBlock block = ArrayMemory.of(array).block();
    return new NodeUse(block::accesses, Footprint.of(array.address(), array.byteSize()), way);
  }

  static NodeWork.OnDevice join() {
    return made(null, Kind.JOIN, "join", new GraphWork.Empty(), List.of());
  }

  /** Memory of a graph begins to be used, or is no longer used. */
  static NodeWork.OnDevice undefined(DeviceBlock block, Kind kind) {
    boolean isOver = kind == Kind.FREE;
    GraphWork work = new GraphWork.Undefined(block.address(), block.byteSize(), isOver);
    Footprint bytes = Footprint.of(block.address(), block.byteSize());
    return new NodeWork.OnDevice(
        block.engine(),
        kind,
        (isOver ? "free of " : "allocation of ") + block.byteSize() + " bytes",
        work,
        List.of(block),
        null,
        List.of(new NodeUse(block::accesses, bytes, Way.WRITES)));
  }

  static NodeWork.OnDevice record(DeviceRuntime engine, DriverEvent event, String name) {
    return made(
        engine,
        Kind.RECORD,
        "record of " + name,
        new GraphWork.RecordEvent(event.handle()),
        List.of(event));
  }

  static NodeWork.OnDevice waitFor(DeviceRuntime engine, DriverEvent event, String name) {
    return made(
        engine,
        Kind.WAIT,
        "wait for " + name,
        new GraphWork.WaitEvent(event.handle()),
        List.of(event));
  }

  static NodeWork.OnDevice made(
      @Nullable DeviceRuntime engine,
      Kind kind,
      String label,
      GraphWork work,
      List<Resource> used,
      NodeUse... uses) {
    used.forEach(NodeWorks::requireOpen);
    return new NodeWork.OnDevice(engine, kind, label, work, used, null, List.of(uses));
  }

  static void requireOpen(Resource resource) {
    if (!resource.isOpen()) {
      throw new ClosedException(resource.describe() + " is closed");
    }
  }

  static DeviceBlock block(DeviceRuntime engine, GlobalArray array) {
    DeviceBlock block = ArrayMemory.of(array).block();
    if (!engine.peers().isSame(block.engine())) {
      throw elsewhere(array, engine);
    }
    return block;
  }

  private static GraphException elsewhere(GlobalArray array, DeviceRuntime engine) {
    boolean isKin = engine.peers().isKin(ArrayMemory.of(array).block().engine());
    return refused(
        array
            + " does not lie on "
            + engine.name()
            + (isKin
                ? ": in a capture, use a stream of its own device, which joins by waiting for an"
                    + " event of the capture; the body of a conditional node stays on one device"
                : ", and its device belongs to another driver, which no graph can have work of: do"
                    + " it before or after the launch"));
  }

  /**
   * A node whose operation depends on an int.
   *
   * @param bodies the nodes of each body
   */
  static NodeWork.Conditional conditional(
      DeviceRuntime engine, Kind kind, GlobalInts condition, List<List<NodeWork.Step>> bodies) {
    DeviceBlock block = block(engine, condition);
    requireOpen(block);
    return new NodeWork.Conditional(kind, condition.address(), bodies, block);
  }

  static void requireCondition(GlobalInts condition) {
    if (condition.length() != 1) {
      throw new IllegalArgumentException(
          condition + " is not one int: use slice(i, 1) to select the condition");
    }
  }

  /** Refuses conditional nodes if the driver does not support them. */
  static void requireConditionals(DeviceRuntime engine, Kind kind, int bodies) {
    int has = engine.driver().properties().driverVersion();
    int needed =
        switch (kind) {
          case IF -> bodies == 1 ? 12_030 : 12_080;
          case WHILE -> 12_030;
          default -> 12_080;
        };
    if (has < needed) {
      throw refused(
          "%s nodes%s need a driver of CUDA %s, and that of %s is of CUDA %s: %s"
              .formatted(
                  kind,
                  kind == Kind.IF && bodies == 2 ? " with an alternative" : "",
                  dotted(needed),
                  engine.name(),
                  dotted(has),
                  has >= 12_030
                      ? "use several IF nodes, each with its own condition"
                      : "decide on the host, between launches"));
    }
  }

  /** {@return why something cannot be in the body of a conditional node} */
  static String notInBody(String what) {
    return what
        + " cannot be in the body of a conditional node, which the device repeats or skips by"
        + " itself: put it before or after that node";
  }

  /** {@return why a node cannot be in the body of a conditional node; nothing if it can} */
  static String unfitForBody(NodeWork work) {
    String notThere = notInBody("");
    if (work instanceof NodeWork.Child child) {
      NodeWork.Step unfit = child.unfitForBody();
      return unfit == null
          ? ""
          : "%s has a %s, made at %s, which%s"
              .formatted(child.label(), unfit.work().label(), unfit.place(), notThere);
    }
    return switch (work.kind()) {
      case HOST -> "a callback" + notThere;
      case CALL -> "a call of another library" + notThere;
      case RECORD -> "a record of an event" + notThere;
      case WAIT -> "a wait for an event" + notThere;
      case WRITE_VALUE -> "a write of a number" + notThere;
      case WAIT_VALUE -> "a wait for a number" + notThere;
      default -> "";
    };
  }

  /**
   * {@return why a node cannot be in a graph because another device does it; nothing if it can}
   *
   * @param engine the graph's device
   * @param ofBody whether it is in the body of a conditional node
   */
  static String unfitElsewhere(DeviceRuntime engine, NodeWork work, boolean ofBody) {
    return switch (work) {
      case NodeWork.Child child ->
          child.steps().stream()
              .map(step -> unfitElsewhere(engine, step.work(), ofBody))
              .filter(why -> !why.isEmpty())
              .findFirst()
              .orElse("");
      case NodeWork.Off off -> unfitElsewhere(engine, off.on(), ofBody);
      case NodeWork.OnDevice device when !GraphStages.isOf(engine, device) -> {
        if (ofBody) {
          yield "a %s on another device than %s cannot be in the body of a conditional node, which stays on one device: put it before or after that node"
              .formatted(device.label(), engine.name());
        }
        boolean isEvent = device.kind() == Kind.RECORD || device.kind() == Kind.WAIT;
        yield isEvent
            ? "a %s, which belongs to another device than %s, cannot be in its graph: make the event with GraphEvent.of(device) of the graph's device"
                .formatted(device.label(), engine.name())
            : "";
      }
      case NodeWork.Conditional conditional
          when conditional.used() instanceof DeviceBlock block
              && !engine.peers().isSame(block.engine()) ->
          "a %s on another device than %s, whose graph it would be in: the device that decides is the graph's"
              .formatted(conditional.label(), engine.name());
      case NodeWork.Conditional _, NodeWork.OnHost _, NodeWork.OnDevice _ -> "";
    };
  }

  private static String dotted(int version) {
    return version / 1000 + "." + version % 1000 / 10;
  }

  static GraphException refused(String what) {
    return Capture.refused(what);
  }
}
