package dev.stretto.collective;

import dev.stretto.Device;
import dev.stretto.collective.nccl.NcclRank;
import dev.stretto.fault.NcclException;
import dev.stretto.fault.OutOfDeviceMemoryException;
import dev.stretto.memory.GlobalBytes;

/** Memory that NCCL has taken and, once all ranks have, registers. */
final class NcclWindow implements WindowMemory {
  private final NcclWindows windows;
  private final long bytes;

  /** Runs when the memory is given back. */
  private final Runnable gone;

  private long address;

  /** The library's handle, or 0. */
  private long window;

  NcclWindow(NcclWindows windows, long bytes, Runnable gone) {
    this.windows = windows;
    this.bytes = bytes;
    this.gone = gone;
    Device device = windows.device();
    try {
      device.inContext(() -> address = NcclRank.allocate(bytes));
    } catch (NcclException e) {
      throw new OutOfDeviceMemoryException(
          "%s has not got the %d bytes of a window: %s".formatted(device, bytes, e.getMessage()),
          e);
    }
  }

  @Override
  public boolean awaitKnown() {
    window = windows.awaitRegistered(address, bytes);
    return window != 0;
  }

  @Override
  public GlobalBytes array() {
    return windows.device().adopt(address, bytes, GlobalBytes::of, this::giveBack);
  }

  @Override
  public void giveBack() {
    windows.free(address, window, gone);
  }
}
