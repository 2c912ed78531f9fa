package dev.stretto;

import dev.stretto.enqueue.Direction;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.GraphException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.route.DeviceRuntime;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * The nodes of a {@link GraphBuilder} that copy and fill. The device of the array does the work; a
 * copy between two devices is done by the graph's own, if it is one of them.
 */
abstract class GraphCopies {
  GraphCopies() {}

  /** {@return the device that does what a node does with an array} */
  abstract DeviceRuntime engine(GlobalArray array);

  /** {@return the device that copies between two arrays} */
  abstract DeviceRuntime engine(GlobalArray source, GlobalArray destination);

  abstract GraphNode add(NodeWork work, GraphNode... after);

  /**
   * {@return a copy from pinned memory to the device}
   *
   * @param source pinned memory
   * @param destination as many bytes
   * @param after the nodes that it comes after
   * @throws GraphException if the source is not pinned, the destination lies on a device of another
   *     driver, or a node belongs to another graph
   * @throws IllegalArgumentException if the sizes differ or are 0
   * @throws ClosedException if one of the ends is closed
   * @throws IllegalStateException if the graph is built
   */
  public final GraphNode copy(MemorySegment source, GlobalArray destination, GraphNode... after) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(after, "after");
    return add(
        NodeWorks.copy(engine(destination), Direction.TO_DEVICE, source, destination), after);
  }

  /**
   * {@return a copy from the device to pinned memory}
   *
   * @param source an array on the device
   * @param destination as many bytes, pinned and writable
   * @param after the nodes that it comes after
   * @throws GraphException if the destination is not pinned, the source lies on a device of another
   *     driver, or a node belongs to another graph
   * @throws IllegalArgumentException if the sizes differ or are 0, or the destination is read-only
   * @throws ClosedException if one of the ends is closed
   * @throws IllegalStateException if the graph is built
   */
  public final GraphNode copy(GlobalArray source, MemorySegment destination, GraphNode... after) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(after, "after");
    return add(NodeWorks.copy(engine(source), Direction.TO_HOST, destination, source), after);
  }

  /**
   * {@return a copy within a device, or between two} The graph's device copies if it is one of the
   * two, else a device that has access to the other one's memory.
   *
   * @param source an array on the graph's device or another one of the same driver
   * @param destination an array of as many bytes, on such a device too, not overlapping the source
   * @param after the nodes that it comes after
   * @throws GraphException if an end lies on a device of another driver, {@linkplain
   *     Device#enablePeerAccess access} of the device that copies to the other is not enabled, or a
   *     node belongs to another graph
   * @throws IllegalArgumentException if the sizes differ or are 0, or the ends overlap
   * @throws ClosedException if one of the ends is closed
   * @throws IllegalStateException if the graph is built
   */
  public final GraphNode copy(GlobalArray source, GlobalArray destination, GraphNode... after) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(after, "after");
    return add(NodeWorks.copy(engine(source, destination), source, destination), after);
  }

  /**
   * {@return a copy of rows of pinned memory to the device} Such a node cannot be changed.
   *
   * @param source the first row begins at its first byte
   * @param sourcePitch distance between the beginnings of two rows, in bytes, at least {@code
   *     width}
   * @param destination the first row begins at its first byte
   * @param destinationPitch the same for the destination
   * @param width bytes per row
   * @param rows how many
   * @param after the nodes that it comes after
   * @throws GraphException if the source is not pinned, the destination lies on a device of another
   *     driver, or a node belongs to another graph
   * @throws IllegalArgumentException if a size is not positive, or rows overlap
   * @throws IndexOutOfBoundsException if the rows do not fit into one of the ends
   * @throws ClosedException if one of the ends is closed
   * @throws IllegalStateException if the graph is built
   */
  public final GraphNode copy2D(
      MemorySegment source,
      long sourcePitch,
      GlobalArray destination,
      long destinationPitch,
      long width,
      long rows,
      GraphNode... after) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(after, "after");
    return add(
        NodeWorks.rows(
            engine(destination),
            Direction.TO_DEVICE,
            source,
            sourcePitch,
            destination,
            destinationPitch,
            width,
            rows),
        after);
  }

  /**
   * {@return a copy of rows of the device to pinned memory} Such a node cannot be changed.
   *
   * @param source the first row begins at its first byte
   * @param sourcePitch distance between the beginnings of two rows, in bytes, at least {@code
   *     width}
   * @param destination the first row begins at its first byte
   * @param destinationPitch the same for the destination
   * @param width bytes per row
   * @param rows how many
   * @param after the nodes that it comes after
   * @throws GraphException if the destination is not pinned, the source lies on a device of another
   *     driver, or a node belongs to another graph
   * @throws IllegalArgumentException if a size is not positive, rows overlap, or the destination is
   *     read-only
   * @throws IndexOutOfBoundsException if the rows do not fit into one of the ends
   * @throws ClosedException if one of the ends is closed
   * @throws IllegalStateException if the graph is built
   */
  public final GraphNode copy2D(
      GlobalArray source,
      long sourcePitch,
      MemorySegment destination,
      long destinationPitch,
      long width,
      long rows,
      GraphNode... after) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(after, "after");
    return add(
        NodeWorks.rows(
            engine(source),
            Direction.TO_HOST,
            destination,
            destinationPitch,
            source,
            sourcePitch,
            width,
            rows),
        after);
  }

  /**
   * {@return a copy of rows within the device} Such a node cannot be changed.
   *
   * @param source the first row begins at its first byte
   * @param sourcePitch distance between the beginnings of two rows, in bytes, at least {@code
   *     width}
   * @param destination the first row begins at its first byte
   * @param destinationPitch the same for the destination
   * @param width bytes per row
   * @param rows how many
   * @param after the nodes that it comes after
   * @throws GraphException if the device that copies has no access to that of the other end, or a
   *     node belongs to another graph
   * @throws IllegalArgumentException if a size is not positive, rows overlap, or the ends share a
   *     byte
   * @throws IndexOutOfBoundsException if the rows do not fit into one of the ends
   * @throws ClosedException if one of the ends is closed
   * @throws IllegalStateException if the graph is built
   */
  public final GraphNode copy2D(
      GlobalArray source,
      long sourcePitch,
      GlobalArray destination,
      long destinationPitch,
      long width,
      long rows,
      GraphNode... after) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(after, "after");
    return add(
        NodeWorks.rows(
            engine(source, destination),
            source,
            sourcePitch,
            destination,
            destinationPitch,
            width,
            rows),
        after);
  }

  /**
   * {@return a copy of planes of pinned memory to the device} Such a node cannot be changed.
   *
   * @param source its first row begins at its first byte
   * @param sourcePitches the distances of its rows and planes
   * @param destination its first row begins at its first byte
   * @param destinationPitches the distances of its rows and planes
   * @param extent bytes per row, rows per plane, and planes
   * @param after the nodes that it comes after
   * @throws GraphException if the source is not pinned, the destination lies on a device of another
   *     driver, or a node belongs to another graph
   * @throws IllegalArgumentException if a size is not positive, or rows or planes overlap
   * @throws IndexOutOfBoundsException if the planes do not fit into one of the ends
   * @throws ClosedException if one of the ends is closed
   * @throws IllegalStateException if the graph is built
   */
  public final GraphNode copy3D(
      MemorySegment source,
      Pitches sourcePitches,
      GlobalArray destination,
      Pitches destinationPitches,
      Extent extent,
      GraphNode... after) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(sourcePitches, "sourcePitches");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(destinationPitches, "destinationPitches");
    Objects.requireNonNull(extent, "extent");
    Objects.requireNonNull(after, "after");
    return add(
        PlaneNodes.copy(
            engine(destination),
            Direction.TO_DEVICE,
            source,
            sourcePitches.box(extent),
            destination,
            destinationPitches.box(extent)),
        after);
  }

  /**
   * {@return a copy of planes of the device to pinned memory} Such a node cannot be changed.
   *
   * @param source its first row begins at its first byte
   * @param sourcePitches the distances of its rows and planes
   * @param destination its first row begins at its first byte
   * @param destinationPitches the distances of its rows and planes
   * @param extent bytes per row, rows per plane, and planes
   * @param after the nodes that it comes after
   * @throws GraphException if the destination is not pinned, the source lies on a device of another
   *     driver, or a node belongs to another graph
   * @throws IllegalArgumentException if a size is not positive, rows or planes overlap, or the
   *     destination is read-only
   * @throws IndexOutOfBoundsException if the planes do not fit into one of the ends
   * @throws ClosedException if one of the ends is closed
   * @throws IllegalStateException if the graph is built
   */
  public final GraphNode copy3D(
      GlobalArray source,
      Pitches sourcePitches,
      MemorySegment destination,
      Pitches destinationPitches,
      Extent extent,
      GraphNode... after) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(sourcePitches, "sourcePitches");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(destinationPitches, "destinationPitches");
    Objects.requireNonNull(extent, "extent");
    Objects.requireNonNull(after, "after");
    return add(
        PlaneNodes.copy(
            engine(source),
            Direction.TO_HOST,
            destination,
            destinationPitches.box(extent),
            source,
            sourcePitches.box(extent)),
        after);
  }

  /**
   * {@return a copy of planes within the device} Such a node cannot be changed.
   *
   * @param source its first row begins at its first byte
   * @param sourcePitches the distances of its rows and planes
   * @param destination its first row begins at its first byte
   * @param destinationPitches the distances of its rows and planes
   * @param extent bytes per row, rows per plane, and planes
   * @param after the nodes that it comes after
   * @throws GraphException if the device that copies has no access to that of the other end, or a
   *     node belongs to another graph
   * @throws IllegalArgumentException if a size is not positive, rows or planes overlap, or the ends
   *     share a byte
   * @throws IndexOutOfBoundsException if the planes do not fit into one of the ends
   * @throws ClosedException if one of the ends is closed
   * @throws IllegalStateException if the graph is built
   */
  public final GraphNode copy3D(
      GlobalArray source,
      Pitches sourcePitches,
      GlobalArray destination,
      Pitches destinationPitches,
      Extent extent,
      GraphNode... after) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(sourcePitches, "sourcePitches");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(destinationPitches, "destinationPitches");
    Objects.requireNonNull(extent, "extent");
    Objects.requireNonNull(after, "after");
    return add(
        PlaneNodes.copy(
            engine(source, destination),
            source,
            sourcePitches.box(extent),
            destination,
            destinationPitches.box(extent)),
        after);
  }

  /**
   * {@return a fill}
   *
   * @param array an array on the device
   * @param value a {@link Float} for floats, halfs and bfloats, and a value of the elements' own
   *     type for others; or a number that Java widens to that type, as for {@code stream.fill}
   * @param after the nodes that it comes after
   * @throws GraphException if the array lies on a device of another driver, or a node belongs to
   *     another graph
   * @throws IllegalArgumentException if the value is of another type or the array has no elements
   * @throws ClosedException if the array is closed
   * @throws IllegalStateException if the graph is built
   */
  public final GraphNode fill(GlobalArray array, Number value, GraphNode... after) {
    Objects.requireNonNull(array, "array");
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(after, "after");
    return add(NodeWorks.fill(engine(array), array, FillValue.bits(array, value)), after);
  }

  /**
   * {@return a fill of rows, which leaves what lies between them} Such a node cannot be changed.
   *
   * @param array the first row begins at its first byte
   * @param pitch distance between the beginnings of two rows, in bytes; a multiple of the elements'
   *     size
   * @param width bytes per row; a multiple of the elements' size, and at most the pitch
   * @param rows the number of rows
   * @param value as for {@link #fill}
   * @param after the nodes that it comes after
   * @throws GraphException if the array lies on a device of another driver, or a node belongs to
   *     another graph
   * @throws IllegalArgumentException as for {@link Stream#fill2D}
   * @throws IndexOutOfBoundsException if the rows do not fit into the array
   * @throws ClosedException if the array is closed
   * @throws IllegalStateException if the graph is built
   */
  public final GraphNode fill2D(
      GlobalArray array, long pitch, long width, long rows, Number value, GraphNode... after) {
    Objects.requireNonNull(array, "array");
    Objects.requireNonNull(after, "after");
    long bits = FillValue.bits(array, value);
    return add(
        NodeWorks.fill(engine(array), array, Fill2D.of(array, pitch, width, rows, bits)), after);
  }
}
