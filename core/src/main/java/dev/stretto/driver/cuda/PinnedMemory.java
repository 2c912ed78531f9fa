package dev.stretto.driver.cuda;

import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;

/**
 * Pinned host memory. It is portable, that is, pinned for every device. It is never write-combined,
 * because the host reads write-combined memory very slowly.
 */
final class PinnedMemory {
  private static final int PORTABLE = 1;

  private final Context context;
  private final Health health;

  PinnedMemory(Context context, Health health) {
    this.context = context;
    this.health = health;
  }

  long allocate(long bytes) {
    requireBytes(bytes);
    return context.obtain(
        scratch -> MemoryCalls.allocateHost(scratch.at(Scratch.OUT), bytes, PORTABLE),
        code -> shortage(code, "cuMemHostAlloc", bytes + " bytes of pinned host memory"));
  }

  void free(long address) {
    health.require(address, "pinned address");
    context.run(
        _ -> MemoryCalls.freeHost(address),
        code -> health.failure(code, "cuMemFreeHost", hex(address)));
  }

  void register(long address, long bytes) {
    health.require(address, "host address");
    requireBytes(bytes);
    context.run(
        _ -> MemoryCalls.registerHost(address, bytes, PORTABLE),
        code -> notRegistered(code, address, bytes));
  }

  private DriverException notRegistered(int code, long address, long bytes) {
    String range = bytes + " bytes at " + hex(address);
    String values =
        switch (code) {
          case CudaError.HOST_MEMORY_ALREADY_REGISTERED ->
              range + ": one of its pages is already registered, or was allocated pinned";
          case CudaError.NOT_SUPPORTED, CudaError.INVALID_VALUE ->
              range + ": this kind of memory cannot be pinned (a read-only or device mapping?)";
          default -> range;
        };
    return shortage(code, "cuMemHostRegister", values);
  }

  void unregister(long address) {
    health.require(address, "host address");
    context.run(
        _ -> MemoryCalls.unregisterHost(address),
        code ->
            health.failure(
                code,
                "cuMemHostUnregister",
                code == CudaError.HOST_MEMORY_NOT_REGISTERED
                    ? hex(address) + " is not the start of a registered range"
                    : hex(address)));
  }

  private void requireBytes(long bytes) {
    health.require();
    if (bytes <= 0) {
      throw health.invalid(bytes + " bytes of pinned memory; at least 1 is needed");
    }
  }

  /** For these calls, {@code OUT_OF_MEMORY} concerns host memory rather than device memory. */
  private DriverException shortage(int code, String call, String values) {
    return code == CudaError.OUT_OF_MEMORY
        ? health.failure(code, Kind.OUT_OF_HOST_MEMORY, call, values)
        : health.failure(code, call, values);
  }

  private static String hex(long address) {
    return "0x" + Long.toHexString(address);
  }
}
