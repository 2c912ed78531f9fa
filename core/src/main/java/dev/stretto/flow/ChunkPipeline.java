package dev.stretto.flow;

import static dev.stretto.Observer.Kind.READ;
import static dev.stretto.Observer.Kind.WRITE;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries chunks from the source through the lanes to the sink: each chunk is assigned to a device,
 * read, handed to the device, and written when it has left; then its slot takes the next chunk.
 */
final class ChunkPipeline {
  private final Object lock;
  private final Steps steps;
  private final List<Lane> lanes;
  private final Source source;
  private final Sink sink;
  private final Passage passage;
  private final Consumer<FlowProgress> listener;
  private final Sizing sizing;
  private final Permits reads;
  private final Permits writes;
  private final DeviceSelector dealer;
  private final Cutter cutter;
  private final ChunkReader reader;
  private final DeviceWork devices;
  private final long size;
  private final long header;
  private long nextIndex;
  private long nextPosition;
  private long endIndex = Long.MAX_VALUE;
  private long bytesDone;
  private long bytesOut;
  private final Pauses pauses = new Pauses();
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
      Ends ends,
      long size,
      Passage passage,
      Sizing sizing) {
    this.lock = lock;
    this.size = size;
    this.steps = steps;
    this.lanes = lanes;
    this.source = ends.source();
    this.sink = ends.sink();
    this.passage = passage;
    this.listener = ends.listener();
    this.sizing = sizing;
    this.header = ends.headerBytes();
    this.cutter = new Cutter(source, size, sizing.chunkBytes(), ends.splitter());
    this.reader =
        new ChunkReader(source, size, header, cutter.knowsEnds() ? null : ends.splitter());
    this.reads = new Permits(reader.isInOrder() ? 1 : sizing.readers(), reader.isInOrder());
    this.writes = new Permits(sizing.writers(), !sink.isPositional());
    this.dealer = new DeviceSelector(lanes, reads, !sink.isPositional());
    Places places = new Places(passage.output(), passage.resizes(), header, ends.places());
    this.devices = new DeviceWork(steps, sink, passage, places, this::arrived);
    this.times = new FlowTimes(0, 0, 0, 0, 0, 0, sizing.readers(), sizing.writers());
    this.nextPosition = header;
  }

  /** {@return whether every chunk is in the sink} */
  boolean isEmpty() {
    synchronized (lock) {
      return isAllDealt() && lanes.stream().allMatch(lane -> lane.busySlots() == 0);
    }
  }

  /** {@return whether no chunk is done, and some have no slot} */
  boolean isStillFirst() {
    synchronized (lock) {
      return bytesDone == header && !isAllDealt() && !pauses.isPaused();
    }
  }

  private boolean isAllDealt() {
    return cutter.knowsEnds() ? nextPosition >= size : nextIndex >= endIndex;
  }

  FlowProgress progress() {
    synchronized (lock) {
      FlowClock clock = lanes.getFirst().clock;
      long elapsed = clock.isModelled() ? times.totalNanos() : clock.now() - pauses.nanos();
      return new FlowProgress(bytesDone, size, elapsed);
    }
  }

  /** {@return whether there was anything to change} */
  boolean pause(boolean isPaused) {
    synchronized (lock) {
      return pauses.set(isPaused);
    }
  }

  boolean isPaused() {
    synchronized (lock) {
      return pauses.isPaused();
    }
  }

  FlowTimes times() {
    synchronized (lock) {
      return times;
    }
  }

  /** {@return how many bytes went to the sink} */
  long bytesOut() {
    synchronized (lock) {
      return bytesOut;
    }
  }

  // --- reading
  // ----------------------------------------------------------------------------------------------------------------

  /** Takes the header to the sink, and assigns the first chunks. */
  void begin() {
    if (header > 0) {
      boolean isWritten = passage.output().isBytes();
      Header.copy(source, sink, header, isWritten);
      synchronized (lock) {
        bytesDone += header;
        bytesOut += isWritten ? header : 0;
      }
    }
    deal();
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
      long position;
      synchronized (lock) {
        index = nextIndex;
        position = nextPosition;
        if (!isAnythingToDeal()) {
          return null;
        }
      }
      // Without the lock, since this calls the program's code.
      long end = cutter.knowsEnds() ? cutter.end(position) : position + sizing.chunkBytes();
      Optional<MemorySegment> resident =
          cutter.knowsEnds() || reader.isPlain()
              ? residentIn(position, end - position)
              : Optional.empty();
      synchronized (lock) {
        if (index == nextIndex) {
          return dealt(position, end - position, resident);
        }
      } // otherwise another thread was faster
    }
  }

  private boolean isAnythingToDeal() {
    return steps.failure() == null
        && !pauses.isPaused()
        && !isAllDealt()
        && !lanes.stream().allMatch(Lane::isFull);
  }

  private @Nullable Slot dealt(long position, long bytes, Optional<MemorySegment> resident) {
    boolean isRead = isRead(resident);
    if (!isAnythingToDeal() || (isRead && !reads.isFree())) {
      return null; // not before it can be read: until then another device may turn out to be faster
    }
    Lane lane = dealer.next(Math.min(endIndex - nextIndex, cutter.atMost(position)), isRead);
    if (lane == null) {
      return null;
    }
    Slot slot = lane.take(nextIndex++, position, bytes, resident);
    nextPosition = position + bytes;
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
    } else if (slot.resident.isPresent()) {
      devices.begin(slot, slot.resident.get());
    } else {
      devices.bring(slot);
      // The next chunks come while a first kernel is compiled.
      ReaderThreads.run(() -> steps.run(slot, () -> devices.work(slot)));
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
    ChunkReader.Result read = reader.read(slot.position, slot.buffer(slot.bytes));
    long nanos = Math.max(0, source.modelledNanos(clock.host(), read.bytes()));
    boolean came;
    synchronized (lock) {
      reads.leave(clock, nanos);
      slot.readEndNanos = clock.now();
      slot.readBeginNanos = begin(clock, slot.readBeginNanos, slot.readEndNanos, nanos);
      slot.position = read.position();
      slot.bytes = read.bytes();
      if (read.isLast()) {
        endIndex = Math.min(endIndex, read.bytes() == 0 ? slot.index : slot.index + 1);
      }
      came = slot.index < endIndex;
      if (!came) {
        slot.lane.neverCame(slot);
      }
    }
    slot.lane.report(READ, nameOf(source), read.bytes(), slot.readBeginNanos, slot.readEndNanos);
    letIn();
    deal(); // before this chunk continues, since the stage may take long
    if (came) {
      devices.begin(slot, slot.buffer(slot.bytes));
    }
  }

  /** On a model, a thread of the host becomes free for a chunk later than the chunk for it. */
  private static long begin(FlowClock clock, long begin, long end, long nanos) {
    return clock.isModelled() ? end - nanos : begin;
  }

  private static String nameOf(Object end) {
    boolean isFile = end instanceof FileSource || end instanceof FileSink;
    return isFile ? "file" : end instanceof Source ? "source" : "sink";
  }

  // --- writing
  // ----------------------------------------------------------------------------------------------------------------

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
    FlowClock clock = slot.lane.clock;
    long nanos = 0;
    if (slot.bytesOut > 0) { // or a stage has left nothing of it
      sink.write(slot.positionOut, devices.leaving(slot));
      nanos = Math.max(0, sink.modelledNanos(clock.host(), slot.bytesOut, sizing.writers()));
    }
    long end;
    synchronized (lock) {
      writes.leave(clock, nanos);
      end = clock.now();
      slot.writeBeginNanos = begin(clock, slot.writeBeginNanos, end, nanos);
    }
    slot.lane.report(WRITE, nameOf(sink), slot.bytesOut, slot.writeBeginNanos, end);
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
      bytesOut += slot.bytesOut;
      progress = progress();
    }
    listener.accept(progress);
    synchronized (lock) {
      slot.lane.written(slot);
    }
    deal();
  }
}
