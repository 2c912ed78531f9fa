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
 * Work that begins and ends together: streams, memory, and virtual threads that use them. What is
 * in the scope is over when {@link #close()} returns: no thread of it runs, and the device has done
 * all that the scope's streams were given, so that memory which the program itself opened outside
 * of the scope may go.
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
 * } // here the device has let go of the page, and only then does the arena free it
 * }</pre>
 *
 * <p>What fails first ends the scope: a fork that throws, a stream on which something went wrong
 * when it is awaited, the deadline, an interrupt of {@link #awaitAll()}, or {@link #cancel()}. Then
 * every other fork is interrupted, and the scope's streams accept nothing more. What they had
 * accepted runs to its end, for a device cannot be interrupted: nothing that it may still touch is
 * let go of before.
 *
 * <p>Any thread may fork, take streams and hand over what the scope is to close; {@link
 * #awaitAll()} and {@link #close()} are the opening thread's. On a virtual device with modelled
 * time a fork begins at the time of whoever forked it, and awaiting it is no earlier than its end.
 */
public final class WorkScope implements AutoCloseable {
  /** How long a seeded device is left to the forks before whoever waits for them steps it. */
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
  private boolean told;

  /** What failed on a stream, as closing has found, though the scope was cancelled by then. */
  private @Nullable Throwable failedBehindCancel;

  /** Whether {@link #close()} was called: from then on nothing is forked, and no stream taken. */
  private volatile boolean closing;

  /** Whether no fork is left of a scope that closes: from then on it owns nothing more. */
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
   * {@return a new stream, which is the scope's}
   *
   * @throws CancellationException if the scope is cancelled, failed, or beyond its deadline
   * @throws ClosedException if the scope or the device is closed
   */
  public Stream stream() {
    requireGoingOn();
    return own(device.stream());
  }

  /**
   * {@return a new stream with a name, which is the scope's}
   *
   * @param name as for {@link Device#stream(String)}
   * @throws IllegalArgumentException if the name is blank or too long, or has control characters
   * @throws CancellationException if the scope is cancelled, failed, or beyond its deadline
   * @throws ClosedException if the scope or the device is closed
   */
  public Stream stream(String name) {
    requireGoingOn();
    return own(device.stream(name));
  }

  /**
   * {@return a new arena of pinned host memory, which is the scope's}
   *
   * @throws CancellationException if the scope is cancelled, failed, or beyond its deadline
   * @throws ClosedException if the scope or the device is closed
   */
  public PinnedArena pinnedArena() {
    requireGoingOn();
    return own(device.pinnedArena());
  }

  /**
   * Has the scope close something when it is over: an array, an arena, a graph, a stream of this or
   * of another device. The last one goes first. Streams are awaited before anything is closed.
   *
   * @param <T> what it is
   * @param resource not to be closed by the program from now on
   * @return the same
   * @throws ClosedException if the scope is closed, or no fork of it is left while it closes; then
   *     so is the resource
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
          new ClosedException("the scope is closed: what it was to own is closed too");
      closeAll(List.of(resource), refusal::addSuppressed);
      throw refusal;
    }
    if (over && resource instanceof Stream stream) {
      stream.close(); // the scope is ending: nothing more is enqueued
    }
    return resource;
  }

  /**
   * Runs a task on a new virtual thread. If it throws, the scope fails, and every other fork is
   * interrupted.
   *
   * @param <T> the type of its result
   * @param task what to run
   * @return what comes of it
   * @throws CancellationException if the scope is cancelled, failed, or beyond its deadline
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
   * @param task what to run
   * @return says whether it is done; its result is {@code true}
   * @throws CancellationException if the scope is cancelled, failed, or beyond its deadline
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
   * Waits until every fork has returned and everything is done that was enqueued on the scope's
   * streams. If the scope fails meanwhile, this throws at once; {@link #close()} waits for the
   * rest.
   *
   * @throws ScopeFailedException if a fork threw or something went wrong on a stream: the cause is
   *     what was first
   * @throws DeadlineExceededException if the deadline came first, with what was in flight
   * @throws CancellationException if {@link #cancel()} was called
   * @throws AwaitInterruptedException if the thread is interrupted before or meanwhile, which
   *     cancels the scope
   * @throws WrongThreadException if another thread has opened the scope
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
   * @param untilEnding whether only for as long as nothing has failed
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
      sealed |= closing; // with the last fork, and in one step with seeing that it is gone
      device.hostClock().atLeast(latestNanos);
    } finally {
      lock.unlock();
    }
  }

  /** A fork may wait for something else than the device, such as what a callback does. */
  private void step() {
    lock.unlock();
    try {
      device.engine().watch().advance();
    } finally {
      lock.lock();
    }
  }

  /**
   * Cancels the scope: interrupts every fork and ends the use of its streams. What they were given
   * runs to its end, which {@link #close()} waits for. Does not block. Has no effect on a scope
   * that has failed, is cancelled or closed.
   */
  public void cancel() {
    end(new CancellationException("the scope was cancelled"));
  }

  /** {@return whether the scope has failed, was cancelled, or is beyond its deadline} */
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
                + ". What was enqueued runs to its end, and its memory stays alive until then",
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
   * The first time, has everything else come to its end too; whoever sees that the scope is ending
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
      device.engine().loss().waits(); // closing the scope tells of a loss that its streams meet now
      streams.forEach(Stream::end); // no more than that under the lock
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

  /** Whether a fork throws no more than that the scope has told it to stop. */
  private static boolean comesOfEnding(Throwable thrown) {
    return thrown instanceof InterruptedException
        || thrown instanceof AwaitInterruptedException
        || thrown instanceof CancellationException
        || thrown instanceof ClosedException;
  }

  /**
   * Ends the scope, and <em>waits</em> for that, uninterruptibly: until every fork has returned and
   * the device has done all that the scope's streams were given. Then it closes what the scope
   * owns, the last first. When this returns, and even if it throws, neither a fork nor the device
   * touches anything any more that the scope's streams used. From the call on, nothing is forked
   * and no stream or arena taken, by whichever thread. Closing the scope again has no further
   * effect.
   *
   * <p>Forks that are still running are interrupted; that is a mistake of the program's unless the
   * scope has failed or was cancelled, and is reported as one.
   *
   * @throws IllegalStateException if forks were still running and nothing had failed
   * @throws ScopeFailedException if a fork or a stream failed, or something could not be closed,
   *     and {@link #awaitAll()} has not told of it; also if the scope was cancelled, and work that
   *     its streams had been given failed all the same
   * @throws DeadlineExceededException if the deadline came and {@link #awaitAll()} has not told
   * @throws WrongThreadException if another thread has opened the scope; nothing was closed
   */
  @Override
  public void close() {
    if (closing) {
      return;
    }
    requireOwner();
    try {
      closeAndTell();
    } finally {
      if (isEnding()) {
        device.engine().loss().waited();
      }
    }
  }

  private void closeAndTell() {
    int running = beginClosing();
    boolean interrupted = Thread.interrupted();
    interrupted |= awaitForksUninterruptibly();
    for (Stream stream : streams()) {
      interrupted |= awaitUninterruptibly(stream);
      stream.close();
      interrupted |= awaitUninterruptibly(stream); // what other threads enqueued meanwhile
    }
    if (alarm != null) {
      alarm.interrupt();
    }
    closeAll(owned(), this::end);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    Throwable failed = failedBehindCancel;
    if (running > 0) {
      IllegalStateException mistake =
          new IllegalStateException(
              "the scope was closed while "
                  + running
                  + (running == 1 ? " fork was" : " forks were")
                  + " running, which it has interrupted: call awaitAll() or cancel() before");
      if (failed != null) {
        mistake.addSuppressed(failed);
      }
      throw mistake;
    }
    if (failed != null) {
      throw new ScopeFailedException(
          "the scope was cancelled, and work that its streams had been given failed: " + failed,
          failed);
    }
    if (!told && !(ending instanceof CancellationException)) {
      throwEnding();
    }
  }

  /** Who cancels expects forks to stop, and not that work fails that runs to its end. */
  private void noteBehindCancel(Throwable thrown) {
    if (failedBehindCancel == null
        && ending instanceof CancellationException
        && !comesOfEnding(thrown)) {
      failedBehindCancel = thrown;
    }
  }

  /**
   * Accepts no forks and streams from now on, interrupts what still runs, and gives how much that
   * was if nothing had failed.
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
        end(e); // it is done all the same, or the device is lost and touches nothing
        if (!(heard && e instanceof DeviceLostException)) {
          noteBehindCancel(e);
        }
        return interrupted;
      }
    }
  }

  /** Closes each, whatever the others throw. */
  private static void closeAll(List<? extends AutoCloseable> all, Consumer<Throwable> trouble) {
    for (AutoCloseable each : all) {
      try {
        each.close();
      } catch (Throwable e) {
        trouble.accept(e);
      }
    }
  }

  // --- small print
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
      told |= why != null;
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
              "the scope failed, and what was left of it was cancelled: " + why, why);
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
        CancellationException refusal =
            new CancellationException("the scope is coming to its end: " + ending);
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
