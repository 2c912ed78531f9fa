package dev.stretto.driver.cuda;

import dev.stretto.driver.DriverException;
import dev.stretto.driver.PoolAttribute;

/**
 * Memory from {@code cuMemAlloc} and {@code cuMemFree}, for devices without pools. Both calls may
 * wait for enqueued work, which such a device cannot avoid.
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
  public void freeUnpooled(long address) {
    free(address);
  }

  @Override
  public long freeBytes() {
    return MemoryInfo.of(context, health).freeBytes();
  }

  @Override
  public boolean isPooled() {
    return false;
  }

  @Override
  public long createPool(long maxBytes) {
    throw noPool("cuMemPoolCreate");
  }

  @Override
  public long createSharedPool(long maxBytes) {
    throw noPool("cuMemPoolCreate");
  }

  @Override
  public void adoptPool(long pool) {
    throw noPool("cuMemPoolImportFromShareableHandle");
  }

  @Override
  public void destroyPool(long pool) {
    throw noPool("cuMemPoolDestroy");
  }

  @Override
  public long allocateFrom(long pool, long bytes) {
    throw noPool("cuMemAllocFromPoolAsync");
  }

  @Override
  public long allocateFrom(long pool, long bytes, long stream) {
    throw noPool("cuMemAllocFromPoolAsync");
  }

  @Override
  public void free(long address, long stream) {
    throw noPool("cuMemFreeAsync");
  }

  @Override
  public long attribute(long pool, PoolAttribute attribute) {
    throw noPool("cuMemPoolGetAttribute");
  }

  @Override
  public void attribute(long pool, PoolAttribute attribute, long value) {
    throw noPool("cuMemPoolSetAttribute");
  }

  @Override
  public void trim(long pool, long keepBytes) {
    throw noPool("cuMemPoolTrimTo");
  }

  private DriverException noPool(String call) {
    return health.invalid(
        call
            + ": the device has no memory pools (CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED is 0)");
  }

  /** Does nothing: plain allocations follow the access between the contexts. */
  @Override
  public void allow(int device, Object opening) {}

  @Override
  public void close() {}
}
