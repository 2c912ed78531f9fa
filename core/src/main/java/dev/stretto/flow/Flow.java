package dev.stretto.flow;

import dev.stretto.Device;
import dev.stretto.fault.AwaitInterruptedException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
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
 * {@link #await()} throws it.
 *
 * <p>Over several devices, each has slots of its own, and a chunk goes to the device that will have
 * finished it first by the speeds measured so far: twice as many to one that is twice as fast. The
 * bytes arrive at the sink where they belong; one that is not positional gets them in order, for
 * which a device may be ahead of another by its slots and no further. If a device is lost or
 * closed, the flow fails; its chunks are not given to others, which stay usable.
 */
public final class Flow {
  private final List<Lane> lanes;
  private final Source source;
  private final Sink sink;
  private final Sizing sizing;
  private final Steps steps = new Steps(this, this::finishIfOver);
  private final Belt belt;
  private final SeededSteps seeded;
  private final CompletableFuture<FlowReport> done = new CompletableFuture<>();
  private final long startNanos = System.nanoTime();
  private boolean stopping;

  /**
   * @param sizing of all lanes together
   */
  Flow(List<Lane> lanes, Source source, Sink sink, Consumer<FlowProgress> listener, Sizing sizing) {
    this.lanes = lanes;
    this.source = source;
    this.sink = sink;
    this.sizing = sizing;
    this.belt = new Belt(this, steps, lanes, source, sink, listener, sizing);
    this.seeded = new SeededSteps(lanes);
  }

  /**
   * {@return a plan of a flow through a device}
   *
   * @param device where the work is done
   */
  public static FlowPlan on(Device device) {
    return new FlowPlan(List.of(device));
  }

  /**
   * {@return a plan of a flow through several devices, of any drivers}
   *
   * @param devices where the work is done; each once
   * @throws IllegalArgumentException if there is none, or one twice
   */
  public static FlowPlan on(List<Device> devices) {
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

  // --- beginning and end
  // ------------------------------------------------------------------------------------------------------

  /** Makes the slots and begins; if that fails, the devices hold nothing of the flow's. */
  void begin() {
    boolean buffered =
        source.resident(0, Math.max(0, Math.min(1, source.size()))).isEmpty()
            || sink.resident(0, 1).isEmpty();
    try {
      int slots = 0;
      for (Lane lane : lanes) {
        lane.open(slots, buffered);
        slots += lane.depth();
      }
    } catch (RuntimeException e) {
      Throwable _ = closeLanes(e);
      throw e;
    }
    steps.run(lanes.getFirst(), belt::deal);
  }

  private void finishIfOver() {
    Throwable failure = steps.failure();
    if (failure != null && !stopping) {
      stopping = true;
      // A step may wait in one of them for somebody outside, and the flow for that step.
      done.defaultExecutor().execute(this::stopEnds);
    }
    if ((failure != null || belt.isEmpty()) && steps.end()) {
      // Not in a step of the flow's own, and not under its lock: what the program does next may be
      // anything.
      done.defaultExecutor().execute(() -> release(failure));
    }
  }

  private void stopEnds() {
    try {
      source.stop();
    } finally {
      sink.stop();
    }
  }

  private void release(@Nullable Throwable cause) {
    Throwable trouble = closeLanes(cause);
    trouble = closeQuietly(sink, trouble);
    trouble = closeQuietly(source, trouble);
    if (trouble == null) {
      done.complete(report());
    } else {
      done.completeExceptionally(trouble);
    }
  }

  private @Nullable Throwable closeLanes(@Nullable Throwable cause) {
    Throwable trouble = cause;
    for (Lane lane : lanes) {
      trouble = lane.close(trouble);
    }
    return trouble;
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
    return done.isDone();
  }

  /**
   * Stops the flow, if it has not ended: nothing more is read or written, and everything is
   * released. What was written stays. {@link #await()} then throws a {@link CancellationException}.
   */
  public void cancel() {
    steps.fail(
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
   * @throws RuntimeException what else failed first: a stage, a copy, a device
   */
  public FlowReport await() {
    try {
      while (seeded.areNeeded() && !done.isDone()) {
        advance();
      }
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
    }
  }

  /** A seeded device advances only while somebody waits. */
  private void advance() throws InterruptedException {
    boolean over;
    synchronized (this) {
      over = steps.hasEnded();
    }
    if (over) {
      Thread.sleep(1); // the end is on its way on another thread
      return;
    }
    try {
      seeded.advance();
    } catch (AwaitInterruptedException e) {
      throw e;
    } catch (RuntimeException e) {
      steps.fail(e);
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
