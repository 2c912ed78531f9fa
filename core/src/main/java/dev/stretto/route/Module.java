package dev.stretto.route;

import dev.stretto.driver.DriverException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A kernel image that is loaded on a device. */
public final class Module extends Resource {
  private final DeviceRuntime engine;
  private final long handle;

  @GuardedBy("faultRecords")
  private final List<Long> faultRecords = new ArrayList<>();

  private final AtomicInteger retained = new AtomicInteger();

  private Module(DeviceRuntime engine, long handle) {
    this.engine = engine;
    this.handle = handle;
  }

  /**
   * {@return the image, loaded}
   *
   * @param engine the device
   * @param image PTX text or a cubin
   */
  public static Module load(DeviceRuntime engine, byte[] image) {
    engine.requireUsable();
    return engine.call(
        () -> {
          Module module = new Module(engine, engine.driver().loadModule(image));
          if (!engine.resources().adopt(module)) {
            module.closeAfterLastUse();
            throw engine.device().closedException();
          }
          return module;
        });
  }

  /**
   * {@return the address of a record into which a kernel of this image writes which check has
   * failed} The kernel owns the record until the image is unloaded.
   *
   * @param words explains a record that the kernel has written
   */
  public long addFaultRecord(Function<MemorySegment, String> words) {
    long address = engine.faultRecords().add(words);
    synchronized (faultRecords) {
      faultRecords.add(address);
    }
    return address;
  }

  /** Adds a user of the image, who calls {@link #letGoOf()} at the end. */
  public void retain() {
    retained.incrementAndGet();
  }

  /** Ends a {@link #retain()}; after the last one, the image is unloaded after its last use. */
  public void letGoOf() {
    if (retained.decrementAndGet() == 0) {
      closeAfterLastUse();
    }
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
      engine.device().report(describe() + " could not be released", e);
    } finally {
      synchronized (faultRecords) {
        faultRecords.forEach(engine.faultRecords()::giveBack);
      }
      engine.resources().released(this);
      gone();
    }
  }
}
