package dev.stretto;

import dev.stretto.driver.PointerProperties;
import dev.stretto.fault.NoSharingException;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.OwnPool;
import dev.stretto.route.ProcessEvent;

/** CUDA's own handles of memory and events, for programs that know nothing of Stretto. */
final class CudaHandles {
  /** {@code CU_IPC_HANDLE_SIZE} */
  private static final int BYTES = 64;

  private final DeviceRuntime engine;

  CudaHandles(DeviceRuntime engine) {
    this.engine = engine;
  }

  /** {@return the handle of memory of this process} */
  byte[] of(DeviceBlock block) {
    requireGpu("give out");
    return engine.call(
        () -> OwnPool.shared(engine, () -> engine.driver().exportMemory(block.address())));
  }

  /** {@return memory of another program} */
  DeviceBlock open(byte[] handle, long bytes) {
    requireGpu("open");
    require(handle);
    if (bytes < 1) {
      throw new IllegalArgumentException(bytes + " bytes of another program: at least 1 is needed");
    }
    DeviceBlock block = DeviceBlock.open(engine, handle, bytes, () -> {});
    boolean complete = false;
    try {
      requireAsMany(block, bytes);
      block.keep();
      complete = true;
      return block;
    } finally {
      if (!complete) {
        boolean _ = block.closeAfterLastUse();
      }
    }
  }

  private void requireAsMany(DeviceBlock block, long bytes) {
    PointerProperties known = engine.call(() -> engine.driver().pointer(block.address()));
    long there = known.base() + known.bytes() - block.address();
    if (known.bytes() > 0 && bytes > there) {
      throw new IllegalArgumentException(
          "%d bytes are to be opened, and the handle's memory has %d: ask the other program how many it has allocated"
              .formatted(bytes, there));
    }
  }

  /** {@return a new event} */
  ProcessEvent createEvent() {
    requireGpu("make");
    return ProcessEvent.of(engine, () -> engine.driver().createProcessEvent());
  }

  /** {@return the handle of an event of this process} */
  byte[] of(ProcessEvent event) {
    return engine.call(
        () -> OwnPool.shared(engine, () -> engine.driver().exportEvent(event.event())));
  }

  /** {@return an event of another program} */
  ProcessEvent openEvent(byte[] handle) {
    requireGpu("open");
    require(handle);
    return ProcessEvent.of(engine, () -> engine.driver().openEvent(handle));
  }

  private void requireGpu(String what) {
    engine.requireUsable();
    if (engine.isVirtual()) {
      throw new NoSharingException(
          engine.name()
              + " has no CUDA handles to "
              + what
              + ": only a GPU has; between programs that use Stretto, the arena's own handles do on"
              + " both");
    }
  }

  private static void require(byte[] handle) {
    if (handle.length != BYTES) {
      throw new IllegalArgumentException(
          "CUDA's handles have %d bytes, and this one %d".formatted(BYTES, handle.length));
    }
  }
}
