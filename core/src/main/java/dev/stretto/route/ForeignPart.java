package dev.stretto.route;

import dev.stretto.driver.DriverException;
import dev.stretto.driver.GraphWork;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What another library has enqueued while it was captured. It is there until no graph has it any
 * more.
 */
public class ForeignPart extends Resource {
  private final DeviceRuntime engine;
  private final GraphWork.@Nullable Captured work;

  /**
   * Makes the part, which its maker has to {@linkplain #closeAfterLastUse() close}.
   *
   * @param work of {@link #capture}; null if host threads do the work
   */
  protected ForeignPart(DeviceRuntime engine, GraphWork.@Nullable Captured work) {
    this.engine = engine;
    this.work = work;
  }

  /**
   * {@return what another library enqueues, as work of a node}
   *
   * @param engine the device
   * @param work enqueues it, once and now; may wait until that is done
   * @throws DriverException if CUDA cannot capture it
   */
  public static GraphWork.Captured capture(DeviceRuntime engine, LateWork work) {
    DriverLock.assertNoneHeld("another library is captured");
    AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    return engine
        .driver()
        .capture(
            stream -> {
              if (!work.enqueue(stream, why -> failure.compareAndSet(null, why))) {
                work.awaitEnqueued();
              }
              RuntimeException why = failure.get();
              if (why != null) {
                throw why;
              }
            });
  }

  /**
   * Makes the device release it before it is closed.
   *
   * @throws dev.stretto.fault.ClosedException if the device is closed
   */
  protected final void adopt() {
    if (!engine.resources().adopt(this)) {
      boolean _ = closeAfterLastUse();
      throw engine.device().closedException();
    }
  }

  /** {@return the device that does the work} */
  public final DeviceRuntime engine() {
    return engine;
  }

  /** {@return the work, or null if host threads do it} */
  public final GraphWork.@Nullable Captured work() {
    return work;
  }

  @Override
  public String describe() {
    return "captured work of another library on " + engine.name();
  }

  @Override
  protected final void release() {
    if (work != null && !engine.isLost()) {
      try {
        engine.driver().destroyCaptured(work);
      } catch (DriverException e) {
        engine.device().report(describe() + " could not be released", e);
      }
    }
    engine.resources().released(this);
    over();
    gone();
  }

  /** Called when no graph has it any more. Must not block. */
  protected void over() {}
}
