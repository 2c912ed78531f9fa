package dev.stretto.driver.cuda;

import dev.stretto.driver.DriverException;

/**
 * Memory by {@code cuMemAlloc} and {@code cuMemFree}, for devices that have no pools. Both may wait
 * for enqueued work: on such a device it cannot be helped.
 */
final class PlainMemory implements DeviceMemory {
  private final Context context;
  private final Health health;

  PlainMemory(Context context, Health health) {
    this.context = context;
    this.health = health;
  }

  @Override
  public long allocate(long bytes) {
    return context.obtain(
        scratch -> MemoryCalls.allocate(scratch.at(Scratch.OUT), bytes),
        code -> refused(code, bytes));
  }

  private DriverException refused(int code, long bytes) {
    String values =
        code == CudaError.OUT_OF_MEMORY
            ? MemoryInfo.of(context, health).shortage(bytes)
            : bytes + " bytes";
    return health.failure(code, "cuMemAlloc", values);
  }

  @Override
  public void free(long address) {
    context.run(
        _ -> MemoryCalls.free(address),
        code -> health.failure(code, "cuMemFree", "0x" + Long.toHexString(address)));
  }

  @Override
  public long freeBytes() {
    return MemoryInfo.of(context, health).freeBytes();
  }

  /** What is allocated plainly follows the context's own access. */
  @Override
  public void allow(int device) {}

  @Override
  public void disallow(int device) {}

  @Override
  public void close() {}
}
