package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Calls about memory that several processes use. */
final class ProcessCalls {
  /** {@code CU_IPC_HANDLE_SIZE}, and the size of {@code CUmemPoolPtrExportData} */
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

  private static final MethodHandle EXPORT_POOL =
      Binder.bindOptional(
          "cuMemPoolExportToShareableHandle", 11020, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
  private static final MethodHandle OPEN_POOL =
      Binder.bindOptional(
          "cuMemPoolImportFromShareableHandle", 11020, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
  private static final MethodHandle EXPORT_POINTER =
      Binder.bindOptional("cuMemPoolExportPointer", 11020, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle OPEN_POINTER =
      Binder.bindOptional("cuMemPoolImportPointer", 11020, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  private static final MethodHandle EXPORT_EVENT =
      Binder.bindOptional("cuIpcGetEventHandle", 4010, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle OPEN_EVENT =
      Binder.bindOptional("cuIpcOpenEventHandle", 4010, JAVA_LONG, HANDLE);

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

  /** Writes the file descriptor of a pool, an {@code int}. */
  static int exportPool(long descriptor, long pool, int type) {
    try {
      return (int) EXPORT_POOL.invokeExact(descriptor, pool, type, 0L);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the pool. The descriptor stands in place of a pointer. */
  static int openPool(long pool, long descriptor, int type) {
    try {
      return (int) OPEN_POOL.invokeExact(pool, descriptor, type, 0L);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes a {@code CUmemPoolPtrExportData}. */
  static int exportPointer(long data, long address) {
    try {
      return (int) EXPORT_POINTER.invokeExact(data, address);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Reads a {@code CUmemPoolPtrExportData}, and writes the address. */
  static int openPointer(long address, long pool, long data) {
    try {
      return (int) OPEN_POINTER.invokeExact(address, pool, data);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the handle of an event. Needs a current context. */
  static int exportEvent(long handle, long event) {
    try {
      return (int) EXPORT_EVENT.invokeExact(handle, event);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the event. Needs a current context. */
  static int openEvent(long event, MemorySegment handle) {
    try {
      return (int) OPEN_EVENT.invokeExact(event, handle);
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
