package dev.stretto;

import dev.stretto.fault.AwaitInterruptedException;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeadlineExceededException;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.fault.ScopeFailedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Work that begins and ends together: streams, memory, and virtual threads that use them. When
 * {@link #close()} returns, all work in the scope has ended: none of its threads runs, and the
 * device has done all operations of the scope's streams. So the program may then free memory that
 * it opened outside the scope.
 *
 * <pre>{@code
 * try (Arena arena = Arena.ofShared();
 *     WorkScope scope = device.scope(Duration.ofSeconds(2))) {
 *   MemorySegment page = arena.allocate(1 << 20);
 *   Stream stream = scope.stream();
 *   GlobalBytes bytes = scope.own(device.allocateBytes(1 << 20));
 *   Fork<Integer> count = scope.fork(() -> fetch(page, stream, bytes));
 *   scope.awaitAll();
 *   use(count.result());
 * } // the device no longer uses the page here; only then does the arena free it
 * }</pre>
 *
 * <p>The first failure ends the scope: a fork that throws, a failure on a stream when it is
 * awaited, the deadline, an interrupt of {@link #awaitAll()}, or {@link #cancel()}. Then every
 * other fork is interrupted, and the scope's streams accept no more operations. Operations that
 * were already enqueued run to their end, because a device cannot be interrupted; memory that the
 * device may still use is not released before.
 *
 * <p>Any thread may fork tasks, take streams and hand over resources for the scope to close; only
 * the thread that opened the scope may call {@link #awaitAll()} and {@link #close()}. On a virtual
 * device with modelled time, a fork begins at the modelled time of the thread that forked it, and
 * awaiting it ends no earlier than the fork.
 */
public final class WorkScope implements AutoCloseable {
  /**
   * How long the forks may advance a seeded device themselves before the thread that waits for them
   * steps it.
   */
  private static final long PATIENCE_NANOS = 50_000_000;

  private final Device device;
  private final Thread owner = Thread.currentThread();
  private final @Nullable Duration limit;
  private final long deadline;
  private final @Nullable Thread alarm;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Set<Thread> forks = new HashSet<>();
  private final List<Stream> streams = new ArrayList<>();
  private final Deque<AutoCloseable> owned = new ArrayDeque<>();
  private long latestNanos;
  private @Nullable Throwable ending;
  private boolean reported;

  /** A failure on a stream that {@link #close()} found although the scope was already cancelled. */
  private @Nullable Throwable failedAfterCancel;

  /**
   * Whether {@link #close()} was called: from then on, no task is forked and no stream is taken.
   */
  private volatile boolean closing;

  /** Whether the scope is closing and no fork is left: from then on, it takes no more resources. */
  private volatile boolean sealed;

  WorkScope(Device device, @Nullable Duration limit) {
    this.device = device;
    this.limit = limit;
    this.deadline = limit == null ? Long.MAX_VALUE : Point.deadline(limit);
    this.alarm =
        deadline == Long.MAX_VALUE
            ? null
            : Thread.ofVirtual().name("stretto-deadline").start(this::expireInTime);
  }

  // --- what a scope has
  // -------------------------------------------------------------------------------------------------------

  /** {@return the device that the scope was opened on} */
  public Device device() {
    return device;
  }

  /**
   * {@return a new stream, which the scope owns}
   *
   * @throws CancellationException if the scope was cancelled, has failed, or is past its deadline
   * @throws ClosedException if the scope or the device is closed
   */
  public Stream stream() {
    requireGoingOn();
    return own(device.stream());
  }

  /**
   * {@return a new stream with a name, which the scope owns}
   *
   * @param name as for {@link Device#stream(String)}
   * @throws IllegalArgumentException if the name is blank or too long, or has control characters
   * @throws CancellationException if the scope was cancelled, has failed, or is past its deadline
   * @throws ClosedException if the scope or the device is closed
   */
  public Stream stream(String name) {
    requireGoingOn();
    return own(device.stream(name));
  }

  /**
   * {@return a new arena of pinned host memory, which the scope owns}
   *
   * @throws CancellationException if the scope was cancelled, has failed, or is past its deadline
   * @throws ClosedException if the scope or the device is closed
   */
  public PinnedArena pinnedArena() {
    requireGoingOn();
    return own(device.pinnedArena());
  }

  /**
   * Makes the scope close a resource when the scope ends: an array, an arena, a graph, or a stream
   * of this or another device. Resources are closed in reverse order. Streams are awaited before
   * anything is closed.
   *
   * @param <T> the type of the resource
   * @param resource the resource, which the program must not close itself from now on
   * @return the resource
   * @throws ClosedException if the scope is closed, or is closing and has no fork left; then the
   *     resource is closed too
   */
  public <T extends AutoCloseable> T own(T resource) {
    Objects.requireNonNull(resource, "resource");
    boolean accepted;
    boolean over;
    lock.lock();
    try {
      accepted = !sealed;
      over = ending != null;
      if (accepted) {
        owned.push(resource);
        if (resource instanceof Stream stream) {
          streams.add(stream);
        }
      }
    } finally {
      lock.unlock();
    }
    if (!accepted) {
      ClosedException refusal =
          new ClosedException("the scope is closed: the resource that it was to own is closed too");
      closeAll(List.of(resource), refusal::addSuppressed);
      throw refusal;
    }
    if (over && resource instanceof Stream stream) {
      stream.close(); // the scope is ending: no more operations are enqueued
    }
    return resource;
  }

  /**
   * Runs a task on a new virtual thread. If it throws, the scope fails, and every other fork is
   * interrupted.
   *
   * @param <T> the type of its result
   * @param task the task to run
   * @return the fork, which will have the outcome
   * @throws CancellationException if the scope was cancelled, has failed, or is past its deadline
   * @throws ClosedException if the scope is closed
   */
  public <T> Fork<T> fork(Callable<? extends T> task) {
    Fork<T> fork = new Fork<>(Objects.requireNonNull(task, "task"));
    long stamp = device.hostClock().now();
    Thread thread = Thread.ofVirtual().name("stretto-fork").unstarted(() -> run(fork, stamp));
    lock.lock();
    try {
      requireGoingOn();
      boolean added = forks.add(thread);
      assert added;
    } finally {
      lock.unlock();
    }
    boolean started = false;
    try {
      thread.start();
      started = true;
    } finally {
      if (!started) {
        forget(thread);
      }
    }
    return fork;
  }

  private void forget(Thread fork) {
    lock.lock();
    try {
      boolean removed = forks.remove(fork);
      assert removed;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Runs a task on a new virtual thread, as {@link #fork(Callable)} does.
   *
   * @param task the task to run
   * @return the fork; its result is {@code true}
   * @throws CancellationException if the scope was cancelled, has failed, or is past its deadline
   * @throws ClosedException if the scope is closed
   */
  public Fork<Boolean> fork(Runnable task) {
    Objects.requireNonNull(task, "task");
    return fork(
        () -> {
          task.run();
          return true;
        });
  }

  private void run(Fork<?> fork, long stamp) {
    try {
      if (device.hostClock().isModelled()) {
        device.hostClock().set(stamp);
      }
      Throwable failure = fork.run();
      if (failure != null) {
        end(failure);
      }
    } finally {
      noteTime();
      forget(Thread.currentThread());
    }
  }

  private void noteTime() {
    lock.lock();
    try {
      latestNanos = Math.max(latestNanos, device.hostClock().now());
    } finally {
      lock.unlock();
    }
  }

  // --- how it ends
  // ------------------------------------------------------------------------------------------------------------

  /**
   * Waits until every fork has returned and all operations on the scope's streams are done. If the
   * scope fails meanwhile, this method throws at once; {@link #close()} waits for the rest.
   *
   * @throws ScopeFailedException if a fork threw or an operation on a stream failed; the cause is
   *     the first failure
   * @throws DeadlineExceededException if the deadline came first; it lists the work that was in
   *     flight
   * @throws CancellationException if {@link #cancel()} was called
   * @throws AwaitInterruptedException if the thread is interrupted before or during the wait, which
   *     cancels the scope
   * @throws WrongThreadException if another thread opened the scope
   * @throws ClosedException if the scope is closed
   */
  public void awaitAll() {
    requireOwner();
    requireOpen();
    try {
      do {
        awaitForks(true);
        for (Stream stream : streams()) {
          awaitStream(stream);
        }
      } while (hasForks());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end(new AwaitInterruptedException("interrupted while awaiting a scope: it is cancelled", e));
    }
    throwEnding();
  }

  private void awaitStream(Stream stream) {
    if (isEnding()) {
      return;
    }
    try {
      long left = deadline == Long.MAX_VALUE ? deadline : deadline - System.nanoTime();
      if (!stream.await(Duration.ofNanos(left))) {
        expire();
      }
    } catch (RuntimeException e) {
      end(e);
    }
  }

  /**
   * Waits for the forks.
   *
   * @param untilEnding whether to stop waiting when the scope begins to end
   */
  private void awaitForks(boolean untilEnding) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!forks.isEmpty() && !(untilEnding && ending != null)) {
        if (!device.isSeeded()) {
          changed.await();
        } else if (changed.awaitNanos(PATIENCE_NANOS) <= 0) {
          step();
        }
      }
      sealed |= closing; // atomically with finding that the last fork is gone
      device.hostClock().atLeast(latestNanos);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Steps the device: a fork may wait for something other than the device, such as an effect of a
   * callback.
   */
  private void step() {
    lock.unlock();
    try {
      device.engine().watch().advance();
    } finally {
      lock.lock();
    }
  }

  /**
   * Cancels the scope: interrupts every fork and ends the use of its streams. Operations that were
   * already enqueued run to their end, and {@link #close()} waits for them. Does not block. Has no
   * effect on a scope that has failed, was cancelled or is closed.
   */
  public void cancel() {
    end(new CancellationException("the scope was cancelled"));
  }

  /** {@return whether the scope has failed, was cancelled, or is past its deadline} */
  public boolean isCancelled() {
    return isEnding();
  }

  private boolean isEnding() {
    lock.lock();
    try {
      return ending != null;
    } finally {
      lock.unlock();
    }
  }

  private void expireInTime() {
    try {
      while (deadline - System.nanoTime() > 0) {
        Thread.sleep(Duration.ofNanos(deadline - System.nanoTime()));
      }
      expire();
    } catch (InterruptedException e) {
      return; // the scope was closed in time
    }
  }

  private void expire() {
    List<String> inFlight = inFlight();
    end(
        new DeadlineExceededException(
            "the scope was not done within "
                + limit
                + "; in flight: "
                + (inFlight.isEmpty() ? "nothing" : String.join(", ", inFlight))
                + ". Enqueued operations run to their end, and their memory stays alive until then",
            inFlight));
  }

  private List<String> inFlight() {
    List<String> clauses = new ArrayList<>();
    for (Stream stream : streams()) {
      long left = stream.queue().unfinished();
      if (left > 0) {
        clauses.add(left + (left == 1 ? " operation of " : " operations of ") + stream);
      }
    }
    lock.lock();
    try {
      if (!forks.isEmpty()) {
        clauses.add(forks.size() + (forks.size() == 1 ? " fork" : " forks"));
      }
    } finally {
      lock.unlock();
    }
    return clauses;
  }

  /**
   * The first call ends everything else too. Any thread that sees that the scope is ending also
   * sees its streams closed.
   */
  @SuppressWarnings("ReferenceEquality") // an exception cannot be suppressed by itself
  private void end(Throwable why) {
    lock.lock();
    try {
      Throwable first = ending;
      if (first != null) {
        if (!first.equals(why) && !comesOfEnding(why)) {
          first.addSuppressed(why);
        }
        return;
      }
      ending = why;
      device.engine().loss().waits(); // closing the scope reports a loss that its streams meet now
      streams.forEach(Stream::end); // only this under the lock
      for (Thread fork : forks) {
        if (!fork.equals(Thread.currentThread())) {
          fork.interrupt();
        }
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    streams().forEach(Stream::close);
  }

  /** Whether the exception of a fork is only a consequence of the scope's ending. */
  private static boolean comesOfEnding(Throwable thrown) {
    return thrown instanceof InterruptedException
        || thrown instanceof AwaitInterruptedException
        || thrown instanceof CancellationException
        || thrown instanceof ClosedException;
  }

  /**
   * Ends the scope and <em>waits</em>, uninterruptibly, until every fork has returned and the
   * device has done all operations of the scope's streams. Then it closes the resources that the
   * scope owns, in reverse order. When this method returns, even if it throws, neither a fork nor
   * the device accesses any memory that the scope's streams used. From this call on, no thread can
   * fork a task or take a stream or arena. Closing the scope again has no further effect.
   *
   * <p>Forks that are still running are interrupted. This is reported as a mistake of the program,
   * unless the scope has failed or was cancelled.
   *
   * @throws IllegalStateException if forks were still running and nothing had failed
   * @throws ScopeFailedException if a fork or a stream failed, or a resource could not be closed,
   *     and {@link #awaitAll()} has not reported it; also if the scope was cancelled and work on
   *     its streams failed as well
   * @throws DeadlineExceededException if the deadline came and {@link #awaitAll()} has not reported
   *     it
   * @throws WrongThreadException if another thread opened the scope; then nothing is closed
   */
  @Override
  public void close() {
    if (closing) {
      return;
    }
    requireOwner();
    try {
      closeAndReport();
    } finally {
      if (isEnding()) {
        device.engine().loss().waited();
      }
    }
  }

  private void closeAndReport() {
    int running = beginClosing();
    boolean interrupted = Thread.interrupted();
    interrupted |= awaitForksUninterruptibly();
    for (Stream stream : streams()) {
      interrupted |= awaitUninterruptibly(stream);
      stream.close();
      interrupted |=
          awaitUninterruptibly(stream); // operations that other threads enqueued meanwhile
    }
    if (alarm != null) {
      alarm.interrupt();
    }
    closeAll(owned(), this::end);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    Throwable failed = failedAfterCancel;
    if (running > 0) {
      IllegalStateException mistake =
          new IllegalStateException(
              "the scope was closed while "
                  + running
                  + (running == 1 ? " fork was" : " forks were")
                  + " running, which it has interrupted: call awaitAll() or cancel() first");
      if (failed != null) {
        mistake.addSuppressed(failed);
      }
      throw mistake;
    }
    if (failed != null) {
      throw new ScopeFailedException(
          "the scope was cancelled, and work on its streams failed: " + failed, failed);
    }
    if (!reported && !(ending instanceof CancellationException)) {
      throwEnding();
    }
  }

  /**
   * Notes a failure of work after a cancel: a program that cancels expects its forks to stop, but
   * not that work on streams fails.
   */
  private void noteAfterCancel(Throwable thrown) {
    if (failedAfterCancel == null
        && ending instanceof CancellationException
        && !comesOfEnding(thrown)) {
      failedAfterCancel = thrown;
    }
  }

  /**
   * Accepts no forks and streams from now on, interrupts the running forks, and returns their
   * number if nothing had failed.
   */
  private int beginClosing() {
    int running;
    lock.lock();
    try {
      closing = true;
      running = ending == null ? forks.size() : 0;
    } finally {
      lock.unlock();
    }
    if (running > 0) {
      cancel();
    }
    return running;
  }

  private boolean awaitForksUninterruptibly() {
    boolean interrupted = false;
    while (true) {
      try {
        awaitForks(false);
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }

  private boolean awaitUninterruptibly(Stream stream) {
    boolean interrupted = false;
    boolean heard = stream.device().engine().loss().isHeard();
    while (true) {
      try {
        stream.await();
        return interrupted;
      } catch (AwaitInterruptedException e) {
        interrupted |= Thread.interrupted();
      } catch (RuntimeException | Error e) {
        end(e); // the work is done anyway, or the device is lost and accesses nothing
        if (!(heard && e instanceof DeviceLostException)) {
          noteAfterCancel(e);
        }
        return interrupted;
      }
    }
  }

  /** Closes each resource, even if closing another throws. */
  private static void closeAll(List<? extends AutoCloseable> all, Consumer<Throwable> trouble) {
    for (AutoCloseable each : all) {
      try {
        each.close();
      } catch (Throwable e) {
        trouble.accept(e);
      }
    }
  }

  // --- state
  // ------------------------------------------------------------------------------------------------------------

  private List<Stream> streams() {
    lock.lock();
    try {
      return List.copyOf(streams);
    } finally {
      lock.unlock();
    }
  }

  private List<AutoCloseable> owned() {
    lock.lock();
    try {
      return List.copyOf(owned);
    } finally {
      lock.unlock();
    }
  }

  private boolean hasForks() {
    lock.lock();
    try {
      return !forks.isEmpty() && ending == null;
    } finally {
      lock.unlock();
    }
  }

  private void throwEnding() {
    Throwable why;
    lock.lock();
    try {
      why = ending;
      reported |= why != null;
    } finally {
      lock.unlock();
    }
    switch (why) {
      case null -> {}
      case DeadlineExceededException e -> throw e;
      case CancellationException e -> throw e;
      case AwaitInterruptedException e when Thread.currentThread().isInterrupted() -> throw e;
      default ->
          throw new ScopeFailedException(
              "the scope failed, and the rest of it was cancelled: " + why, why);
    }
  }

  private void requireOwner() {
    if (!owner.equals(Thread.currentThread())) {
      throw new WrongThreadException(
          "the scope was opened by " + owner + ", not by " + Thread.currentThread());
    }
  }

  private void requireOpen() {
    if (closing) {
      throw new ClosedException("the scope is closed");
    }
  }

  private void requireGoingOn() {
    lock.lock();
    try {
      requireOpen();
      if (ending != null) {
        CancellationException refusal = new CancellationException("the scope is ending: " + ending);
        Throwable _ = refusal.initCause(ending);
        throw refusal;
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "scope on " + device.name() + (closing ? ", closed" : "");
  }
}
