package dev.stretto.route;

import dev.stretto.driver.DriverException;
import java.util.function.Supplier;

/** An event of the driver's that other programs record or wait for. */
public final class ProcessEvent extends Resource {
  private final DeviceRuntime engine;
  private final long event;

  private ProcessEvent(DeviceRuntime engine, long event) {
    this.engine = engine;
    this.event = event;
  }

  /**
   * {@return one that a call makes or opens}
   *
   * @throws dev.stretto.fault.NoSharingException if the driver refuses it
   */
  public static ProcessEvent of(DeviceRuntime engine, Supplier<Long> call) {
    engine.requireUsable();
    return engine.call(
        () -> {
          ProcessEvent event = new ProcessEvent(engine, OwnPool.shared(engine, call));
          if (!engine.resources().adopt(event)) {
            boolean _ = event.closeAfterLastUse();
            throw engine.device().closedException();
          }
          return event;
        });
  }

  /** {@return the device} */
  public DeviceRuntime engine() {
    return engine;
  }

  /** {@return the driver's handle in this process} */
  public long event() {
    return event;
  }

  @Override
  public String describe() {
    return "a CUDA event of several programs on " + engine.name();
  }

  @Override
  protected void release() {
    try {
      if (!engine.isLost()) {
        engine.driver().destroyEvent(event);
      }
    } catch (DriverException e) {
      engine.device().report(describe() + " could not be released", e);
    } finally {
      engine.resources().released(this);
      gone();
    }
  }
}
