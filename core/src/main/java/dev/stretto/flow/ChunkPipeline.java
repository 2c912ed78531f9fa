package dev.stretto.flow;

import dev.stretto.Copy;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries chunks from the source through the lanes to the sink: each chunk is assigned to a device,
 * read, copied in, worked on, copied out and written; then its slot takes the next chunk.
 */
final class ChunkPipeline {
  private final Object lock;
  private final Steps steps;
  private final List<Lane> lanes;
  private final Source source;
  private final Sink sink;
  private final Output output;
  private final Consumer<FlowProgress> listener;
  private final Sizing sizing;
  private final Permits reads;
  private final Permits writes;
  private final DeviceSelector dealer;
  private final long size;
  private long nextIndex;
  private long endIndex;
  private long bytesDone;
  private FlowTimes times;

  /**
   * @param lock the flow's
   * @param steps runs the steps
   * @param size of the source, or -1 if it is known only at the end
   * @param sizing of all lanes together
   */
  ChunkPipeline(
      Object lock,
      Steps steps,
      List<Lane> lanes,
      Source source,
      long size,
      Sink sink,
      Output output,
      Consumer<FlowProgress> listener,
      Sizing sizing) {
    this.lock = lock;
    this.size = size;
    this.steps = steps;
    this.lanes = lanes;
    this.source = source;
    this.sink = sink;
    this.output = output;
    this.listener = listener;
    this.sizing = sizing;
    this.reads = new Permits(sizing.readers(), !source.isPositional());
    this.writes = new Permits(sizing.writers(), !sink.isPositional());
    this.dealer = new DeviceSelector(lanes, reads, !sink.isPositional());
    this.times = new FlowTimes(0, 0, 0, 0, 0, 0, sizing.readers(), sizing.writers());
    this.endIndex = size < 0 ? Long.MAX_VALUE : Math.ceilDiv(size, sizing.chunkBytes());
  }

  /** {@return whether every chunk is in the sink} */
  boolean isEmpty() {
    synchronized (lock) {
      return nextIndex >= endIndex && lanes.stream().allMatch(lane -> lane.busySlots() == 0);
    }
  }

  FlowProgress progress() {
    synchronized (lock) {
      return new FlowProgress(bytesDone, size);
    }
  }

  FlowTimes times() {
    synchronized (lock) {
      return times;
    }
  }

  /** Assigns the next chunks to devices, in order. */
  void deal() {
    for (Slot slot = nextDealt(); slot != null; slot = nextDealt()) {
      Slot dealt = slot;
      dealt.lane.clock.from(dealt.freeNanos, () -> steps.attempt(dealt.lane, () -> enter(dealt)));
    }
  }

  private @Nullable Slot nextDealt() {
    while (true) {
      long index;
      synchronized (lock) {
        index = nextIndex;
        if (!isAnythingToDeal()) {
          return null;
        }
      }
      long position = index * sizing.chunkBytes();
      long bytes = size < 0 ? sizing.chunkBytes() : Math.min(sizing.chunkBytes(), size - position);
      Optional<MemorySegment> resident = residentIn(position, bytes); // without the lock
      synchronized (lock) {
        if (index == nextIndex) {
          return dealt(position, bytes, resident);
        }
      } // otherwise another thread was faster
    }
  }

  private boolean isAnythingToDeal() {
    return steps.failure() == null
        && nextIndex < endIndex
        && !lanes.stream().allMatch(Lane::isFull);
  }

  private @Nullable Slot dealt(long position, long bytes, Optional<MemorySegment> resident) {
    boolean isRead = isRead(resident);
    if (!isAnythingToDeal() || (isRead && !reads.isFree())) {
      return null; // not before it can be read: until then another device may turn out to be faster
    }
    Lane lane = dealer.next(endIndex - nextIndex, isRead);
    if (lane == null) {
      return null;
    }
    Slot slot = lane.take(nextIndex++, position, bytes, resident);
    slot.takenNanos = lane.clock.isModelled() ? slot.freeNanos : lane.clock.now();
    if (isRead) {
      reads.request(slot);
    }
    return slot;
  }

  /** Whether a thread of the flow reads the chunk. */
  private boolean isRead(Optional<MemorySegment> resident) {
    return resident.isEmpty() && !lanes.getFirst().isStaged();
  }

  private Optional<MemorySegment> residentIn(long position, long bytes) {
    Optional<MemorySegment> resident = source.resident(position, bytes);
    return Objects.requireNonNull(resident, "the result of the source's resident()");
  }

  private void enter(Slot slot) {
    if (isRead(slot.resident)) {
      letIn();
    } else {
      work(slot, slot.resident.orElse(null));
    }
  }

  private void letIn() {
    for (Slot slot = next(reads); slot != null; slot = next(reads)) {
      Slot next = slot;
      if (next.lane.readsAside()) {
        ReaderThreads.run(() -> steps.run(next, () -> read(next)));
      } else {
        steps.then(next, next.freeNanos, () -> read(next));
      }
    }
  }

  private @Nullable Slot next(Permits permits) {
    synchronized (lock) {
      return permits.next();
    }
  }

  private void read(Slot slot) {
    FlowClock clock = slot.lane.clock;
    slot.readBeginNanos = clock.now();
    long read = read(slot.position, slot.buffer(slot.bytes));
    long nanos = Math.max(0, source.modelledNanos(clock.host(), read));
    boolean came;
    synchronized (lock) {
      reads.leave(clock, nanos);
      slot.readEndNanos = clock.now();
      if (read < slot.bytes) {
        requireUnknownSize(slot.position, read);
        endIndex = Math.min(endIndex, read == 0 ? slot.index : slot.index + 1);
        slot.bytes = read;
      }
      came = slot.index < endIndex;
      if (!came) {
        slot.lane.neverCame(slot);
      }
    }
    letIn();
    deal(); // before this chunk continues, since the stage may take long
    if (came) {
      work(slot, slot.buffer(slot.bytes));
    }
  }

  private long read(long position, MemorySegment into) {
    long read = source.read(position, into);
    if (read < 0 || read > into.byteSize()) {
      throw new FlowException(
          "the source reports %d bytes read at byte %d, but %d were requested"
              .formatted(read, position, into.byteSize()));
    }
    return read;
  }

  private void requireUnknownSize(long position, long read) {
    if (size >= 0) {
      throw new FlowException("the source ended at byte " + (position + read) + " of " + size);
    }
  }

  /**
   * Hands a chunk to its device.
   *
   * @param from where its bytes are; null if the threads of staged copies read them
   */
  private void work(Slot slot, @Nullable MemorySegment from) {
    GlobalBytes in = slot.in.slice(0, slot.bytes);
    GlobalBytes out = output.isNothing() ? in : slot.out.slice(0, output.of(slot.bytes));
    Chunk chunk = new Chunk(slot.index, slot.position, slot.bytes, slot.number, in, out);
    Optional<MemorySegment> to = output.isNothing() ? Optional.empty() : destination(slot);
    Copy copyIn = from == null ? slot.lane.bring(slot, in) : slot.stream.copy(from, in);
    slot.lane.stage.enqueue(slot.stream, chunk);
    Copy copyOut = to.isEmpty() ? null : slot.stream.copy(out, to.get());
    slot.enqueuedNanos = slot.lane.clock.now();
    boolean inSink = copyOut == null || slot.intoSink;
    slot.copyOut = slot.intoSink ? copyOut : null;
    steps.then(
        slot,
        () -> {
          copyIn.await(); // it is done: this throws if it failed
          slot.stagedNanos = from == null ? copyIn.hostTime().toNanos() : 0;
          if (copyOut != null) {
            copyOut.await();
          }
          arrived(slot, inSink);
        });
  }

  /** {@return where a chunk's bytes leave to: the sink's own memory, or the slot's buffer} */
  private Optional<MemorySegment> destination(Slot slot) {
    long bytes = output.of(slot.bytes);
    Optional<MemorySegment> resident =
        Objects.requireNonNull(
            sink.resident(output.position(slot), bytes), "the result of the sink's resident()");
    slot.intoSink = resident.isPresent();
    return Optional.of(resident.orElseGet(() -> leaving(slot)));
  }

  private MemorySegment leaving(Slot slot) {
    return output.isResult() ? slot.result() : slot.buffer(slot.bytes);
  }

  private void arrived(Slot slot, boolean inSink) {
    synchronized (lock) {
      slot.copyOut = null;
      slot.lane.left(slot);
      slot.doneNanos = slot.lane.clock.now();
      if (!inSink) {
        writes.request(slot);
      }
    }
    if (inSink) {
      written(slot, false);
    } else {
      letOut();
    }
  }

  private void letOut() {
    for (Slot slot = next(writes); slot != null; slot = next(writes)) {
      Slot next = slot;
      steps.then(next, next.leftNanos, () -> write(next));
    }
  }

  private void write(Slot slot) {
    slot.writeBeginNanos = slot.lane.clock.now();
    sink.write(output.position(slot), leaving(slot));
    FlowClock clock = slot.lane.clock;
    long nanos = Math.max(0, sink.modelledNanos(clock.host(), slot.bytes, sizing.writers()));
    synchronized (lock) {
      writes.leave(clock, nanos);
    }
    letOut();
    written(slot, true);
  }

  private void written(Slot slot, boolean isWritten) {
    FlowProgress progress;
    synchronized (lock) {
      times =
          times.plus(
              slot.times(
                  slot.lane.clock.now(), isRead(slot.resident), slot.stagedNanos, isWritten));
      bytesDone += slot.bytes;
      progress = progress();
    }
    listener.accept(progress);
    synchronized (lock) {
      slot.lane.written(slot);
    }
    deal();
  }
}
