package dev.stretto.enqueue;

import static dev.stretto.enqueue.Direction.TO_DEVICE;

import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.observe.HostTask;
import dev.stretto.observe.Observation;
import dev.stretto.observe.Observers;
import dev.stretto.order.Issue;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.OrdinaryCopies;
import dev.stretto.route.Scattered;
import dev.stretto.route.Transfer;
import dev.stretto.route.Way;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;

/** Copies between files and a device: host threads read into pinned memory, and write from it. */
public final class FileCopies {
  /** Bytes of a file as host threads see them. */
  private record Range(FileChannel file, long position, Observers observers) implements Scattered {
    @Override
    public Place place() {
      return Place.FILE;
    }

    @Override
    public void move(long at, long bytes, MemorySegment buffer, long offset, boolean intoBuffer) {
      ByteBuffer part = buffer.asSlice(offset, bytes).asByteBuffer();
      long begin = System.nanoTime();
      try {
        while (part.hasRemaining()) {
          long place = position + at + part.position();
          int moved = intoBuffer ? file.read(part, place) : file.write(part, place);
          if (moved < 0) {
            throw new EOFException("it ends at byte " + Math.min(place, file.size()));
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      if (observers.isObserved() && !observers.isModelled()) {
        observers.worked(new HostTask(!intoBuffer, "file", bytes, begin, System.nanoTime()));
      }
    }
  }

  private FileCopies() {}

  /**
   * Enqueues a copy between a file and an array.
   *
   * @param position of the first byte in the file
   */
  public static <C> C copy(
      Direction direction, Enqueuer<C> on, FileChannel file, long position, GlobalArray array) {
    DeviceBlock block = on.block(array);
    long bytes = array.byteSize();
    check(direction, file, position, bytes);
    if (direction == TO_DEVICE && OrdinaryCopies.areOver(on.queue())) {
      requireInside(file, position, bytes);
    }
    Issue issue = on.isOrdered() ? issue(direction, on, array) : null;
    Observation begin = on.before(direction.observed(), issue);
    Range range = new Range(file, position, on.observers());
    C copy =
        issue == null
            ? go(direction, on, range, block, array.address(), bytes)
            : on.enqueue(issue, () -> go(direction, on, range, block, array.address(), bytes));
    return on.reported(begin, copy, direction, bytes);
  }

  /** The calls of the channel move nothing; they refuse what could not be moved later either. */
  private static void check(Direction direction, FileChannel file, long position, long bytes) {
    if (bytes == 0) {
      throw new IllegalArgumentException(
          "both ends of the copy have 0 bytes: there is nothing to copy");
    }
    if (position < 0 || position > Long.MAX_VALUE - bytes) {
      throw new IllegalArgumentException(
          bytes + " bytes from byte " + position + " on are not in a file");
    }
    if (!file.isOpen()) {
      throw new ClosedException(
          "the file of a copy of "
              + bytes
              + " bytes is closed: keep it open until the copy is done");
    }
    try {
      if (direction != TO_DEVICE) {
        int _ = file.write(ByteBuffer.allocate(0), position);
        return;
      }
      int _ = file.read(ByteBuffer.allocate(0), position);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void requireInside(FileChannel file, long position, long bytes) {
    long size;
    try {
      size = file.size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (position + bytes > size) {
      throw new IndexOutOfBoundsException(
          "%d bytes from byte %d on are not in a file of %d bytes"
              .formatted(bytes, position, size));
    }
  }

  private static Issue issue(Direction direction, Enqueuer<?> on, GlobalArray array) {
    List<Ends.End> device = List.of(Ends.End.of(array));
    return direction == TO_DEVICE
        ? Ends.copies(on, "a copy of a file to the device", List.of(), device)
        : Ends.copies(on, "a copy to a file", device, List.of());
  }

  private static <C> C go(
      Direction direction,
      Enqueuer<C> on,
      Range range,
      DeviceBlock block,
      long address,
      long bytes) {
    Transfer transfer =
        Transfer.enqueue(
            on.engine(),
            on.queue(),
            block,
            address,
            bytes,
            range,
            bytes,
            1,
            direction == TO_DEVICE);
    return on.copied(Way.STAGED, transfer.sequence(), transfer);
  }
}
