package dev.stretto.flow;

import dev.stretto.Copy;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalLongs;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The resources of one chunk at a time: a stream, a pinned buffer if the source or the sink needs
 * one, and device memory.
 */
final class Slot {
  final Lane lane;
  final int number;
  final Stream stream;

  /** What a stage has made of the chunk, on the device and on the host; null if none resizes. */
  final @Nullable GlobalLongs size;

  final @Nullable MemorySegment sizeOnHost;

  private final List<GlobalBytes> arrays;
  private final List<Integer> arrayOf;
  private final @Nullable MemorySegment buffer;
  private final @Nullable MemorySegment result;

  long index;
  long position;
  long bytes;

  /** How many chunks its device got before. */
  long turnOnDevice;

  /** Where in the sink the chunk goes, and how many bytes of it. */
  long positionOut;

  long bytesOut;

  /** The copies that bring the chunk, and whether the threads of staged copies read it. */
  volatile List<Copy> copiesIn = List.of();

  boolean isStaged;

  /** The chunk's memory, if the chunk need not be read. */
  Optional<MemorySegment> resident = Optional.empty();

  /** When the chunk left the device, in modelled time. */
  long leftNanos;

  /** When the slot took the chunk, a thread began to read it, and had read it. */
  long takenNanos;

  long readBeginNanos;

  /** How long threads of staged copies have read the chunk, added over them. */
  long stagedNanos;

  /** How long they have written it. */
  long stagedOutNanos;

  long readEndNanos;

  /** When the chunk had left the device, and a thread began to write it. */
  long doneNanos;

  long writeBeginNanos;

  /** When the chunk was handed to the device; -1 before. */
  long enqueuedNanos;

  /** The time since which the slot has been free, in modelled time. */
  long freeNanos;

  /** The order of slots that became free at the same time. */
  long turn;

  /** Whether the chunk leaves to its place in the sink, without a buffer. */
  boolean intoSink;

  /** The copy of the chunk to its place in the sink, until it is complete. */
  volatile @Nullable Copy copyOut;

  /** The last step enqueued on the chunk's stream. */
  volatile @Nullable Event last;

  /**
   * @param arrays in device memory, of the layout
   * @param size one element, if a stage changes the size
   * @param sizeOnHost where it arrives
   */
  Slot(
      Lane lane,
      int number,
      Stream stream,
      Passage.Layout layout,
      List<GlobalBytes> arrays,
      @Nullable GlobalLongs size,
      @Nullable MemorySegment sizeOnHost,
      @Nullable MemorySegment buffer,
      @Nullable MemorySegment result) {
    this.lane = lane;
    this.number = number;
    this.stream = stream;
    this.arrays = List.copyOf(arrays);
    this.arrayOf = List.copyOf(layout.arrayOf());
    this.size = size;
    this.sizeOnHost = sizeOnHost;
    this.buffer = buffer;
    this.result = result;
  }

  /** {@return whether it has a chunk that is on the device} */
  boolean hasCome() {
    List<Copy> copies = copiesIn;
    return !copies.isEmpty() && copies.stream().allMatch(Copy::isDone);
  }

  /** {@return the memory that a stage reads; after the last, what leaves} */
  GlobalBytes array(int stage, long length) {
    return arrays.get(arrayOf.get(stage)).slice(0, length);
  }

  /** {@return how many bytes a stage's array has} */
  long room(int stage) {
    return arrays.get(arrayOf.get(stage)).byteSize();
  }

  /** {@return whether a stage writes what it reads} */
  boolean isSameArray(int stage) {
    return (int) arrayOf.get(stage) == arrayOf.get(stage + 1);
  }

  /** {@return what it holds on the device} */
  List<AutoCloseable> held() {
    List<AutoCloseable> all = new ArrayList<>(arrays);
    if (size != null) {
      all.add(size);
    }
    all.add(stream);
    return all;
  }

  /** Notes that the chunk is with the device, which is said once. */
  void noteEnqueued() {
    if (enqueuedNanos < 0) {
      enqueuedNanos = lane.clock.now();
    }
  }

  /** {@return where the result of the chunk arrives} */
  MemorySegment result() {
    return Objects.requireNonNull(result, "the memory for a result");
  }

  /**
   * {@return where the chunk was}
   *
   * @param end when it was in the sink
   * @param isRead whether a thread of the flow has read it
   * @param staged how long threads of staged copies have read it
   * @param isWritten whether a thread has written it
   */
  FlowTimes times(long end, boolean isRead, long staged, boolean isWritten) {
    return new FlowTimes(
        end,
        isRead ? Math.max(0, readBeginNanos - takenNanos) : 0,
        isRead ? readEndNanos - readBeginNanos : staged,
        doneNanos - enqueuedNanos,
        isWritten ? writeBeginNanos - doneNanos : 0,
        isWritten ? end - writeBeginNanos : stagedOutNanos,
        0,
        0);
  }

  MemorySegment buffer(long length) {
    MemorySegment pinned = buffer;
    if (pinned == null) {
      throw new ClosedException(
          "the source and the sink were pinned memory when the flow began, and one "
              + "of them no longer is: keep its arena open until the flow has ended");
    }
    return pinned.asSlice(0, length);
  }
}
