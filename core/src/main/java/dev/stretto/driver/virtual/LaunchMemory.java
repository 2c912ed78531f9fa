package dev.stretto.driver.virtual;

import dev.stretto.driver.KernelTwin;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Device memory as one launch reaches it. What it has reached stays until the launch ends, whoever
 * frees it.
 */
final class LaunchMemory implements KernelTwin.DeviceMemory, AutoCloseable {
  private final DeviceSpace space;
  private final String kernel;
  private final Queue<Backing> held = new ConcurrentLinkedQueue<>();

  LaunchMemory(DeviceSpace space, String kernel) {
    this.space = space;
    this.kernel = kernel;
  }

  @Override
  public MemorySegment at(long address) {
    Backing backing = space.retain("kernel " + kernel, address, 1, CudaResult.ILLEGAL_ADDRESS);
    held.add(backing);
    long offset = address - backing.address();
    return backing.read(offset, backing.bytes() - offset);
  }

  @Override
  public void close() {
    held.forEach(Backing::release);
    held.clear();
  }
}
