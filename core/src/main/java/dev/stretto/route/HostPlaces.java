package dev.stretto.route;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The host's end of a staged copy: one segment of ordinary memory, memory in many places, or a
 * file. Of memory in many places nobody looks up each place: it counts as touching everything that
 * it may touch.
 */
final class HostPlaces {
  private final @Nullable MemorySegment segment;
  private final @Nullable Scattered scattered;

  private HostPlaces(@Nullable MemorySegment segment, @Nullable Scattered scattered) {
    this.segment = segment;
    this.scattered = scattered;
  }

  static HostPlaces of(MemorySegment segment) {
    return new HostPlaces(segment, null);
  }

  static HostPlaces of(Scattered scattered) {
    return new HostPlaces(null, scattered);
  }

  /** {@return the memory, if it is one segment} */
  @Nullable MemorySegment segment() {
    return segment;
  }

  /** {@return the copies that are still to arrive in some of it} */
  List<Arrival> arriving(Arrivals arrivals) {
    if (segment != null) {
      return arrivals.in(segment);
    }
    return arrivals.all().stream().filter(this::mayMeet).toList();
  }

  /** Of files nobody knows which are the same. */
  private boolean mayMeet(Arrival other) {
    return isFile() == other.isInFile();
  }

  /** {@return whether a thread that moves bytes may have to wait for a disk} */
  boolean mayWaitForDisk() {
    return isFile() || (segment != null && segment.isMapped());
  }

  /** {@return whether it is a file} */
  boolean isFile() {
    return scattered != null && scattered.place() == Scattered.Place.FILE;
  }

  /** {@return whether some of the memory may be pinned} */
  boolean mayBePinned(PinnedRanges ranges) {
    if (segment == null) {
      return mayBeNative();
    }
    return segment.isNative() && ranges.touches(segment.address(), segment.byteSize());
  }

  /** {@return whether it may share a byte with other memory} */
  boolean concerns(MemorySegment other) {
    MemorySegment own = segment;
    if (own == null) {
      return !isFile() && (mayBeNative() || !other.isNative());
    }
    if (own.isNative() != other.isNative()) {
      return false;
    }
    boolean apart =
        own.address() + own.byteSize() <= other.address()
            || other.address() + other.byteSize() <= own.address();
    // Addresses in arrays are places in them. What is apart there is so in any two arrays.
    return !apart && (own.isNative() || own.asOverlappingSlice(other).isPresent());
  }

  /** {@return whether it may share a byte with a range of native memory} */
  boolean touches(long address, long bytes) {
    if (segment == null) {
      return mayBeNative();
    }
    return segment.isNative()
        && segment.address() < address + bytes
        && address < segment.address() + segment.byteSize();
  }

  private boolean mayBeNative() {
    return scattered != null && scattered.place() == Scattered.Place.ANY_MEMORY;
  }

  /** {@return the form that a device can give to the elements; null if they keep theirs} */
  @Nullable DeviceForm deviceForm() {
    return scattered == null ? null : scattered.deviceForm();
  }

  /** Moves the elements of a piece to a buffer, in the form that they have on the host. */
  void moveUnconverted(
      Layout layout, long piece, DeviceForm form, MemorySegment buffer, long offset) {
    if (scattered != null) {
      long at = layout.firstRow(piece) * layout.width() + layout.firstColumn(piece);
      long bytes = layout.widthOf(piece) * layout.rowsOf(piece);
      int ratio = form.hostBytes() / form.deviceBytes();
      scattered.moveUnconverted(at * ratio, bytes * ratio, buffer, offset);
    }
  }

  /** Moves the bytes of a piece between the memory and a buffer. */
  void move(Layout layout, long piece, MemorySegment buffer, long offset, boolean intoBuffer) {
    if (segment != null) {
      Pieces.move(layout, piece, segment, buffer, offset, intoBuffer);
    } else if (scattered != null) {
      long at = layout.firstRow(piece) * layout.width() + layout.firstColumn(piece);
      long bytes = layout.widthOf(piece) * layout.rowsOf(piece);
      scattered.move(at, bytes, buffer, offset, intoBuffer);
    }
  }
}
