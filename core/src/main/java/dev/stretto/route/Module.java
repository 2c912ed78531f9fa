package dev.stretto.route;

import dev.stretto.driver.DriverException;

/** A kernel image that is loaded on a device. */
public final class Module extends Resource {
  private final Engine engine;
  private final long handle;

  private Module(Engine engine, long handle) {
    this.engine = engine;
    this.handle = handle;
  }

  /**
   * {@return the image, loaded}
   *
   * @param engine the device
   * @param image PTX text or a cubin
   */
  public static Module load(Engine engine, byte[] image) {
    engine.requireUsable();
    return engine.call(
        () -> {
          Module module = new Module(engine, engine.driver().loadModule(image));
          if (!engine.adopt(module)) {
            module.closeAfterLastUse();
            throw engine.closedException();
          }
          return module;
        });
  }

  /** {@return the driver's handle} */
  public long handle() {
    return handle;
  }

  @Override
  public String describe() {
    return "a kernel image on " + engine.name();
  }

  @Override
  protected void release() {
    try {
      if (!engine.isLost()) {
        engine.driver().unloadModule(handle);
      }
    } catch (DriverException e) {
      engine.report(describe() + " could not be given back", e);
    } finally {
      engine.released(this);
      gone();
    }
  }
}
