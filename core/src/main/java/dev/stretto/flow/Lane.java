package dev.stretto.flow;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Observer;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.fault.ClosedException;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalLongs;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * One of a flow's devices: its slots, the chunks on it, and its speed. Guarded by the flow's lock.
 */
final class Lane {
  final Device device;
  final List<MadeStage> stages;
  final FlowClock clock;
  private final Sizing sizing;
  private final Passage passage;
  private final double nanosOfLink;
  private final Speed speed = new Speed();
  private final List<Slot> slots = new CopyOnWriteArrayList<>();

  /** The slot that has been free for longest comes first. */
  private final PriorityQueue<Slot> free =
      new PriorityQueue<>(
          Comparator.comparingLong((Slot slot) -> slot.freeNanos)
              .thenComparingLong(slot -> slot.turn));

  private final @Nullable StagedSource staged;
  private final @Nullable StagedSink stagedSink;

  /** So many chunks on their way keep a link busy. */
  private static final int MOST_COMING = 2;

  private int firstNumber;
  private @Nullable Buffering buffering;
  private @Nullable PinnedArena arena;

  /** Whether the slots were closed; guarded by them. */
  private boolean closed;

  private long turns;
  private long taken;
  private long lastFreed;
  private int backlog;
  private long chunks;
  private long bytes;
  private long pinnedBytes;
  private long deviceBytes;

  /** How many slots will be released later than the others. */
  private int late;

  /** How many consecutive chunks went to other devices while this one was idle. */
  int passedOver;

  /**
   * @param staged the source, if the threads of staged copies read it
   * @param stagedSink the sink, if they write it
   */
  Lane(
      Device device,
      List<MadeStage> stages,
      Sizing sizing,
      Passage passage,
      boolean modelled,
      @Nullable StagedSource staged,
      @Nullable StagedSink stagedSink) {
    this.staged = staged;
    this.stagedSink = stagedSink;
    this.device = device;
    this.stages = stages;
    this.sizing = sizing;
    this.passage = passage;
    LinkSpeed link = LinkSpeed.known(device);
    this.nanosOfLink = link == null ? 0 : link.nanos(sizing.chunkBytes());
    this.clock = new FlowClock(device.hostClock(), modelled);
  }

  // --- slots
  // ------------------------------------------------------------------------------------------------------------------

  /**
   * Makes what the slots need; {@link #openNext} makes them.
   *
   * @param first number of the slots
   * @param need whether they need pinned buffers
   */
  void open(int first, Buffering need) {
    for (MadeStage stage : stages) {
      stage.open(device);
    }
    firstNumber = first;
    buffering = need;
    boolean isPinned = need.isNeeded() || passage.output().isResult() || passage.resizes();
    arena = isPinned ? device.pinnedArena() : null;
  }

  /**
   * Makes one more slot, unless there are all. Called by one thread at a time, without the lock.
   *
   * @param lock the flow's
   * @return whether there is one more
   */
  boolean openNext(Object lock) {
    return slots.size() < sizing.depth() && openAnother(lock);
  }

  /** {@return whether there may be more slots than there are while the first chunk waits} */
  boolean hasSpare() {
    int made = slots.size();
    return made >= sizing.depth() && made < sizing.most();
  }

  /** {@return whether one more is wanted now, since the chunks of nearly all slots have come} */
  boolean wantsSpare() {
    return hasSpare() && slots.stream().filter(slot -> !slot.hasCome()).count() <= MOST_COMING;
  }

  /**
   * Makes a slot more than there are otherwise. Called like {@link #openNext}, before the first
   * chunk is done.
   *
   * @param lock the flow's
   * @return whether there is one more
   */
  boolean openSpare(Object lock) {
    return openAnother(lock);
  }

  private boolean openAnother(Object lock) {
    int made = slots.size();
    Slot slot = slot(firstNumber + made, Objects.requireNonNull(buffering), arena);
    synchronized (lock) {
      synchronized (slots) {
        if (!closed) {
          slots.add(slot);
          slot.turn = turns++;
          free.add(slot);
          return true;
        }
      }
    }
    Throwable _ = closeQuietly(slot.held(), null); // the flow has failed meanwhile
    return false;
  }

  private Slot slot(int number, Buffering buffering, @Nullable PinnedArena pinned) {
    long chunk = sizing.chunkBytes();
    Passage.Layout layout = passage.layout(chunk);
    List<AutoCloseable> made = new ArrayList<>();
    try {
      Stream stream = device.stream("flow slot " + (number + 1));
      made.add(stream);
      List<GlobalBytes> arrays = new ArrayList<>();
      for (long bytes : layout.sizes()) {
        GlobalBytes array = device.allocateBytes(bytes);
        made.add(array);
        arrays.add(array);
      }
      GlobalLongs size = passage.resizes() ? device.allocateLongs(1) : null;
      if (size != null) {
        made.add(size);
      }
      deviceBytes += layout.bytes() + (size == null ? 0 : Long.BYTES);
      return new Slot(
          this,
          number,
          stream,
          layout,
          arrays,
          size,
          size == null ? null : pin(pinned, Long.BYTES, Long.BYTES),
          pin(pinned, buffering.bytes(chunk, passage.leaving(chunk)), 4096),
          pin(pinned, passage.output().isResult() ? passage.leaving(chunk) : 0, 64));
    } catch (Throwable e) {
      Throwable _ = closeQuietly(made, e);
      throw e;
    }
  }

  private @Nullable MemorySegment pin(@Nullable PinnedArena pinned, long bytes, long alignment) {
    if (pinned == null || bytes == 0) {
      return null;
    }
    MemorySegment memory = pinned.allocate(bytes, alignment);
    pinnedBytes += bytes;
    return memory;
  }

  /** {@return whether chunks are read on threads that no clock and no seed orders} */
  boolean readsAside() {
    return !device.isSeeded() && !device.hostClock().isModelled();
  }

  /** {@return whether the threads of staged copies read the source} */
  boolean isStaged() {
    return staged != null;
  }

  /** {@return the copies of a slot's chunk, which the threads of staged copies read} */
  List<Copy> bring(Slot slot, GlobalBytes in) {
    return Objects.requireNonNull(staged).copy(slot.stream, slot.position, in);
  }

  List<Slot> slots() {
    return slots;
  }

  /** {@return whether every slot has a chunk} */
  boolean isFull() {
    return free.isEmpty();
  }

  /** {@return how many slots have a chunk} */
  int busySlots() {
    return slots.size() - free.size();
  }

  /** {@return the time since which a slot has been free, in modelled time} */
  long freeSince() {
    Slot first = free.peek();
    return first == null ? lastFreed : first.freeNanos;
  }

  /** {@return the time when a slot last became free, in modelled time} */
  long lastFreed() {
    return lastFreed;
  }

  /** {@return a free slot, which has a chunk from now on} */
  Slot take(long index, long position, long size, Optional<MemorySegment> resident) {
    backlog++;
    passedOver = 0;
    Slot slot = free.remove();
    slot.index = index;
    slot.position = position;
    slot.bytes = size;
    slot.resident = resident;
    slot.turnOnDevice = taken++;
    slot.enqueuedNanos = -1;
    slot.intoSink = false;
    slot.stagedNanos = 0;
    slot.stagedOutNanos = 0;
    return slot;
  }

  /** Frees the slot of a chunk that never came because the source ended before it. */
  void neverCame(Slot slot) {
    backlog--;
    release(slot);
  }

  /** Notes that a chunk has left the device. */
  void left(Slot slot) {
    backlog--;
    slot.leftNanos = clock.hostNanos();
    speed.add(slot.enqueuedNanos, clock.now(), slot.bytes);
  }

  /** Notes that a chunk is in the sink. */
  void written(Slot slot) {
    chunks++;
    bytes += slot.bytes;
    release(slot);
  }

  private void release(Slot slot) {
    slot.freeNanos = clock.hostNanos();
    slot.turn = turns++;
    lastFreed = Math.max(lastFreed, slot.freeNanos);
    free.add(slot);
  }

  /**
   * Tells the device's observer what a thread of the host has read or written.
   *
   * @param begin by the lane's clock
   */
  void report(Observer.Kind kind, String name, long bytes, long begin, long end) {
    long from = clock.observed(begin);
    if (from >= 0) {
      device.report(
          new Observer.HostWork(kind, name, bytes, from, Math.max(from, clock.observed(end))));
    }
  }

  // --- measurements of the device
  // --------------------------------------------------------------------------------------------

  int depth() {
    return sizing.depth();
  }

  /** {@return how many of its chunks have not left the device} */
  int backlog() {
    return backlog;
  }

  /** {@return the measured nanoseconds for a chunk; 0 if not known} */
  double nanosPerChunk() {
    return speed.nanosPerByte() * sizing.chunkBytes();
  }

  /**
   * {@return nanoseconds to copy a chunk in, if the link was measured to size the flow; otherwise
   * 0}
   */
  double nanosOfLink() {
    return nanosOfLink;
  }

  /** {@return the time when the device finished the last chunk counted} */
  long busyUntil() {
    return speed.busyUntil();
  }

  long chunks() {
    return chunks;
  }

  long bytes() {
    return bytes;
  }

  long pinnedBytes() {
    return pinnedBytes;
  }

  long deviceBytes() {
    return deviceBytes;
  }

  DeviceShare share() {
    return new DeviceShare(device, slots.size(), chunks, bytes, speed.bytesPerSecond());
  }

  // --- the end
  // ----------------------------------------------------------------------------------------------------------------

  /**
   * {@return the cause of a step's failure on this device} After a device was closed, its memory
   * and streams only report that they are closed; and a copy reports that its source cannot be
   * read.
   */
  Throwable cause(Throwable thrown) {
    boolean isClosed = thrown instanceof IllegalStateException || thrown instanceof ClosedException;
    if (isClosed && !device.isOpen()) {
      return closed(thrown);
    }
    Throwable cause = stagedSink == null ? thrown : stagedSink.cause(thrown);
    return staged == null ? cause : staged.cause(cause);
  }

  private ClosedException closed(Throwable thrown) {
    return new ClosedException(
        device.name() + " was closed while a flow used it: close it after the flow has ended",
        thrown);
  }

  /**
   * Releases everything; operations that are still on the device run to their end.
   *
   * @param kept the slots of steps that have not returned: {@link #closeLate} releases those
   */
  @Nullable Throwable close(@Nullable Throwable trouble, Set<Slot> kept) {
    List<AutoCloseable> open = new ArrayList<>();
    for (MadeStage stage : stages) {
      Stream own = stage.stream();
      if (own != null) {
        open.add(own);
      }
    }
    synchronized (slots) {
      closed = true;
      for (Slot slot : slots) {
        if (kept.contains(slot)) {
          late++; // unless it has been released by now, and was counted down before
        } else {
          open.addAll(slot.held());
        }
      }
      addArena(open);
    }
    return closeQuietly(open, trouble);
  }

  /** Adds the arena, which is released with the last slot. */
  private void addArena(List<AutoCloseable> open) {
    PinnedArena pinned = arena;
    if (pinned != null && late == 0) {
      open.add(pinned);
    }
  }

  /** Releases a slot whose step has finally returned after the end of the flow. */
  void closeLate(Slot slot) {
    List<AutoCloseable> open = slot.held();
    synchronized (slots) {
      late--;
      addArena(open);
    }
    Throwable trouble = closeQuietly(open, null);
    if (trouble != null) {
      System.getLogger("dev.stretto")
          .log(System.Logger.Level.WARNING, "a flow's memory could not be released", trouble);
    }
  }

  private @Nullable Throwable closeQuietly(List<AutoCloseable> open, @Nullable Throwable trouble) {
    Throwable all = trouble;
    for (AutoCloseable each : open) {
      if (device.isOpen()) { // or it was closed with the device
        Throwable now = Flow.closeQuietly(each, all);
        all = device.isOpen() ? now : all;
      }
    }
    return all;
  }
}
