package dev.stretto.driver.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Memory of a device that several processes use, by CUDA's handles. */
final class SharedHandles {
  private static final int LAZY_ENABLE_PEER_ACCESS = 1;

  /** {@code cuMemAlloc} cuts smaller allocations out of blocks of this size. */
  private static final long BLOCK_BYTES = 2 << 20;

  private final Context context;
  private final Health health;
  private final PlainMemory plain;

  SharedHandles(Context context, Health health, PlainMemory plain) {
    this.context = context;
    this.health = health;
    this.plain = plain;
  }

  /**
   * Allocates whole blocks: a handle opens the block that holds an address, and everything else in
   * it.
   */
  long allocate(long bytes) {
    if (bytes <= 0 || bytes > Long.MAX_VALUE - BLOCK_BYTES) {
      throw health.invalid(bytes + " bytes of device memory; at least 1 is needed");
    }
    return plain.allocate((bytes + BLOCK_BYTES - 1) & -BLOCK_BYTES);
  }

  byte[] exportMemory(long address) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment handle = arena.allocate(ProcessCalls.HANDLE_BYTES, Long.BYTES);
      context.run(
          _ -> ProcessCalls.exportMemory(handle.address(), address),
          code -> health.failure(code, "cuIpcGetMemHandle", name(address)));
      return handle.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  long openMemory(byte[] handle) {
    if (handle.length != ProcessCalls.HANDLE_BYTES) {
      throw health.invalid(
          "a handle of memory has %d bytes, and this one %d"
              .formatted(ProcessCalls.HANDLE_BYTES, handle.length));
    }
    return context.obtain(
        scratch ->
            ProcessCalls.openMemory(
                scratch.at(Scratch.OUT), MemorySegment.ofArray(handle), LAZY_ENABLE_PEER_ACCESS),
        code -> health.failure(code, "cuIpcOpenMemHandle", ""));
  }

  void closeMemory(long address) {
    context.run(
        _ -> ProcessCalls.closeMemory(address),
        code -> health.failure(code, "cuIpcCloseMemHandle", name(address)));
  }

  private static String name(long address) {
    return "0x" + Long.toHexString(address);
  }
}
