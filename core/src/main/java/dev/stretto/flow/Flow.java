package dev.stretto.flow;

import dev.stretto.Device;
import dev.stretto.fault.AwaitInterruptedException;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeadlockException;
import dev.stretto.fault.OutOfDeviceMemoryException;
import dev.stretto.fault.PinnedBudgetException;
import dev.stretto.route.PolledWait;
import dev.stretto.route.StartedWork;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Bytes in flight through one device or several: read from a source in chunks, copied in, worked
 * on, copied out and written to a sink, with up to {@code depth} chunks in flight.
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
 * <p>A chunk is read only when a slot is free for it, so memory stays bounded, however large the
 * source and however slow the sink. The first failure (of the source, a stage, a copy or the sink)
 * stops the flow: nothing more is read or written, everything is released, bytes that were written
 * stay, and {@link #await()} throws the failure. Later failures, such as that of closing the
 * source, are suppressed in it.
 *
 * <p>Await every flow, by {@link #await()}, by {@link #close()} at the end of a try-with-resources
 * statement, or by {@link #toCompletableFuture() its future}: nothing else says whether all of it
 * was written. A flow that has not been awaited when its device closes, when it becomes
 * unreachable, or when the process ends is logged as a warning, with the place where it was
 * started, and a {@link dev.stretto.Diagnosis} reports it.
 *
 * <p>If a flow uses several devices, each has slots of its own, and a chunk goes to the device that
 * will finish it first, judging by the speeds measured so far: a device that is twice as fast gets
 * twice as many. The bytes arrive at their positions in the sink. A sink that is not positional
 * gets them in order, so a device can be ahead of another only by its slots. If a device is lost or
 * closed, the flow fails: its chunks are not moved to the other devices, which stay usable.
 */
public final class Flow implements AutoCloseable {
  /**
   * So long a thread watches for the end of a flow before it parks. In a longer flow, the time that
   * it takes to wake the thread does not matter, and watching would use half of a core.
   */
  private static final long WATCHED_NANOS = 20_000_000;

  /** To make a slot takes up to a millisecond, so the flow begins when each device has so many. */
  private static final int SLOTS_AT_FIRST = 2;

  /** How long it takes to see that a first chunk still waits. */
  private static final long SPARE_NANOS = 500_000;

  private final List<Lane> lanes;
  private final Source source;
  private final Sink sink;
  private final Sizing sizing;
  private final Steps steps = new Steps(this, this::endIfOver);
  private final ChunkPipeline belt;
  private final SeededSteps seeded;
  private final FlowFuture done = new FlowFuture(this);
  private final long startNanos = System.nanoTime();
  private final StartedWork started;
  private boolean ending;
  private volatile @Nullable Throwable failure;
  private volatile boolean cancelled;
  private volatile boolean told;

  /**
   * @param size of the source, or -1
   * @param passage the stages
   * @param sizing of all lanes together
   */
  Flow(List<Lane> lanes, Ends ends, long size, Passage passage, Sizing sizing) {
    this.lanes = lanes;
    this.source = ends.source();
    this.sink = ends.sink();
    this.sizing = sizing;
    this.belt = new ChunkPipeline(this, steps, lanes, ends, size, passage, sizing);
    this.seeded = new SeededSteps(lanes);
    this.started =
        StartedWork.on(
            lanes.stream().map(lane -> lane.device).toList(),
            "a flow through "
                + lanes.stream().map(lane -> lane.device.name()).collect(Collectors.joining(", ")),
            this,
            Flow::deviceCloses);
  }

  /**
   * {@return a plan of a flow through a device}
   *
   * @param device the device that does the work
   */
  public static FlowPlan on(Device device) {
    Objects.requireNonNull(device, "device");
    return new FlowPlan(List.of(device));
  }

  /**
   * {@return a plan of a flow through several devices, of any drivers}
   *
   * @param devices the devices that do the work, each listed once
   * @throws IllegalArgumentException if the list is empty, or a device is listed twice
   */
  public static FlowPlan on(List<Device> devices) {
    Objects.requireNonNull(devices, "devices");
    for (Device device : devices) {
      Objects.requireNonNull(device, "device of a flow");
    }
    List<Device> all = List.copyOf(devices);
    if (all.isEmpty()) {
      throw new IllegalArgumentException("a flow without a device: it needs one or more");
    }
    for (int i = 0; i < all.size(); i++) {
      if (all.indexOf(all.get(i)) < i) {
        throw new IllegalArgumentException(
            all.get(i) + " is listed twice: a flow takes each device once");
      }
    }
    return new FlowPlan(all);
  }

  // --- beginning
  // --------------------------------------------------------------------------------------------------------------

  /** Makes the slots and begins; if that fails, the devices hold nothing of this flow. */
  void begin(Buffering buffering) {
    try {
      int slots = 0;
      for (Lane lane : lanes) {
        lane.open(slots, buffering);
        while (lane.slots().size() < slotsAtFirst() && lane.openNext(this)) {}
        slots += lane.depth();
      }
      onItsThreads(
          () -> {
            belt.begin();
            openRest();
          });
    } catch (Throwable e) {
      started.forget();
      for (Lane lane : lanes) {
        Throwable _ = lane.close(e, Set.of());
      }
      throw e;
    }
  }

  /**
   * The chunks that threads of staged copies read are large, so that there is time to make slots
   * meanwhile. In other flows, chunks would wait for them.
   */
  private int slotsAtFirst() {
    return lanes.stream().allMatch(Lane::isStaged) ? SLOTS_AT_FIRST : Integer.MAX_VALUE;
  }

  /** Makes the other slots while the first ones are in use. */
  private void openRest() {
    boolean goesOn = true;
    while (goesOn && steps.failure() == null) {
      goesOn = false;
      for (Lane lane : lanes) {
        goesOn |= isMade(lane, lane::openNext);
      }
      if (goesOn) {
        belt.deal();
      }
    }
    openSpares();
  }

  /**
   * Makes more slots while nothing has left the device: a first kernel may take so long to be
   * compiled that all chunks in flight have come, and the link would wait.
   */
  private void openSpares() {
    while (lanes.stream().anyMatch(Lane::hasSpare)
        && belt.isStillFirst()
        && steps.failure() == null) {
      boolean isOneMore = false;
      for (Lane lane : lanes) {
        boolean isWanted = lane.wantsSpare();
        boolean isMade = isWanted && isMade(lane, lane::openSpare);
        if (isWanted && !isMade) {
          return; // others need the memory
        }
        isOneMore |= isMade;
      }
      if (isOneMore) {
        belt.deal();
      } else {
        LockSupport.parkNanos(this, SPARE_NANOS);
      }
    }
  }

  private boolean isMade(Lane lane, Predicate<Object> slot) {
    try {
      return slot.test(this);
    } catch (OutOfDeviceMemoryException | PinnedBudgetException e) {
      return false; // others have taken the memory meanwhile; with fewer, the flow is only slower
    } catch (RuntimeException e) {
      boolean _ = steps.fail(lane.cause(e));
      return false;
    }
  }

  /** Does something on one of the flow's threads, since it calls the program's code. */
  private void onItsThreads(Runnable body) {
    Slot first = lanes.getFirst().slots().getFirst();
    if (seeded.areNeeded()) {
      steps.then(first, body);
    } else {
      // At once: a step of the stream begins only when the poller has noticed that it may.
      FlowThreads.run(() -> steps.run(first, body));
    }
  }

  // --- the end
  // ----------------------------------------------------------------------------------------------------------------

  /** Called without the lock, after each step, and after failures outside the steps. */
  private void endIfOver() {
    synchronized (this) {
      boolean over = steps.failure() != null || (belt.isEmpty() && steps.areOver());
      if (ending || !over) {
        return;
      }
      ending = true;
    }
    // Not on the thread of a step: the program may do anything when the flow ends.
    FlowThreads.run(new FlowEnd(steps, lanes, source, sink, this::finish)::bring);
  }

  private void finish(@Nullable Throwable trouble) {
    if (trouble == null) {
      started.ended();
      done.complete(report());
      return;
    }
    failure = trouble;
    started.failed(trouble);
    started.ended();
    done.completeExceptionally(trouble);
  }

  @SuppressWarnings("ReferenceEquality") // the same exception
  static @Nullable Throwable closeQuietly(AutoCloseable end, @Nullable Throwable trouble) {
    try {
      end.close();
      return trouble;
    } catch (Throwable e) { // whatever the program's close throws, the rest is closed too
      if (trouble == null) {
        return e;
      }
      if (e != trouble) {
        trouble.addSuppressed(e);
      }
      return trouble;
    }
  }

  /** Closes all, and throws the first failure in the end. */
  static void closeAll(List<? extends AutoCloseable> ends) {
    Throwable trouble = null;
    for (AutoCloseable end : ends) {
      trouble = closeQuietly(end, trouble);
    }
    if (trouble != null) {
      throw thrown(trouble);
    }
  }

  /**
   * Fails the flow because one of its devices was closed: code that waits for something outside
   * would not notice.
   */
  private void deviceCloses() {
    boolean _ =
        steps.fail(
            new ClosedException(
                lanes.stream()
                        .filter(lane -> !lane.device.isOpen())
                        .map(lane -> lane.device.name())
                        .findFirst()
                        .orElse("a device")
                    + " was closed while a flow used it: close it after the flow has ended"));
  }

  private synchronized FlowReport report() {
    int slots = lanes.stream().mapToInt(lane -> lane.slots().size()).sum();
    return new FlowReport(
        belt.progress().bytesDone(),
        belt.bytesOut(),
        lanes.stream().mapToLong(Lane::chunks).sum(),
        sizing.chunkBytes(),
        slots,
        lanes.stream().mapToLong(Lane::pinnedBytes).sum(),
        lanes.stream().mapToLong(Lane::deviceBytes).sum(),
        System.nanoTime() - startNanos,
        slots < sizing.depth()
            ? sizing.reason()
                + "; only %d of %d chunks in flight, as there was no memory for more"
                    .formatted(slots, sizing.depth())
            : sizing.reason(),
        lanes.stream().map(Lane::share).toList(),
        belt.times());
  }

  // --- what a program asks
  // ----------------------------------------------------------------------------------------------------

  /** {@return the progress of the flow} */
  public FlowProgress progress() {
    return belt.progress();
  }

  /** {@return whether the flow has ended, successfully or not} */
  public boolean isDone() {
    boolean ended = done.isDone();
    if (ended && !done.isCompletedExceptionally()) {
      started.awaited();
    }
    return ended;
  }

  /**
   * Pauses the flow: no further chunk is read. Those that are under way go on, and are written; the
   * flow keeps its memory. No effect if it is paused, or has ended. Does not block. Who awaits a
   * paused flow waits until another thread lets it go on.
   */
  public void pause() {
    boolean _ = belt.pause(true);
  }

  /** Lets a paused flow go on. No effect if it is not paused, or has ended. Does not block. */
  public void resume() {
    if (belt.pause(false) && !isOver()) {
      steps.attempt(lanes.getFirst(), () -> onItsThreads(belt::deal));
    }
  }

  private boolean isOver() {
    return steps.failure() != null || isEnding();
  }

  /**
   * Stops the flow if it has not ended: nothing more is read or written, and everything is
   * released. Bytes that were written stay. {@link #await()} then throws a {@link
   * CancellationException}.
   *
   * <p>Does not block. The flow calls {@link Source#stop()} and {@link Sink#stop()}, so that a
   * source or a sink that waits for something outside can return. Calls of a source, a sink or a
   * stage that have not returned after 200 ms are interrupted. A call that has not returned 5 s
   * later is abandoned on its thread, with its chunk's memory, and the flow ends without it. The
   * same happens when something fails.
   */
  public void cancel() {
    if (steps.fail(
        new CancellationException(
            "the flow was cancelled after " + progress().bytesDone() + " bytes"))) {
      cancelled = true;
      started.awaited(); // the program itself handles the result
    } else {
      CompletableFuture<Void> _ = done.thenAccept(_ -> started.awaited()); // unless it has failed
    }
  }

  /**
   * Waits until the flow has ended.
   *
   * @return what it did
   * @throws FlowException if the source or the sink failed
   * @throws CancellationException if it was cancelled
   * @throws AwaitInterruptedException if the thread is interrupted; the flow continues
   * @throws DeadlockException if the calling thread runs a stage, a source, a sink or a listener of
   *     this flow, which cannot end before that call has returned
   * @throws RuntimeException the first failure if it was another one: of a stage, a copy or a
   *     device
   */
  public FlowReport await() {
    started.awaited();
    try {
      FlowReport report = done.get();
      lanes.forEach(lane -> lane.clock.atLeast(lane.lastFreed()));
      return report;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AwaitInterruptedException("interrupted while awaiting a flow, which continues", e);
    } catch (CancellationException e) {
      throw e.getCause() instanceof CancellationException first ? first : e; // get() wraps it
    } catch (ExecutionException e) {
      throw thrown(e.getCause());
    } finally {
      if (done.isDone()) {
        told = true;
      }
    }
  }

  /**
   * Waits until the flow has ended, and throws what {@link #await()} would throw, unless {@code
   * await()} has already thrown it. So a flow in a try-with-resources statement has ended, and has
   * succeeded, if the statement completes normally; cancel a flow that is no longer wanted. If the
   * thread is interrupted, the flow is cancelled, and still awaited.
   *
   * <p>Closing it again has no effect, and closing a cancelled flow only waits. A paused flow goes
   * on.
   *
   * @throws FlowException if the source or the sink failed
   * @throws AwaitInterruptedException if the thread was interrupted, which cancelled the flow
   * @throws DeadlockException if the calling thread runs a stage, a source, a sink or a listener of
   *     this flow
   * @throws RuntimeException the first failure if it was another one: of a stage, a copy or a
   *     device
   */
  @Override
  public void close() {
    boolean wasTold = told || cancelled;
    resume();
    boolean interrupted = awaitEnd();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (wasTold || told) {
      return;
    }
    told = true;
    Throwable trouble = failure;
    if (trouble instanceof CancellationException && interrupted) {
      throw new AwaitInterruptedException(
          "interrupted while closing a flow, which was cancelled after "
              + progress().bytesDone()
              + " bytes",
          trouble);
    }
    if (trouble != null) {
      throw thrown(trouble);
    }
  }

  /** Returns whether the thread was interrupted in the meantime, which cancels the flow. */
  private boolean awaitEnd() {
    started.awaited();
    boolean interrupted = false;
    while (true) {
      try {
        FlowReport _ = done.get();
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
        cancel();
      } catch (AwaitInterruptedException e) {
        interrupted = true;
        boolean _ = Thread.interrupted();
        cancel();
      } catch (ExecutionException | CancellationException e) {
        return interrupted; // the result is read later
      }
    }
  }

  // --- waiting
  // ----------------------------------------------------------------------------------------------------------------

  /**
   * Advances the flow until it has ended, if its devices need that; the calling thread is about to
   * wait for the end.
   *
   * @param deadline of {@link System#nanoTime()}
   */
  void advanceUntilDone(CompletableFuture<?> end, long deadline) throws InterruptedException {
    if (steps.areOn(Thread.currentThread())) {
      throw new DeadlockException(
          "a flow cannot end before the stage, source, sink or listener that awaits "
              + "it has returned: await the flow from another thread, or stop it with "
              + "cancel()");
    }
    while (seeded.areNeeded() && !end.isDone() && System.nanoTime() - deadline < 0) {
      advance();
    }
    if (!seeded.areNeeded()) {
      long soon = System.nanoTime() + WATCHED_NANOS;
      boolean _ = PolledWait.until(end::isDone, deadline - soon < 0 ? deadline : soon);
    }
  }

  /** A seeded device advances only while a thread waits. */
  private void advance() throws InterruptedException {
    if (isEnding()) {
      Thread.sleep(1); // another thread is completing the flow
      return;
    }
    try {
      if (!seeded.advance() || belt.isPaused()) {
        Thread.sleep(1);
      }
    } catch (AwaitInterruptedException e) {
      throw e;
    } catch (RuntimeException e) {
      boolean _ = steps.fail(e);
    }
  }

  private synchronized boolean isEnding() {
    return ending;
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
   * {@return a future that completes when the flow has ended} Cancelling the future does not stop
   * the flow. On a seeded device the flow advances while a thread waits for this future; a thread
   * that waits for a future derived from it does not make the flow advance.
   */
  public CompletableFuture<FlowReport> toCompletableFuture() {
    started.awaited();
    FlowFuture future = new FlowFuture(this);
    CompletableFuture<FlowReport> _ =
        done.whenComplete(
            (report, trouble) -> {
              if (trouble == null) {
                future.complete(report);
              } else {
                future.completeExceptionally(trouble);
              }
            });
    return future;
  }
}
