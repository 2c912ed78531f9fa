package dev.stretto.flow;

import dev.stretto.Device;
import dev.stretto.fault.AwaitInterruptedException;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeadlockException;
import dev.stretto.route.StartedWork;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that are on their way through a device, or through several: read from a source in chunks,
 * copied in, worked on, copied out and written to a sink, with as many chunks under way as its
 * depth says.
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
 * {@link #await()} throws it. What fails besides, as the close of a source does then, is suppressed
 * in it.
 *
 * <p>Somebody has to await a flow, by {@link #await()}, by {@link #close()} at the end of a
 * try-with-resources statement, or by {@link #toCompletableFuture() its future}: nothing else says
 * whether all of it was written. One that nobody has awaited when its device closes, when it
 * becomes unreachable, or when the process ends is logged as a warning, with the place where it was
 * started, and found by a {@link dev.stretto.Diagnosis}.
 *
 * <p>Over several devices, each has slots of its own, and a chunk goes to the device that will have
 * finished it first by the speeds measured so far: twice as many to one that is twice as fast. The
 * bytes arrive at the sink where they belong; one that is not positional gets them in order, for
 * which a device may be ahead of another by its slots and no further. If a device is lost or
 * closed, the flow fails; its chunks are not given to others, which stay usable.
 */
public final class Flow implements AutoCloseable {
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
   * @param sizing of all lanes together
   */
  Flow(
      List<Lane> lanes,
      Source source,
      long size,
      Sink sink,
      Consumer<FlowProgress> listener,
      Sizing sizing) {
    this.lanes = lanes;
    this.source = source;
    this.sink = sink;
    this.sizing = sizing;
    this.belt = new ChunkPipeline(this, steps, lanes, source, size, sink, listener, sizing);
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
   * @param device where the work is done
   */
  public static FlowPlan on(Device device) {
    Objects.requireNonNull(device, "device");
    return new FlowPlan(List.of(device));
  }

  /**
   * {@return a plan of a flow through several devices, of any drivers}
   *
   * @param devices where the work is done; each once
   * @throws IllegalArgumentException if there is none, or one twice
   */
  public static FlowPlan on(List<Device> devices) {
    Objects.requireNonNull(devices, "devices");
    for (Device device : devices) {
      Objects.requireNonNull(device, "device of a flow");
    }
    List<Device> all = List.copyOf(devices);
    if (all.isEmpty()) {
      throw new IllegalArgumentException("a flow over no device: it needs one or more");
    }
    for (int i = 0; i < all.size(); i++) {
      if (all.indexOf(all.get(i)) < i) {
        throw new IllegalArgumentException(
            all.get(i) + " is there twice: a flow takes each device once");
      }
    }
    return new FlowPlan(all);
  }

  // --- beginning
  // --------------------------------------------------------------------------------------------------------------

  /** Makes the slots and begins; if that fails, the devices hold nothing of the flow's. */
  void begin(boolean buffered) {
    try {
      int slots = 0;
      for (Lane lane : lanes) {
        lane.open(slots, buffered);
        slots += lane.depth();
      }
      // On a thread of the flow's, for the program's code is called from there.
      steps.then(lanes.getFirst().slots().getFirst(), belt::deal);
    } catch (Throwable e) {
      started.forget();
      for (Lane lane : lanes) {
        Throwable _ = lane.close(e, Set.of());
      }
      throw e;
    }
  }

  // --- the end
  // ----------------------------------------------------------------------------------------------------------------

  /** Called without the lock, after each step, and when something has failed beside them. */
  private void endIfOver() {
    synchronized (this) {
      boolean over = steps.failure() != null || (belt.isEmpty() && steps.areOver());
      if (ending || !over) {
        return;
      }
      ending = true;
    }
    // Not on a thread of a step's: what the program does next may be anything.
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

  @SuppressWarnings("ReferenceEquality") // the very same exception
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

  /** A device of the flow's was closed: what waits for somebody outside would not see it. */
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
    return new FlowReport(
        lanes.stream().mapToLong(Lane::bytes).sum(),
        lanes.stream().mapToLong(Lane::chunks).sum(),
        sizing.chunkBytes(),
        sizing.depth(),
        lanes.stream().mapToLong(Lane::pinnedBytes).sum(),
        lanes.stream().mapToLong(Lane::deviceBytes).sum(),
        System.nanoTime() - startNanos,
        sizing.reason(),
        lanes.stream().map(Lane::share).toList());
  }

  // --- what a program asks
  // ----------------------------------------------------------------------------------------------------

  /** {@return how far the flow is} */
  public FlowProgress progress() {
    return belt.progress();
  }

  /** {@return whether the flow has ended, well or not} */
  public boolean isDone() {
    boolean ended = done.isDone();
    if (ended && !done.isCompletedExceptionally()) {
      started.awaited();
    }
    return ended;
  }

  /**
   * Stops the flow, if it has not ended: nothing more is read or written, and everything is
   * released. What was written stays. {@link #await()} then throws a {@link CancellationException}.
   *
   * <p>Does not block. A source, a sink or a stage that waits for somebody outside is told by
   * {@link Source#stop()} and {@link Sink#stop()}, and interrupted if it has not returned 200 ms
   * later. One that has not returned after 5 s more is left behind on its thread, with its chunk's
   * memory, and the flow ends without it. The same happens when something fails.
   */
  public void cancel() {
    if (steps.fail(
        new CancellationException(
            "the flow was cancelled after " + progress().bytesDone() + " bytes"))) {
      cancelled = true;
      started.awaited(); // the program knows what becomes of it
    }
  }

  /**
   * Waits until the flow has ended.
   *
   * @return what it did
   * @throws FlowException if the source or the sink failed
   * @throws CancellationException if it was cancelled
   * @throws AwaitInterruptedException if the thread is interrupted; the flow goes on
   * @throws DeadlockException if the calling thread runs a stage, a source, a sink or a listener of
   *     this flow, which cannot end before those have returned
   * @throws RuntimeException what else failed first: a stage, a copy, a device
   */
  public FlowReport await() {
    try {
      FlowReport report = done.get();
      lanes.forEach(lane -> lane.clock.atLeast(lane.lastFreed()));
      return report;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AwaitInterruptedException("interrupted while awaiting a flow, which goes on", e);
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
   * Waits until the flow has ended, and throws what {@link #await()} would throw, unless that has
   * thrown it already. So a flow in a try-with-resources statement is over, and has succeeded,
   * where the statement ends well; one that is not wanted any more is cancelled before. If the
   * thread is interrupted, the flow is cancelled, and awaited all the same.
   *
   * <p>Closing it again has no effect, and neither has closing a flow that was cancelled, but for
   * the wait.
   *
   * @throws FlowException if the source or the sink failed
   * @throws AwaitInterruptedException if the thread was interrupted, and the flow cancelled for
   *     that
   * @throws DeadlockException if the calling thread runs a stage, a source, a sink or a listener of
   *     this flow
   * @throws RuntimeException what else failed first: a stage, a copy, a device
   */
  @Override
  public void close() {
    boolean wasTold = told || cancelled;
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

  /** Whether the thread was interrupted meanwhile, which cancels the flow. */
  private boolean awaitEnd() {
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
        return interrupted; // what the end was like is asked for afterwards
      }
    }
  }

  // --- waiting
  // ----------------------------------------------------------------------------------------------------------------

  /**
   * Lets the flow advance until it has ended, where its devices need that; the calling thread is
   * about to wait for the end.
   *
   * @param deadline of {@link System#nanoTime()}
   */
  void advanceUntilDone(CompletableFuture<?> end, long deadline) throws InterruptedException {
    started.awaited();
    if (steps.areOn(Thread.currentThread())) {
      throw new DeadlockException(
          "a flow cannot end before the stage, the source, the sink or the listener has returned"
              + " that awaits it: await the flow from another thread, or stop it by cancel()");
    }
    while (seeded.areNeeded() && !end.isDone() && System.nanoTime() - deadline < 0) {
      advance();
    }
  }

  /** A seeded device advances only while somebody waits. */
  private void advance() throws InterruptedException {
    if (isEnding()) {
      Thread.sleep(1); // the end is on its way on another thread
      return;
    }
    try {
      if (!seeded.advance()) {
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
   * {@return a future that completes when the flow has ended} Cancelling it does not stop the flow.
   * On a seeded device the flow advances while a thread waits for this future; futures that were
   * made from it wait for somebody who does.
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
