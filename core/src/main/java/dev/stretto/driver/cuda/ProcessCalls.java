package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Calls about memory that several processes use. */
final class ProcessCalls {
  /** {@code CU_IPC_HANDLE_SIZE} */
  static final int HANDLE_BYTES = 64;

  /** {@code CUipcMemHandle}, which CUDA takes by value. */
  private static final MemoryLayout HANDLE =
      MemoryLayout.structLayout(MemoryLayout.sequenceLayout(HANDLE_BYTES, JAVA_BYTE));

  private static final MethodHandle EXPORT_MEMORY =
      Binder.bindOptional("cuIpcGetMemHandle", 4010, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle OPEN_MEMORY =
      Binder.bindOptional("cuIpcOpenMemHandle", 11000, JAVA_LONG, HANDLE, JAVA_INT);
  private static final MethodHandle CLOSE_MEMORY =
      Binder.bindOptional("cuIpcCloseMemHandle", 4010, JAVA_LONG);

  private ProcessCalls() {}

  /** Binds all functions now, by initializing this class. */
  static void bindAll() {}

  /** Writes the handle of an allocation. Needs a current context. */
  static int exportMemory(long handle, long address) {
    try {
      return (int) EXPORT_MEMORY.invokeExact(handle, address);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the address. Needs a current context. */
  static int openMemory(long address, MemorySegment handle, int flags) {
    try {
      return (int) OPEN_MEMORY.invokeExact(address, handle, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Needs a current context. */
  static int closeMemory(long address) {
    try {
      return (int) CLOSE_MEMORY.invokeExact(address);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
