package dev.stretto;

import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import dev.stretto.rows.HostRows;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** The copies and fills of {@link Tasks}. */
abstract class TaskCopies extends MethodLaunches<Copy> {
  TaskCopies() {}

  /**
   * Enqueues a task on the stream that suits it.
   *
   * @param name what it is
   * @param demands what it accesses
   * @param operation enqueues it
   */
  abstract <T> T task(String name, TaskDemands demands, Function<Stream, T> operation);

  /**
   * Copies host memory to the device, as {@link Stream#copy(MemorySegment, GlobalArray)} does.
   *
   * @param source pinned, native, mapped or heap memory
   * @param destination as many bytes, on this device
   * @return the copy
   * @throws IllegalArgumentException as there
   * @throws dev.stretto.fault.ClosedException if the tasks, the device or one of the ends is closed
   * @throws dev.stretto.fault.RouteException as there
   * @throws WrongThreadException as there
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final Copy copy(MemorySegment source, GlobalArray destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return task(
        "a copy to the device",
        new TaskDemands().reads(source).writes(destination),
        on -> on.copy(source, destination));
  }

  /**
   * Copies device memory to host memory, as {@link Stream#copy(GlobalArray, MemorySegment)} does.
   *
   * @param source on this device
   * @param destination as many bytes, writable; neither read nor written by the program until the
   *     copy is done
   * @return the copy
   * @throws IllegalArgumentException as there
   * @throws dev.stretto.fault.ClosedException if the tasks, the device or one of the ends is closed
   * @throws dev.stretto.fault.RouteException as there
   * @throws WrongThreadException as there
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final Copy copy(GlobalArray source, MemorySegment destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return task(
        "a copy to the host",
        new TaskDemands().reads(source).writes(destination),
        on -> on.copy(source, destination));
  }

  /**
   * Copies within the device, or between it and another device, as {@link Stream#copy(GlobalArray,
   * GlobalArray)} does.
   *
   * @param source on either device
   * @param destination as many bytes, not overlapping the source
   * @return the copy
   * @throws IllegalArgumentException as there
   * @throws dev.stretto.fault.ClosedException if the tasks, a device or one of the ends is closed
   * @throws dev.stretto.fault.DeviceLostException if a device is lost
   */
  public final Copy copy(GlobalArray source, GlobalArray destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return task(
        "a copy of device memory",
        new TaskDemands().reads(source).writes(destination),
        on -> on.copy(source, destination));
  }

  /**
   * Copies host memory to host memory, as {@link Stream#copy(MemorySegment, MemorySegment)} does.
   *
   * @param source memory of an arena that is not confined
   * @param destination as many bytes, not overlapping the source
   * @return the copy
   * @throws IllegalArgumentException as there
   * @throws dev.stretto.fault.ClosedException if the tasks or the device is closed
   * @throws dev.stretto.fault.RouteException as there
   */
  public final Copy copy(MemorySegment source, MemorySegment destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return task(
        "a copy on the host",
        new TaskDemands().reads(source).writes(destination),
        on -> on.copy(source, destination));
  }

  /**
   * Copies a Java array to the device.
   *
   * @param source the array
   * @param destination as many elements
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(MemorySegment, GlobalArray)}
   * @throws dev.stretto.fault.ClosedException as for {@link #copy(MemorySegment, GlobalArray)}
   */
  public final Copy copy(float[] source, GlobalFloats destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(MemorySegment.ofArray(source), destination);
  }

  /**
   * Copies device memory to a Java array.
   *
   * @param source on this device
   * @param destination as many elements; neither read nor written until the copy is done
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(GlobalArray, MemorySegment)}
   * @throws dev.stretto.fault.ClosedException as for {@link #copy(GlobalArray, MemorySegment)}
   */
  public final Copy copy(GlobalFloats source, float[] destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(source, MemorySegment.ofArray(destination));
  }

  /**
   * Copies a Java array to the device.
   *
   * @param source the array
   * @param destination as many elements
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(MemorySegment, GlobalArray)}
   * @throws dev.stretto.fault.ClosedException as for {@link #copy(MemorySegment, GlobalArray)}
   */
  public final Copy copy(int[] source, GlobalInts destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(MemorySegment.ofArray(source), destination);
  }

  /**
   * Copies device memory to a Java array.
   *
   * @param source on this device
   * @param destination as many elements; neither read nor written until the copy is done
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(GlobalArray, MemorySegment)}
   * @throws dev.stretto.fault.ClosedException as for {@link #copy(GlobalArray, MemorySegment)}
   */
  public final Copy copy(GlobalInts source, int[] destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(source, MemorySegment.ofArray(destination));
  }

  /**
   * Copies a Java array to the device.
   *
   * @param source the array
   * @param destination as many elements
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(MemorySegment, GlobalArray)}
   * @throws dev.stretto.fault.ClosedException as for {@link #copy(MemorySegment, GlobalArray)}
   */
  public final Copy copy(long[] source, GlobalLongs destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(MemorySegment.ofArray(source), destination);
  }

  /**
   * Copies device memory to a Java array.
   *
   * @param source on this device
   * @param destination as many elements; neither read nor written until the copy is done
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(GlobalArray, MemorySegment)}
   * @throws dev.stretto.fault.ClosedException as for {@link #copy(GlobalArray, MemorySegment)}
   */
  public final Copy copy(GlobalLongs source, long[] destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(source, MemorySegment.ofArray(destination));
  }

  /**
   * Copies a Java array to the device.
   *
   * @param source the array
   * @param destination as many elements
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(MemorySegment, GlobalArray)}
   * @throws dev.stretto.fault.ClosedException as for {@link #copy(MemorySegment, GlobalArray)}
   */
  public final Copy copy(double[] source, GlobalDoubles destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(MemorySegment.ofArray(source), destination);
  }

  /**
   * Copies device memory to a Java array.
   *
   * @param source on this device
   * @param destination as many elements; neither read nor written until the copy is done
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(GlobalArray, MemorySegment)}
   * @throws dev.stretto.fault.ClosedException as for {@link #copy(GlobalArray, MemorySegment)}
   */
  public final Copy copy(GlobalDoubles source, double[] destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(source, MemorySegment.ofArray(destination));
  }

  /**
   * Copies a Java array to the device.
   *
   * @param source the array
   * @param destination as many elements
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(MemorySegment, GlobalArray)}
   * @throws dev.stretto.fault.ClosedException as for {@link #copy(MemorySegment, GlobalArray)}
   */
  public final Copy copy(short[] source, GlobalShorts destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(MemorySegment.ofArray(source), destination);
  }

  /**
   * Copies device memory to a Java array.
   *
   * @param source on this device
   * @param destination as many elements; neither read nor written until the copy is done
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(GlobalArray, MemorySegment)}
   * @throws dev.stretto.fault.ClosedException as for {@link #copy(GlobalArray, MemorySegment)}
   */
  public final Copy copy(GlobalShorts source, short[] destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(source, MemorySegment.ofArray(destination));
  }

  /**
   * Copies a Java array to the device.
   *
   * @param source the array
   * @param destination as many elements
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(MemorySegment, GlobalArray)}
   * @throws dev.stretto.fault.ClosedException as for {@link #copy(MemorySegment, GlobalArray)}
   */
  public final Copy copy(byte[] source, GlobalBytes destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(MemorySegment.ofArray(source), destination);
  }

  /**
   * Copies device memory to a Java array.
   *
   * @param source on this device
   * @param destination as many elements; neither read nor written until the copy is done
   * @return the copy
   * @throws IllegalArgumentException as for {@link #copy(GlobalArray, MemorySegment)}
   * @throws dev.stretto.fault.ClosedException as for {@link #copy(GlobalArray, MemorySegment)}
   */
  public final Copy copy(GlobalBytes source, byte[] destination) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return copy(source, MemorySegment.ofArray(destination));
  }

  @Override
  final Copy copyArray(MemorySegment source, GlobalArray destination) {
    return copy(source, destination);
  }

  @Override
  final Copy copyArray(GlobalArray source, MemorySegment destination) {
    return copy(source, destination);
  }

  @Override
  final Copy copyConverted(MemorySegment floats, HostRows source, GlobalArray destination) {
    return task(
        "a copy to the device",
        new TaskDemands().reads(floats).writes(destination),
        on -> on.copyRows(source, destination));
  }

  @Override
  final Copy copyConverted(GlobalArray source, MemorySegment floats, HostRows destination) {
    return task(
        "a copy to the host",
        new TaskDemands().reads(source).writes(floats),
        on -> on.copyRows(source, destination));
  }

  /**
   * Copies rows, as {@link Stream#copy2D(MemorySegment, long, GlobalArray, long, long, long)} does.
   *
   * @param source the first row begins at its first byte
   * @param sourcePitch bytes from the beginning of a row of the source to the next
   * @param destination the first row begins at its first byte
   * @param destinationPitch bytes from the beginning of a row of the destination to the next
   * @param width bytes per row; at most the smaller pitch
   * @param rows the number of rows
   * @return the copy
   * @throws IllegalArgumentException as there
   * @throws IndexOutOfBoundsException if the rows do not fit into one of the ends
   * @throws dev.stretto.fault.ClosedException if the tasks, the device or one of the ends is closed
   */
  public final Copy copy2D(
      MemorySegment source,
      long sourcePitch,
      GlobalArray destination,
      long destinationPitch,
      long width,
      long rows) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return task(
        "a copy to the device",
        new TaskDemands()
            .readsRows(source, sourcePitch, width, rows)
            .writesRows(destination, destinationPitch, width, rows),
        on -> on.copy2D(source, sourcePitch, destination, destinationPitch, width, rows));
  }

  /**
   * Copies rows, as {@link Stream#copy2D(GlobalArray, long, MemorySegment, long, long, long)} does.
   *
   * @param source the first row begins at its first byte
   * @param sourcePitch bytes from the beginning of a row of the source to the next
   * @param destination the first row begins at its first byte
   * @param destinationPitch bytes from the beginning of a row of the destination to the next
   * @param width bytes per row; at most the smaller pitch
   * @param rows the number of rows
   * @return the copy
   * @throws IllegalArgumentException as there
   * @throws IndexOutOfBoundsException if the rows do not fit into one of the ends
   * @throws dev.stretto.fault.ClosedException if the tasks, the device or one of the ends is closed
   */
  public final Copy copy2D(
      GlobalArray source,
      long sourcePitch,
      MemorySegment destination,
      long destinationPitch,
      long width,
      long rows) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return task(
        "a copy to the host",
        new TaskDemands()
            .readsRows(source, sourcePitch, width, rows)
            .writesRows(destination, destinationPitch, width, rows),
        on -> on.copy2D(source, sourcePitch, destination, destinationPitch, width, rows));
  }

  /**
   * Copies rows, as {@link Stream#copy2D(GlobalArray, long, GlobalArray, long, long, long)} does.
   *
   * @param source the first row begins at its first byte
   * @param sourcePitch bytes from the beginning of a row of the source to the next
   * @param destination the first row begins at its first byte
   * @param destinationPitch bytes from the beginning of a row of the destination to the next
   * @param width bytes per row; at most the smaller pitch
   * @param rows the number of rows
   * @return the copy
   * @throws IllegalArgumentException as there
   * @throws IndexOutOfBoundsException if the rows do not fit into one of the ends
   * @throws dev.stretto.fault.ClosedException if the tasks, the device or one of the ends is closed
   */
  public final Copy copy2D(
      GlobalArray source,
      long sourcePitch,
      GlobalArray destination,
      long destinationPitch,
      long width,
      long rows) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    return task(
        "a copy of device memory",
        new TaskDemands()
            .readsRows(source, sourcePitch, width, rows)
            .writesRows(destination, destinationPitch, width, rows),
        on -> on.copy2D(source, sourcePitch, destination, destinationPitch, width, rows));
  }

  /**
   * Copies planes of rows, as {@link Stream#copy3D(MemorySegment, Pitches, GlobalArray, Pitches,
   * Extent)} does.
   *
   * @param source its first row begins at its first byte
   * @param sourcePitches the distances of its rows and planes
   * @param destination its first row begins at its first byte
   * @param destinationPitches the distances of its rows and planes
   * @param extent bytes per row, rows per plane, and planes
   * @return the copy
   * @throws IllegalArgumentException as there
   * @throws IndexOutOfBoundsException if the planes do not fit into one of the ends
   * @throws dev.stretto.fault.ClosedException if the tasks, the device or one of the ends is closed
   */
  public final Copy copy3D(
      MemorySegment source,
      Pitches sourcePitches,
      GlobalArray destination,
      Pitches destinationPitches,
      Extent extent) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(sourcePitches, "sourcePitches");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(destinationPitches, "destinationPitches");
    Objects.requireNonNull(extent, "extent");
    return task(
        "a copy to the device",
        new TaskDemands()
            .readsPlanes(source, sourcePitches, extent)
            .writesPlanes(destination, destinationPitches, extent),
        on -> on.copy3D(source, sourcePitches, destination, destinationPitches, extent));
  }

  /**
   * Copies planes of rows, as {@link Stream#copy3D(GlobalArray, Pitches, MemorySegment, Pitches,
   * Extent)} does.
   *
   * @param source its first row begins at its first byte
   * @param sourcePitches the distances of its rows and planes
   * @param destination its first row begins at its first byte
   * @param destinationPitches the distances of its rows and planes
   * @param extent bytes per row, rows per plane, and planes
   * @return the copy
   * @throws IllegalArgumentException as there
   * @throws IndexOutOfBoundsException if the planes do not fit into one of the ends
   * @throws dev.stretto.fault.ClosedException if the tasks, the device or one of the ends is closed
   */
  public final Copy copy3D(
      GlobalArray source,
      Pitches sourcePitches,
      MemorySegment destination,
      Pitches destinationPitches,
      Extent extent) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(sourcePitches, "sourcePitches");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(destinationPitches, "destinationPitches");
    Objects.requireNonNull(extent, "extent");
    return task(
        "a copy to the host",
        new TaskDemands()
            .readsPlanes(source, sourcePitches, extent)
            .writesPlanes(destination, destinationPitches, extent),
        on -> on.copy3D(source, sourcePitches, destination, destinationPitches, extent));
  }

  /**
   * Copies planes of rows, as {@link Stream#copy3D(GlobalArray, Pitches, GlobalArray, Pitches,
   * Extent)} does.
   *
   * @param source its first row begins at its first byte
   * @param sourcePitches the distances of its rows and planes
   * @param destination its first row begins at its first byte
   * @param destinationPitches the distances of its rows and planes
   * @param extent bytes per row, rows per plane, and planes
   * @return the copy
   * @throws IllegalArgumentException as there
   * @throws IndexOutOfBoundsException if the planes do not fit into one of the ends
   * @throws dev.stretto.fault.ClosedException if the tasks, the device or one of the ends is closed
   */
  public final Copy copy3D(
      GlobalArray source,
      Pitches sourcePitches,
      GlobalArray destination,
      Pitches destinationPitches,
      Extent extent) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(sourcePitches, "sourcePitches");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(destinationPitches, "destinationPitches");
    Objects.requireNonNull(extent, "extent");
    return task(
        "a copy of device memory",
        new TaskDemands()
            .readsPlanes(source, sourcePitches, extent)
            .writesPlanes(destination, destinationPitches, extent),
        on -> on.copy3D(source, sourcePitches, destination, destinationPitches, extent));
  }

  /**
   * Sets every element of an array.
   *
   * @param array on this device
   * @param value the value
   * @return an event that happens when the fill is done
   * @throws IllegalArgumentException if the array has no elements or lies on another device
   * @throws dev.stretto.fault.ClosedException if the tasks, the device or the array is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final Event fill(GlobalFloats array, float value) {
    Objects.requireNonNull(array, "array");
    return task("a fill", new TaskDemands().writes(array), on -> on.fill(array, value));
  }

  /**
   * Sets every element of an array.
   *
   * @param array on this device
   * @param value the value
   * @return an event that happens when the fill is done
   * @throws IllegalArgumentException if the array has no elements or lies on another device
   * @throws dev.stretto.fault.ClosedException if the tasks, the device or the array is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final Event fill(GlobalInts array, int value) {
    Objects.requireNonNull(array, "array");
    return task("a fill", new TaskDemands().writes(array), on -> on.fill(array, value));
  }

  /**
   * Sets every element of an array.
   *
   * @param array on this device
   * @param value the value
   * @return an event that happens when the fill is done
   * @throws IllegalArgumentException if the array has no elements or lies on another device
   * @throws dev.stretto.fault.ClosedException if the tasks, the device or the array is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final Event fill(GlobalLongs array, long value) {
    Objects.requireNonNull(array, "array");
    return task("a fill", new TaskDemands().writes(array), on -> on.fill(array, value));
  }

  /**
   * Sets every element of an array.
   *
   * @param array on this device
   * @param value the value
   * @return an event that happens when the fill is done
   * @throws IllegalArgumentException if the array has no elements or lies on another device
   * @throws dev.stretto.fault.ClosedException if the tasks, the device or the array is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final Event fill(GlobalDoubles array, double value) {
    Objects.requireNonNull(array, "array");
    return task("a fill", new TaskDemands().writes(array), on -> on.fill(array, value));
  }

  /**
   * Sets every element of an array.
   *
   * @param array on this device
   * @param value the value
   * @return an event that happens when the fill is done
   * @throws IllegalArgumentException if the array has no elements or lies on another device
   * @throws dev.stretto.fault.ClosedException if the tasks, the device or the array is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final Event fill(GlobalShorts array, short value) {
    Objects.requireNonNull(array, "array");
    return task("a fill", new TaskDemands().writes(array), on -> on.fill(array, value));
  }

  /**
   * Sets every element of an array.
   *
   * @param array on this device
   * @param value the value
   * @return an event that happens when the fill is done
   * @throws IllegalArgumentException if the array has no elements or lies on another device
   * @throws dev.stretto.fault.ClosedException if the tasks, the device or the array is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final Event fill(GlobalBytes array, byte value) {
    Objects.requireNonNull(array, "array");
    return task("a fill", new TaskDemands().writes(array), on -> on.fill(array, value));
  }

  /**
   * Sets every element of an array.
   *
   * @param array on this device
   * @param value the value
   * @return an event that happens when the fill is done
   * @throws IllegalArgumentException if the array has no elements or lies on another device
   * @throws dev.stretto.fault.ClosedException if the tasks, the device or the array is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final Event fill(GlobalHalfs array, float value) {
    Objects.requireNonNull(array, "array");
    return task("a fill", new TaskDemands().writes(array), on -> on.fill(array, value));
  }

  /**
   * Sets every element of an array.
   *
   * @param array on this device
   * @param value the value
   * @return an event that happens when the fill is done
   * @throws IllegalArgumentException if the array has no elements or lies on another device
   * @throws dev.stretto.fault.ClosedException if the tasks, the device or the array is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final Event fill(GlobalBfloats array, float value) {
    Objects.requireNonNull(array, "array");
    return task("a fill", new TaskDemands().writes(array), on -> on.fill(array, value));
  }

  /**
   * Copies several pairs of ends as one task, as {@link Stream#copyAll} does.
   *
   * @param copies the copies
   * @return the batch
   * @throws IllegalArgumentException as there
   * @throws dev.stretto.fault.ClosedException if the tasks, the device or an end is closed
   */
  public final Batch copyAll(List<CopyRequest> copies) {
    Objects.requireNonNull(copies, "copies");
    List<CopyRequest> all = new ArrayList<>();
    for (CopyRequest copy : copies) {
      all.add(Objects.requireNonNull(copy, "copies"));
    }
    TaskDemands demands = new TaskDemands();
    for (CopyRequest copy : all) {
      switch (copy) {
        case CopyRequest.ToDevice(var source, var destination, _) ->
            demands.reads(source).writes(destination);
        case CopyRequest.ToHost(var source, var destination, _) ->
            demands.reads(source).writes(destination);
        case CopyRequest.OnDevices(var source, var destination, _) ->
            demands.reads(source).writes(destination);
        case CopyRequest.OnHost(var source, var destination, _) ->
            demands.reads(source).writes(destination);
      }
    }
    return task("a batch of " + all.size() + " copies", demands, on -> on.copyAll(all));
  }
}
