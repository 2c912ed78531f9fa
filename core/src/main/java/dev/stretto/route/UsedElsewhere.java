package dev.stretto.route;

import org.jspecify.annotations.Nullable;

/**
 * The uses of a resource by other processes: it is released after the last of them, or with its
 * device.
 */
public final class UsedElsewhere extends Resource {
  private final DeviceRuntime engine;
  private final Resource used;

  private UsedElsewhere(DeviceRuntime engine, Resource used) {
    this.engine = engine;
    this.used = used;
  }

  /**
   * Begins a use, which {@link #closeAfterLastUse} ends.
   *
   * @return it, or null if the resource or its device is closed
   */
  public static @Nullable UsedElsewhere begin(DeviceRuntime engine, Resource used) {
    return used.isOpen() ? beginHeld(engine, used) : null;
  }

  /** The same for a resource that may be closed if something holds it. */
  public static @Nullable UsedElsewhere beginHeld(DeviceRuntime engine, Resource used) {
    if (!used.hold()) {
      return null;
    }
    UsedElsewhere use = new UsedElsewhere(engine, used);
    if (!engine.resources().adopt(use)) {
      boolean _ = use.closeAfterLastUse();
      return null;
    }
    return use;
  }

  @Override
  public String describe() {
    return "a use by another process of " + used.describe();
  }

  @Override
  protected void release() {
    engine.resources().released(this);
    gone();
    used.letGo();
  }
}
