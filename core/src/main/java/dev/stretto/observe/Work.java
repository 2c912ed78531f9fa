package dev.stretto.observe;

import dev.stretto.driver.FunctionProperties;
import dev.stretto.driver.LaunchShape;
import dev.stretto.driver.LinkTraffic;
import dev.stretto.route.Way;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operation that was enqueued, as it is reported to observers of a device.
 *
 * @param kind the kind of the operation
 * @param name the name of the kernel, a description of the copy, or the number of nodes of the
 *     graph
 * @param sequence its number in its stream
 * @param bytes how many bytes it moves; 0 for kernels and graphs
 * @param way the way of a copy, or null
 * @param host the host end of a copy, or null
 * @param pinned whether the host end is pinned
 * @param from the name of the device that sends, for a copy between devices, or empty
 * @param to the name of the device that receives, or empty
 * @param nodes when the nodes of a graph run, if an observer wants to know
 * @param traffic what a launch moves over the link, because it has views among its arguments
 * @param shape the shape of a launch of a kernel, or null
 * @param function the properties of its kernel, or null
 * @param place the line of the program, if a listener wants it and there is one
 */
public record Work(
    WorkKind kind,
    String name,
    long sequence,
    long bytes,
    @Nullable Way way,
    @Nullable MemorySegment host,
    boolean pinned,
    String from,
    String to,
    List<NodeMarks> nodes,
    LinkTraffic traffic,
    @Nullable LaunchShape shape,
    @Nullable FunctionProperties function,
    @Nullable StackTraceElement place) {
  /** For an operation that is no launch of a kernel. */
  private Work(
      WorkKind kind,
      String name,
      long sequence,
      long bytes,
      @Nullable Way way,
      @Nullable MemorySegment host,
      boolean pinned,
      String from,
      String to,
      List<NodeMarks> nodes) {
    this(
        kind,
        name,
        sequence,
        bytes,
        way,
        host,
        pinned,
        from,
        to,
        nodes,
        LinkTraffic.NONE,
        null,
        null,
        null);
  }

  /** For an operation within a device, or between it and the host. */
  public Work(
      WorkKind kind,
      String name,
      long sequence,
      long bytes,
      @Nullable Way way,
      @Nullable MemorySegment host,
      boolean pinned) {
    this(kind, name, sequence, bytes, way, host, pinned, "", "", List.of());
  }

  /** For an operation that is not a copy. */
  public Work(WorkKind kind, String name, long sequence, long bytes) {
    this(kind, name, sequence, bytes, null, null, false);
  }

  /** For a copy that uses no host memory. */
  public Work(WorkKind kind, String name, long sequence, long bytes, Way way) {
    this(kind, name, sequence, bytes, way, null, false);
  }

  /** {@return a launch of a graph} */
  public static Work graph(String name, long sequence, List<NodeMarks> nodes) {
    return new Work(WorkKind.GRAPH, name, sequence, 0, null, null, false, "", "", nodes);
  }

  /** {@return a launch of a kernel} */
  public static Work launch(
      String name,
      long sequence,
      LinkTraffic traffic,
      LaunchShape shape,
      FunctionProperties function) {
    return new Work(
        WorkKind.KERNEL,
        name,
        sequence,
        0,
        null,
        null,
        false,
        "",
        "",
        List.of(),
        traffic,
        shape,
        function,
        null);
  }

  /** {@return a copy between two devices} */
  public static Work between(
      String name, long sequence, long bytes, Way way, String from, String to) {
    return new Work(WorkKind.PEER, name, sequence, bytes, way, null, false, from, to, List.of());
  }

  /** {@return the same for those who do not look into graphs} */
  Work withoutNodes() {
    return nodes.isEmpty() ? this : with(List.of(), place);
  }

  /** {@return the same, enqueued by a line of the program} */
  Work at(@Nullable StackTraceElement line) {
    return with(nodes, line);
  }

  private Work with(List<NodeMarks> newNodes, @Nullable StackTraceElement newPlace) {
    return new Work(
        kind, name, sequence, bytes, way, host, pinned, from, to, newNodes, traffic, shape,
        function, newPlace);
  }

  boolean isCopyToOrFromHost() {
    return kind == WorkKind.HOST_TO_DEVICE || kind == WorkKind.DEVICE_TO_HOST;
  }
}
