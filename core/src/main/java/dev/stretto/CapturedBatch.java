package dev.stretto;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.GraphWork;
import dev.stretto.enqueue.BatchOverlaps;
import dev.stretto.enqueue.Direction;
import dev.stretto.memory.GlobalArray;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A batch of copies in a capture: nodes that are not ordered among each other. */
final class CapturedBatch {
  private CapturedBatch() {}

  /** {@return the nodes of the copies} */
  static List<NodeWork.OnDevice> works(DeviceRuntime engine, List<CopyRequest> requests) {
    for (CopyRequest request : requests) {
      Objects.requireNonNull(request, "an element of copies");
    }
    if (requests.isEmpty()) {
      throw new IllegalArgumentException("a batch of 0 copies: there is nothing to copy");
    }
    BatchOverlaps overlaps = new BatchOverlaps(requests.size());
    List<NodeWork.OnDevice> works = new ArrayList<>();
    for (CopyRequest request : requests) {
      NodeWork.OnDevice work = work(engine, request);
      note(overlaps, works.size(), work.work());
      works.add(work);
    }
    overlaps.refuse();
    return works;
  }

  private static NodeWork.OnDevice work(DeviceRuntime engine, CopyRequest request) {
    if (request.access() == SourceAccess.DURING_CALL) {
      throw Capture.refused(
          "a copy whose source is read during the call cannot be captured: a graph reads it in"
              + " every launch");
    }
    return switch (request) {
      case CopyRequest.ToDevice(var source, var destination, _) ->
          NodeWorks.copy(engine, Direction.TO_DEVICE, source, destination);
      case CopyRequest.ToHost(var source, var destination, _) ->
          NodeWorks.copy(engine, Direction.TO_HOST, destination, source);
      case CopyRequest.OnDevices(GlobalArray source, GlobalArray destination, _) ->
          NodeWorks.copy(engine, source, destination);
      case CopyRequest.OnHost _ ->
          throw Capture.refused(
              "a copy from host memory to host memory cannot be captured: copy in a callback");
    };
  }

  private static void note(BatchOverlaps overlaps, int copy, GraphWork work) {
    if (work instanceof GraphWork.Copy one) {
      overlaps.reads(copy, one.src(), one.width());
      overlaps.writes(copy, one.dst(), one.width());
    } else if (work instanceof GraphWork.PeerCopy one) {
      overlaps.reads(copy, one.src(), one.shape().bytes());
      overlaps.writes(copy, one.dst(), one.shape().bytes());
    }
  }

  /** {@return the way that a captured copy takes} */
  static Way way(NodeWork.OnDevice copy) {
    return way(copy.work());
  }

  private static Way way(GraphWork work) {
    return switch (work) {
      case GraphWork.PeerCopy _ -> Way.PEER;
      case GraphWork.Copy copy when copy.kind() == CopyKind.DEVICE_TO_DEVICE -> Way.LOCAL;
      case GraphWork.Planes copy when copy.kind() == CopyKind.DEVICE_TO_DEVICE -> Way.LOCAL;
      default -> Way.DIRECT;
    };
  }
}
