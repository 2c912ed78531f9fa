package dev.stretto.route;

import dev.stretto.driver.DriverException;

/** A run of device memory. It is freed after the last operation that uses it. */
public final class DeviceBlock extends Resource {
  private final Engine engine;
  private final long address;
  private final long byteSize;

  private DeviceBlock(Engine engine, long address, long byteSize) {
    this.engine = engine;
    this.address = address;
    this.byteSize = byteSize;
  }

  /**
   * {@return newly allocated device memory; its contents are undefined}
   *
   * @param engine the device
   * @param bytes at least 1
   */
  public static DeviceBlock allocate(Engine engine, long bytes) {
    engine.requireUsable();
    return engine.call(
        () -> {
          DeviceBlock block = new DeviceBlock(engine, engine.driver().allocate(bytes), bytes);
          if (!engine.adopt(block)) {
            block.closeAfterLastUse();
            throw engine.closedException();
          }
          return block;
        });
  }

  /** {@return the device that the memory belongs to} */
  public Engine engine() {
    return engine;
  }

  /** {@return the device address of the first byte} */
  public long address() {
    return address;
  }

  /** {@return the size in bytes} */
  public long byteSize() {
    return byteSize;
  }

  @Override
  public String describe() {
    return byteSize + " bytes on " + engine.name();
  }

  @Override
  protected void release() {
    try {
      if (!engine.isLost()) {
        engine.driver().free(address);
      }
    } catch (DriverException e) {
      engine.report(describe() + " could not be given back", e);
    } finally {
      engine.released(this);
      gone();
    }
  }
}
