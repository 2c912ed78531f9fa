package dev.stretto;

import dev.stretto.fault.ClosedException;
import dev.stretto.process.ShareHandle;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.SharedEvent;
import dev.stretto.route.StreamQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An event that one process records and that streams of other processes wait for. The process that
 * made it with {@link IpcArena#event} records it: {@link Stream#record(IpcEvent)}. Others open it
 * with {@link IpcArena#openEvent} and wait: {@link Stream#waitFor(IpcEvent)}. For the way back, the
 * other process makes an event of its own.
 *
 * <p>Recordings are counted, from 1. So a process can wait for one that is yet to be made ({@link
 * Stream#waitFor(IpcEvent, long)}), and two processes can enqueue many hand-overs ahead without a
 * word to each other.
 *
 * <p>If the process that records it ends, loses its device or closes the event before a recording
 * has happened, waits for it end, and whoever awaits something behind such a wait gets a {@link
 * dev.stretto.fault.ProcessGoneException}: the work that the event stands for may or may not have
 * been done. CUDA's own events of several processes ({@code cuIpcGetEventHandle}) end waits
 * silently then; these are numbers in memory that processes share, which streams write and wait for
 * ({@code cuStreamWriteValue}, {@code cuStreamWaitValue}).
 */
public final class IpcEvent implements AutoCloseable {
  private final DeviceRuntime engine;
  private final SharedEvent event;

  /** What opens it elsewhere; null if another process made it. */
  private final @Nullable ShareHandle handle;

  private final Consumer<IpcEvent> closed;
  private final String title;

  IpcEvent(
      DeviceRuntime engine,
      SharedEvent event,
      @Nullable ShareHandle handle,
      Consumer<IpcEvent> closed,
      String title) {
    this.engine = engine;
    this.event = event;
    this.handle = handle;
    this.closed = closed;
    this.title = title;
  }

  /** {@return how often it was recorded so far, by calls of its process} */
  public long recorded() {
    requireOpen();
    return event.recordings().recorded();
  }

  /**
   * {@return how many of its recordings have happened so far, or more if no further one can} Does
   * not block.
   */
  public long happened() {
    requireOpen();
    return event.recordings().happened();
  }

  @Nullable ShareHandle handle() {
    return handle;
  }

  DeviceRuntime engine() {
    return engine;
  }

  SharedEvent shared() {
    return event;
  }

  long record(StreamQueue queue, DeviceRuntime on) {
    requireOn(on);
    if (handle == null) {
      throw new IllegalArgumentException(
          title
              + " is recorded by that process only: make an event of your own in an arena here, and"
              + " hand it over for the other direction");
    }
    return event.record(queue);
  }

  /** {@return whether there is a recording to wait for} */
  boolean makeWait(StreamQueue queue, DeviceRuntime on, long number) {
    requireOn(on);
    if (number < 0) {
      throw new IllegalArgumentException(
          "recording " + number + " of " + title + ": they are counted from 1");
    }
    if (number == 0) {
      return false;
    }
    event.makeWait(queue, number);
    return true;
  }

  private void requireOn(DeviceRuntime on) {
    requireOpen();
    if (!engine.peers().isSame(on)) {
      throw new IllegalArgumentException(
          title
              + " was opened for "
              + engine.name()
              + ", not for "
              + on.name()
              + ": open its handle there too");
    }
  }

  private void requireOpen() {
    if (!event.isOpen()) {
      throw new ClosedException(title + " is closed");
    }
  }

  /**
   * Ends its use here, after the last operation that uses it. Does not block. Other processes that
   * have opened it go on. A second call has no further effect.
   */
  @Override
  public void close() {
    closed.accept(this);
    boolean _ = event.closeAfterLastUse();
    engine.finishIfClosed();
  }

  @Override
  public String toString() {
    return title;
  }
}
