package dev.stretto.flow;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.driver.HostClock;
import dev.stretto.fault.AwaitInterruptedException;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that are on their way through a device: read from a source in chunks, copied in, worked on,
 * copied out and written to a sink, with as many chunks under way as its depth says.
 *
 * <pre>{@code
 * Flow flow =
 *     Flow.on(device)
 *         .from(Source.file(plain))
 *         .through((stream, chunk) -> stream.launch(grid, kernel, chunk.in(), chunk.out(), chunk.byteSize()))
 *         .to(Sink.file(cipher))
 *         .start();
 * FlowReport report = flow.await();
 * }</pre>
 *
 * <p>A chunk is not read before a slot is free for it, so memory stays bounded, however large the
 * source and however slow the sink. What fails first (the source, a stage, a copy, the sink) stops
 * the flow: nothing more is read or written, everything is released, what was written stays, and
 * {@link #await()} throws it.
 */
public final class Flow {
  private final Device device;
  private final Source source;
  private final Sink sink;
  private final Stage stage;
  private final Consumer<FlowProgress> listener;
  private final Sizing sizing;
  private final boolean inPlace;
  private final PinnedArena arena;
  private final List<Slot> slots = new ArrayList<>();
  private final Permits reads;
  private final Permits writes;
  private final CompletableFuture<FlowReport> done = new CompletableFuture<>();
  private final long startNanos = System.nanoTime();

  private long nextIndex;
  private long endIndex;
  private long bytesDone;
  private long chunksDone;
  private int busySlots;
  private int running;
  private boolean released;
  private long pinnedBytes;
  private long deviceBytes;
  private @Nullable Throwable failure;

  Flow(
      Device device,
      Source source,
      Sink sink,
      Stage stage,
      Consumer<FlowProgress> listener,
      boolean inPlace,
      Sizing sizing) {
    this.device = device;
    this.source = source;
    this.sink = sink;
    this.stage = stage;
    this.listener = listener;
    this.inPlace = inPlace;
    this.sizing = sizing;
    this.reads = new Permits(sizing.readers(), !source.isPositional());
    this.writes = new Permits(sizing.writers(), !sink.isPositional());
    this.endIndex =
        source.size() < 0
            ? Long.MAX_VALUE
            : (source.size() + sizing.chunkBytes() - 1) / sizing.chunkBytes();
    this.arena = device.pinnedArena();
  }

  /**
   * {@return a plan of a flow through a device}
   *
   * @param device where the work is done
   */
  public static FlowPlan on(Device device) {
    return new FlowPlan(device);
  }

  // --- the way of a chunk
  // -----------------------------------------------------------------------------------------------------

  void begin() {
    try {
      for (int number = 0; number < sizing.depth(); number++) {
        slots.add(open(number));
      }
    } catch (RuntimeException e) {
      release(e);
      throw e;
    }
    synchronized (this) {
      fillSlots();
    }
  }

  private Slot open(int number) {
    long bytes = sizing.chunkBytes();
    boolean buffered =
        source.resident(0, Math.max(0, Math.min(1, source.size()))).isEmpty()
            || sink.resident(0, 1).isEmpty();
    Stream stream = device.stream();
    GlobalBytes in;
    GlobalBytes out;
    try {
      in = device.allocateBytes(bytes);
    } catch (RuntimeException e) {
      stream.close();
      throw e;
    }
    try {
      out = inPlace ? in : device.allocateBytes(bytes);
    } catch (RuntimeException e) {
      stream.close();
      in.close();
      throw e;
    }
    Slot slot = new Slot(number, stream, in, out, null);
    if (buffered) {
      try {
        slot = new Slot(number, stream, in, out, arena.allocate(bytes, 4096));
      } catch (RuntimeException e) {
        close(slot);
        throw e;
      }
      pinnedBytes += bytes;
    }
    deviceBytes += inPlace ? bytes : 2 * bytes;
    return slot;
  }

  /** Gives the next chunks to the slots that are free, in order. */
  private void fillSlots() {
    while (failure == null && nextIndex < endIndex) {
      Slot slot = slots.get((int) (nextIndex % sizing.depth()));
      if (slot.busy) {
        return;
      }
      slot.busy = true;
      busySlots++;
      slot.index = nextIndex++;
      long position = slot.index * sizing.chunkBytes();
      slot.bytes =
          source.size() < 0
              ? sizing.chunkBytes()
              : Math.min(sizing.chunkBytes(), source.size() - position);
      attempt(() -> enter(slot, position));
    }
    finishIfOver();
  }

  private void enter(Slot slot, long position) {
    Optional<MemorySegment> resident = source.resident(position, slot.bytes);
    if (resident.isPresent()) {
      work(slot, resident.get());
    } else {
      reads.request(slot);
      letIn();
    }
  }

  private void letIn() {
    Slot slot;
    while ((slot = reads.next()) != null) {
      Slot next = slot;
      then(next, () -> read(next));
    }
  }

  private void read(Slot slot) {
    long position = slot.index * sizing.chunkBytes();
    long bytes = slot.bytes;
    long read = source.read(position, slot.buffer(bytes));
    HostClock clock = device.hostClock();
    clock.atLeast(slot.permitNanos);
    clock.atLeast(clock.now() + source.modelledNanos(clock, read));
    synchronized (this) {
      reads.leave(clock.now());
      if (read < bytes) {
        requireUnknownSize(position, read);
        endIndex = Math.min(endIndex, read == 0 ? slot.index : slot.index + 1);
        slot.bytes = read;
      }
      letIn();
      if (slot.index >= endIndex) {
        free(slot);
      } else {
        work(slot, slot.buffer(slot.bytes));
      }
    }
  }

  private void requireUnknownSize(long position, long read) {
    if (source.size() >= 0) {
      throw new FlowException(
          "the source ended at byte " + (position + read) + " of " + source.size());
    }
  }

  private void work(Slot slot, MemorySegment from) {
    long position = slot.index * sizing.chunkBytes();
    GlobalBytes in = slot.in.slice(0, slot.bytes);
    GlobalBytes out = slot.out.slice(0, slot.bytes);
    slot.stream.copy(from, in);
    stage.enqueue(slot.stream, new Chunk(slot.index, position, slot.bytes, slot.number, in, out));
    Optional<MemorySegment> resident = sink.resident(position, slot.bytes);
    if (resident.isPresent()) {
      slot.stream.copy(out, resident.get());
      then(slot, () -> written(slot));
    } else {
      slot.stream.copy(out, slot.buffer(slot.bytes));
      then(slot, () -> arrived(slot));
    }
  }

  private synchronized void arrived(Slot slot) {
    writes.request(slot);
    letOut();
  }

  private void letOut() {
    Slot slot;
    while ((slot = writes.next()) != null) {
      Slot next = slot;
      then(next, () -> write(next));
    }
  }

  private void write(Slot slot) {
    sink.write(slot.index * sizing.chunkBytes(), slot.buffer(slot.bytes));
    HostClock clock = device.hostClock();
    clock.atLeast(slot.permitNanos);
    clock.atLeast(clock.now() + sink.modelledNanos(clock, slot.bytes, sizing.writers()));
    synchronized (this) {
      writes.leave(clock.now());
      letOut();
    }
    written(slot);
  }

  private void written(Slot slot) {
    FlowProgress progress;
    synchronized (this) {
      bytesDone += slot.bytes;
      chunksDone++;
      progress = progress();
    }
    listener.accept(progress);
    synchronized (this) {
      free(slot);
    }
  }

  private void free(Slot slot) {
    slot.busy = false;
    busySlots--;
    fillSlots();
  }

  // --- failure and end
  // --------------------------------------------------------------------------------------------------------

  /**
   * Runs a step of a chunk in the order of its slot's stream, unless the flow has failed by then.
   */
  private void then(Slot slot, Runnable step) {
    Event event = slot.stream.then(() -> run(step));
    CompletableFuture<Void> _ =
        event
            .toCompletableFuture()
            .whenComplete(
                (nothing, trouble) -> {
                  if (trouble != null) {
                    fail(trouble);
                  }
                });
  }

  private void run(Runnable step) {
    synchronized (this) {
      if (failure != null) {
        return;
      }
      running++;
    }
    attempt(step);
    synchronized (this) {
      running--;
      finishIfOver();
    }
  }

  private void attempt(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  private synchronized void fail(Throwable cause) {
    if (failure == null && !released) {
      failure = cause;
    }
    finishIfOver();
  }

  private void finishIfOver() {
    boolean over = failure != null || (nextIndex >= endIndex && busySlots == 0);
    if (over && running == 0 && !released) {
      released = true;
      // Not in a step of the flow's own, and not under its lock: what the program does next may be
      // anything.
      done.defaultExecutor().execute(() -> release(failure));
    }
  }

  private void release(@Nullable Throwable cause) {
    Throwable trouble = cause;
    slots.forEach(this::close);
    arena.close();
    trouble = closeQuietly(sink, trouble);
    trouble = closeQuietly(source, trouble);
    if (trouble == null) {
      done.complete(report());
    } else {
      done.completeExceptionally(trouble);
    }
  }

  private void close(Slot slot) {
    if (!device.isOpen()) {
      return; // closed with the device
    }
    slot.in.close();
    if (!inPlace) {
      slot.out.close();
    }
    slot.stream.close();
  }

  static @Nullable Throwable closeQuietly(AutoCloseable end, @Nullable Throwable trouble) {
    try {
      end.close();
      return trouble;
    } catch (Exception e) {
      if (trouble == null) {
        return e;
      }
      trouble.addSuppressed(e);
      return trouble;
    }
  }

  private FlowReport report() {
    return new FlowReport(
        bytesDone,
        chunksDone,
        sizing.chunkBytes(),
        sizing.depth(),
        pinnedBytes,
        deviceBytes,
        System.nanoTime() - startNanos,
        sizing.reason());
  }

  // --- what a program asks
  // ----------------------------------------------------------------------------------------------------

  /** {@return how far the flow is} */
  public synchronized FlowProgress progress() {
    return new FlowProgress(bytesDone, source.size());
  }

  /** {@return whether the flow has ended, well or not} */
  public boolean isDone() {
    return done.isDone();
  }

  /**
   * Stops the flow, if it has not ended: nothing more is read or written, and everything is
   * released. What was written stays. {@link #await()} then throws a {@link CancellationException}.
   */
  public void cancel() {
    fail(
        new CancellationException(
            "the flow was cancelled after " + progress().bytesDone() + " bytes"));
  }

  /**
   * Waits until the flow has ended.
   *
   * @return what it did
   * @throws FlowException if the source or the sink failed
   * @throws CancellationException if it was cancelled
   * @throws AwaitInterruptedException if the thread is interrupted; the flow goes on
   * @throws RuntimeException what else failed first: a stage, a copy, the device
   */
  public FlowReport await() {
    try {
      while (device.isSeeded() && !done.isDone()) {
        advance();
      }
      return done.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AwaitInterruptedException("interrupted while awaiting a flow, which goes on", e);
    } catch (CancellationException e) {
      throw e.getCause() instanceof CancellationException first ? first : e; // get() wraps it
    } catch (ExecutionException e) {
      throw thrown(e.getCause());
    }
  }

  /** A seeded device advances only while somebody waits. */
  private void advance() throws InterruptedException {
    boolean over;
    synchronized (this) {
      over = released;
    }
    if (over) {
      Thread.sleep(1); // the end is on its way on another thread
    } else {
      for (Slot slot : slots) {
        slot.stream.await();
      }
    }
  }

  private static RuntimeException thrown(@Nullable Throwable cause) {
    if (cause instanceof RuntimeException e) {
      return e;
    }
    if (cause instanceof Error e) {
      throw e;
    }
    return new FlowException(
        "the flow failed: " + cause, cause == null ? new AssertionError() : cause);
  }

  /**
   * {@return a future that completes when the flow has ended} Cancelling it does not stop the flow.
   * On a seeded device something has to be awaited besides, for the flow to advance.
   */
  public CompletableFuture<FlowReport> toCompletableFuture() {
    return done.copy();
  }
}
