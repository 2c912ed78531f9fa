package dev.stretto.driver.cuda;

import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Pinned host memory. It is portable, that is, pinned for every device. It is write-combined only
 * on demand, because the host reads such memory very slowly. Larger memory is {@linkplain
 * MappedMemory mapped} first and then registered, which is faster; only the driver can allocate
 * write-combined memory.
 */
final class PinnedMemory {
  private static final int PORTABLE = 1;
  private static final int ON_DEVICE = 2;
  private static final int WRITE_COMBINED = 4;

  /**
   * Of memory without it the driver asks for pages that it may write, and a mapping may have none.
   */
  private static final int READ_ONLY = 8;

  private final Context context;
  private final Health health;
  private final DeviceAttributes attributes;

  /** How many bytes there are at each mapped address. */
  private final Map<Long, Long> mapped = new ConcurrentHashMap<>();

  PinnedMemory(Context context, Health health, DeviceAttributes attributes) {
    this.context = context;
    this.health = health;
    this.attributes = attributes;
  }

  long allocate(long bytes) {
    requireBytes(bytes);
    long address = bytes < MappedMemory.LEAST_BYTES ? 0 : allocateMapped(bytes);
    return address != 0 ? address : allocateByDriver(bytes, PORTABLE);
  }

  long allocateWriteCombined(long bytes) {
    requireBytes(bytes);
    return allocateByDriver(bytes, PORTABLE | WRITE_COMBINED);
  }

  /** {@return the address of mapped memory that is registered, or 0 if there is none} */
  private long allocateMapped(long bytes) {
    long address = MappedMemory.map(bytes);
    if (address == 0) {
      return 0;
    }
    try {
      register(address, bytes, PORTABLE | ON_DEVICE);
    } catch (DriverException e) {
      MappedMemory.unmap(address, bytes);
      return 0; // the driver may have memory of another kind; if it has not, it says why
    }
    mapped.put(address, bytes);
    return address;
  }

  @SuppressWarnings("restricted") // the address and size come from the driver
  private long allocateByDriver(long bytes, int flags) {
    long address = obtain(bytes, flags);
    MemorySegment _ = MemorySegment.ofAddress(address).reinterpret(bytes).fill((byte) 0);
    return address;
  }

  private long obtain(long bytes, int flags) {
    return context.obtain(
        scratch -> MemoryCalls.allocateHost(scratch.at(Scratch.OUT), bytes, flags),
        code -> shortage(code, "cuMemHostAlloc", bytes + " bytes of pinned host memory"));
  }

  void free(long address) {
    health.require(address, "pinned address");
    Long bytes = mapped.get(address);
    if (bytes != null) {
      unregister(address);
      boolean _ = mapped.remove(address, bytes);
      MappedMemory.unmap(address, bytes);
      return;
    }
    context.run(
        _ -> MemoryCalls.freeHost(address),
        code -> health.failure(code, "cuMemFreeHost", hex(address)));
  }

  void register(long address, long bytes) {
    health.require(address, "host address");
    requireBytes(bytes);
    register(address, bytes, PORTABLE);
  }

  void registerReadOnly(long address, long bytes) {
    health.require(address, "host address");
    requireBytes(bytes);
    if (attributes.read(DeviceAttributes.READ_ONLY_HOST_REGISTER_SUPPORTED) == 0) {
      throw health.invalid(
          "%d bytes at %s are read-only, and this GPU cannot pin such memory (its attribute %d is 0): copy it without registering it, which stages it, or map the file READ_WRITE and register that"
              .formatted(bytes, hex(address), DeviceAttributes.READ_ONLY_HOST_REGISTER_SUPPORTED));
    }
    register(address, bytes, PORTABLE | READ_ONLY);
  }

  private void register(long address, long bytes, int flags) {
    context.run(
        _ -> MemoryCalls.registerHost(address, bytes, flags),
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
