package dev.stretto.collective;

import dev.stretto.Device;
import dev.stretto.collective.mesh.Mesh;
import dev.stretto.collective.nccl.NcclException;
import dev.stretto.collective.nccl.NcclRank;
import dev.stretto.fault.OutOfDeviceMemoryException;
import dev.stretto.memory.GlobalBytes;

/** Memory that NCCL has taken and, once all ranks have, registers. */
final class NcclWindow implements WindowMemory {
  private final Mesh mesh;
  private final NcclRank rank;
  private final Device device;
  private final long bytes;

  /** Runs when the memory is given back. */
  private final Runnable gone;

  private long address;

  /** The library's handle, or 0. */
  private long window;

  NcclWindow(Mesh mesh, NcclRank rank, Device device, long bytes, Runnable gone) {
    this.mesh = mesh;
    this.rank = rank;
    this.device = device;
    this.bytes = bytes;
    this.gone = gone;
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
    try {
      window = AsideCall.await("window", this::register, () -> requireNoFailure(mesh));
    } catch (NcclException e) {
      requireNoFailure(mesh);
      throw e;
    }
    return window != 0;
  }

  private static void requireNoFailure(Mesh mesh) {
    RuntimeException failure = mesh.failure();
    if (failure != null) {
      throw mesh.again(failure);
    }
  }

  private long register() {
    long[] registered = new long[1];
    device.inContext(() -> registered[0] = rank.register(address, bytes));
    return registered[0];
  }

  @Override
  public GlobalBytes array() {
    return device.adopt(address, bytes, GlobalBytes::of, this::giveBack);
  }

  @Override
  public void giveBack() {
    LastCalls.run(
        "window",
        () -> {
          try {
            rank.free(address, window);
          } finally {
            gone.run();
          }
        });
  }
}
