package dev.stretto.enqueue;

import static dev.stretto.enqueue.Direction.TO_DEVICE;

import dev.stretto.memory.GlobalArray;
import dev.stretto.observe.Observation;
import dev.stretto.order.Footprint;
import dev.stretto.order.HostMemories;
import dev.stretto.order.Issue;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceForm;
import dev.stretto.route.Scattered;
import dev.stretto.route.Transfer;
import dev.stretto.route.Way;
import dev.stretto.rows.HostRows;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Copies of rows in many places of host memory. They are staged, wherever the rows are. */
public final class RowCopies {
  /**
   * The rows as the pumps see them.
   *
   * @param floats the same rows without their conversion
   * @param form what the device can make of these; null if they are not converted
   */
  private record Places(HostRows rows, HostRows floats, @Nullable DeviceForm form)
      implements Scattered {
    static Places of(HostRows rows) {
      return new Places(
          rows, rows.unconverted(), rows.conversion().map(FormKernels::new).orElse(null));
    }

    @Override
    public Place place() {
      return rows.mayBeNative() ? Place.ANY_MEMORY : Place.HEAP;
    }

    @Override
    public void move(long at, long bytes, MemorySegment buffer, long offset, boolean intoBuffer) {
      MemorySegment part = buffer.asSlice(offset, bytes);
      if (intoBuffer) {
        rows.read(at, part);
      } else {
        rows.write(at, part);
      }
    }

    @Override
    public @Nullable DeviceForm deviceForm() {
      return form;
    }

    @Override
    public void moveUnconverted(long at, long bytes, MemorySegment buffer, long offset) {
      floats.read(at, buffer.asSlice(offset, bytes));
    }
  }

  private RowCopies() {}

  /**
   * Enqueues a copy between rows and an array.
   *
   * @param pitch bytes from the beginning of a row of the array to that of the next
   */
  public static <C> C copy(
      Direction direction, Enqueuer<C> on, HostRows rows, GlobalArray array, long pitch) {
    DeviceBlock block = on.block(array);
    boolean toDevice = direction == TO_DEVICE;
    Rows.check(
        toDevice ? "destination" : "source", array.byteSize(), pitch, rows.rowBytes(), rows.rows());
    requireWritable(direction, rows);
    rows.requireOpen();
    Issue issue = on.isOrdered() ? issue(direction, on, rows, array, pitch) : null;
    Observation begin = on.before(direction.observed(), issue);
    C copy =
        issue == null
            ? go(on, rows, block, array.address(), pitch, toDevice)
            : on.enqueue(issue, () -> go(on, rows, block, array.address(), pitch, toDevice));
    return on.reported(begin, copy, direction, rows.byteSize());
  }

  /** Requires that a destination is whole rows of a dense matrix. */
  public static void requireDense(Direction direction, HostRows rows, GlobalArray array) {
    long source = direction == TO_DEVICE ? rows.byteSize() : array.byteSize();
    long destination = direction == TO_DEVICE ? array.byteSize() : rows.byteSize();
    if (source != destination) {
      throw new IllegalArgumentException(
          "the source has "
              + source
              + " bytes and the destination "
              + destination
              + ": "
              + rows
              + " make a dense matrix of "
              + rows.byteSize()
              + " bytes; give the distance of its rows if it is padded");
    }
  }

  private static void requireWritable(Direction direction, HostRows rows) {
    if (direction != TO_DEVICE && rows.isReadOnly()) {
      throw new IllegalArgumentException("some of the destination, " + rows + ", is read-only");
    }
  }

  private static <C> C go(
      Enqueuer<C> on,
      HostRows rows,
      DeviceBlock block,
      long address,
      long pitch,
      boolean toDevice) {
    Transfer transfer =
        Transfer.enqueue(
            on.engine(),
            on.queue(),
            block,
            address,
            pitch,
            Places.of(rows),
            rows.rowBytes(),
            rows.rows(),
            toDevice);
    return on.copied(Way.STAGED, transfer.sequence(), transfer);
  }

  private static Issue issue(
      Direction direction, Enqueuer<?> on, HostRows rows, GlobalArray array, long pitch) {
    List<Ends.End> host = new ArrayList<>();
    rows.eachSpan(
        (memory, width, stride, count) ->
            host.add(
                new Ends.End(
                    HostMemories.of(memory),
                    Footprint.ofRows(memory.address(), width, stride, count),
                    memory)));
    Footprint matrix = Footprint.ofRows(array.address(), rows.rowBytes(), pitch, rows.rows());
    List<Ends.End> device = List.of(Ends.End.of(array, matrix));
    return direction == TO_DEVICE
        ? Ends.copies(on, "a copy of rows to the device", host, device)
        : Ends.copies(on, "a copy of rows to the host", device, host);
  }
}
