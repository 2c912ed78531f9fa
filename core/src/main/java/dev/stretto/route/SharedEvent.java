package dev.stretto.route;

import dev.stretto.driver.DriverException;
import dev.stretto.driver.ValueCondition;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.PinnedBudgetException;
import dev.stretto.process.Recordings;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An event that a process records and others wait for, as one device knows it. */
public final class SharedEvent extends Resource implements Recorded {
  private final DeviceRuntime engine;
  private final Recordings recordings;

  /** Whether this process records it. */
  private final boolean isOwn;

  private final Runnable abandon;
  private final SeededProgress progress = new SeededProgress();

  /** The stream that recorded it last, or null. */
  @GuardedBy("this")
  private @Nullable StreamQueue last;

  /** What is thrown if a wait for it ends too early. */
  private final Supplier<RuntimeException> gone;

  private SharedEvent(
      DeviceRuntime engine, Recordings recordings, boolean isOwn, Supplier<RuntimeException> gone) {
    this.engine = engine;
    this.recordings = recordings;
    this.isOwn = isOwn;
    this.gone = gone;
    this.abandon = recordings::abandon;
  }

  /** {@return a new event of this process} */
  public static SharedEvent create(DeviceRuntime engine) {
    return keep(
        new SharedEvent(
            engine,
            Recordings.create(),
            true,
            () ->
                new ClosedException(
                    "the event was closed before it was recorded as often as a stream waits for")));
  }

  /**
   * {@return an event of another process}
   *
   * @param opens of {@link Recordings#opens}
   * @param gone makes what is thrown if a wait for it ends too early
   */
  public static SharedEvent open(
      DeviceRuntime engine, byte[] opens, Supplier<RuntimeException> gone) {
    return keep(new SharedEvent(engine, Recordings.open(opens), false, gone));
  }

  private static SharedEvent keep(SharedEvent event) {
    DeviceRuntime engine = event.engine;
    boolean isRegistered = false;
    try {
      engine.requireUsable();
      isRegistered = engine.call(event::register);
    } finally {
      if (!isRegistered) {
        event.recordings.close();
      }
    }
    if (event.isOwn) {
      engine.whenLost(event.abandon);
    }
    if (!engine.resources().adopt(event)) {
      boolean _ = event.closeAfterLastUse();
      throw engine.device().closedException();
    }
    return event;
  }

  private boolean register() {
    try {
      engine.driver().registerShared(recordings.page(), Recordings.BYTES);
      return true;
    } catch (DriverException e) {
      if (e.kind() == DriverException.Kind.INVALID) {
        throw new PinnedBudgetException(
            engine.name()
                + ": the page of an event for several processes cannot be pinned; it has to lie in"
                + " memory, which is /dev/shm where there is such a folder: "
                + e.getMessage(),
            e);
      }
      throw e;
    }
  }

  /** {@return how often it was recorded, and how much of that has happened} */
  public Recordings recordings() {
    return recordings;
  }

  /**
   * Makes the event stand for all that a stream holds.
   *
   * @return the number of the recording
   */
  public synchronized long record(StreamQueue queue) {
    long number = recordings.recorded() + 1;
    if (last != null && !last.equals(queue)) {
      long _ = // or the larger number could come first, and stand for both
          queue.waitValue(
              this, recordings.happenedAt(), number - 1, Long.BYTES, ValueCondition.AT_LEAST);
    }
    long sequence = queue.writeValue(this, true, recordings.happenedAt(), number, Long.BYTES);
    last = queue;
    recordings.recorded(number);
    progress.reach(queue, sequence);
    return number;
  }

  /** Makes a stream wait for a recording. */
  public void makeWait(StreamQueue queue, long number) {
    // A wait that is over already would cost the GPU a change of processes.
    long sequence =
        recordings.happened() >= number
            ? queue.passed(this)
            : queue.waitValue(
                this, recordings.happenedAt(), number, Long.BYTES, ValueCondition.AT_LEAST);
    queue.waitsForProcess(sequence, this, number);
  }

  @Override
  public @Nullable RuntimeException failure(long number) {
    return recordings.isAbandoned(number) ? gone.get() : null;
  }

  @Override
  public boolean hasHappened(long number) {
    return recordings.happened() >= number && !recordings.isAbandoned(number);
  }

  /** Nobody records it any more; who waits for more than has happened by then waits no longer. */
  @Override
  public boolean closeAfterLastUse() {
    boolean closed = super.closeAfterLastUse();
    if (closed && isOwn) {
      List<Use> uses = lastUses();
      Countdown last = new Countdown(uses.size() + 1, abandon);
      uses.forEach(use -> use.stream.whenDone(use.sequence, last));
      last.run();
    }
    return closed;
  }

  @Override
  public String describe() {
    return (isOwn ? "an event for other processes of " : "an event of another process on ")
        + engine.name();
  }

  @Override
  protected void release() {
    try {
      if (isOwn) {
        recordings.abandon();
      }
      if (!engine.isLost()) {
        engine.driver().unregisterHost(recordings.page());
      }
    } catch (DriverException e) {
      engine.device().report(describe() + " could not be released", e);
    } finally {
      engine.forget(abandon);
      recordings.close();
      engine.resources().released(this);
      gone();
    }
  }
}
