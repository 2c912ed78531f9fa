package dev.stretto.driver.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Memory of a device that several processes use, by CUDA's handles. */
final class SharedHandles {
  private static final int LAZY_ENABLE_PEER_ACCESS = 1;

  /** {@code cuMemAlloc} cuts smaller allocations out of blocks of this size. */
  private static final long BLOCK_BYTES = 2 << 20;

  /** {@code CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR} */
  static final int FILE_DESCRIPTOR = 1;

  /** {@code CU_EVENT_DISABLE_TIMING} and {@code CU_EVENT_INTERPROCESS}, which needs the other. */
  private static final int EVENT_FLAGS = 2 | 4;

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

  int exportPool(long pool) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment descriptor = arena.allocate(ValueLayout.JAVA_INT);
      context.run(
          _ -> ProcessCalls.exportPool(descriptor.address(), pool, FILE_DESCRIPTOR),
          code -> health.failure(code, "cuMemPoolExportToShareableHandle", ""));
      return descriptor.get(ValueLayout.JAVA_INT, 0);
    }
  }

  long openPool(int descriptor) {
    return context.obtain(
        scratch -> ProcessCalls.openPool(scratch.at(Scratch.OUT), descriptor, FILE_DESCRIPTOR),
        code ->
            health.failure(
                code, "cuMemPoolImportFromShareableHandle", "file descriptor " + descriptor));
  }

  byte[] exportPooled(long address) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocate(ProcessCalls.HANDLE_BYTES, Long.BYTES);
      context.run(
          _ -> ProcessCalls.exportPointer(data.address(), address),
          code -> health.failure(code, "cuMemPoolExportPointer", name(address)));
      return data.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  long openPooled(long pool, byte[] handle) {
    if (handle.length != ProcessCalls.HANDLE_BYTES) {
      throw health.invalid(
          "a handle of memory has %d bytes, and this one %d"
              .formatted(ProcessCalls.HANDLE_BYTES, handle.length));
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocate(ProcessCalls.HANDLE_BYTES, Long.BYTES);
      MemorySegment.copy(handle, 0, data, ValueLayout.JAVA_BYTE, 0, handle.length);
      return context.obtain(
          scratch -> ProcessCalls.openPointer(scratch.at(Scratch.OUT), pool, data.address()),
          code -> health.failure(code, "cuMemPoolImportPointer", ""));
    }
  }

  long createEvent() {
    return context.obtain(
        scratch -> StreamCalls.createEvent(scratch.at(Scratch.OUT), EVENT_FLAGS),
        code -> health.failure(code, "cuEventCreate", "for other processes"));
  }

  byte[] exportEvent(long event) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment handle = arena.allocate(ProcessCalls.HANDLE_BYTES, Long.BYTES);
      context.run(
          _ -> ProcessCalls.exportEvent(handle.address(), event),
          code -> health.failure(code, "cuIpcGetEventHandle", ""));
      return handle.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  long openEvent(byte[] handle) {
    if (handle.length != ProcessCalls.HANDLE_BYTES) {
      throw health.invalid(
          "a handle of an event has %d bytes, and this one %d"
              .formatted(ProcessCalls.HANDLE_BYTES, handle.length));
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(ProcessCalls.HANDLE_BYTES);
      MemorySegment.copy(handle, 0, value, ValueLayout.JAVA_BYTE, 0, handle.length);
      return context.obtain(
          scratch -> ProcessCalls.openEvent(scratch.at(Scratch.OUT), value),
          code -> health.failure(code, "cuIpcOpenEventHandle", ""));
    }
  }

  private static String name(long address) {
    return "0x" + Long.toHexString(address);
  }
}
