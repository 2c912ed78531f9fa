package dev.stretto;

import dev.stretto.fault.ClosedException;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.ProcessEvent;
import java.util.function.Consumer;

/**
 * CUDA's own event of several programs, for programs that know nothing of Stretto: what {@code
 * cuIpcGetEventHandle} hands over and {@code cuIpcOpenEventHandle} opens. Any of the programs may
 * record it and wait for it; a wait is for the last recording that has reached the driver.
 *
 * <p>It has CUDA's limits. Recordings have no numbers, so programs have to tell each other when one
 * is made. If a program ends, waits for what it has recorded end silently, whether that was done or
 * not. Between programs that use Stretto, {@link IpcEvent} has neither of the two.
 *
 * <p>GPUs only. Any thread may use it.
 */
public final class CudaIpcEvent implements AutoCloseable {
  private final ProcessEvent event;
  private final byte[] handle;
  private final Consumer<CudaIpcEvent> closed;

  CudaIpcEvent(ProcessEvent event, byte[] handle, Consumer<CudaIpcEvent> closed) {
    this.event = event;
    this.handle = handle.clone();
    this.closed = closed;
  }

  /**
   * {@return the 64 bytes of its {@code CUipcEventHandle}, which are {@code cudaIpcEventHandle_t}}
   */
  public byte[] handle() {
    requireOpen();
    return handle.clone();
  }

  /** {@return what streams record and wait for} */
  ProcessEvent onDevice(DeviceRuntime engine) {
    requireOpen();
    if (!event.engine().equals(engine)) {
      throw new IllegalArgumentException(
          this + " was opened for " + event.engine().name() + ", not for " + engine.name());
    }
    return event;
  }

  private void requireOpen() {
    if (!event.isOpen()) {
      throw closedException();
    }
  }

  private ClosedException closedException() {
    return new ClosedException(this + " is closed");
  }

  /**
   * Ends its use here, after the last recording that was enqueued. Does not block. If this process
   * has made it, others must not use it any more, which nobody checks. A second call has no further
   * effect.
   */
  @Override
  public void close() {
    closed.accept(this);
    boolean _ = event.closeAfterLastUse();
    event.engine().finishIfClosed();
  }

  @Override
  public String toString() {
    return event.describe();
  }
}
