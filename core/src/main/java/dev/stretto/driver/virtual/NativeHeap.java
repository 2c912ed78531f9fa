package dev.stretto.driver.virtual;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The C library's heap. Unlike the memory of an {@link java.lang.foreign.Arena}, its memory is not
 * zeroed, is committed only when it is accessed, and is freed without a handshake with every
 * thread.
 */
final class NativeHeap {
  private static final MethodHandle MALLOC = malloc();
  private static final MethodHandle FREE = free();

  private NativeHeap() {}

  /** {@return the address of uninitialized memory, or 0 if there is none} */
  static long allocate(long bytes) {
    try {
      return (long) MALLOC.invokeExact(bytes);
    } catch (Throwable e) {
      throw new AssertionError("malloc does not throw", e);
    }
  }

  /** Frees memory. */
  static void release(long address) {
    try {
      FREE.invokeExact(address);
    } catch (Throwable e) {
      throw new AssertionError("free does not throw", e);
    }
  }

  /** {@return the host memory at an address, which the caller knows to be valid} */
  @SuppressWarnings("restricted")
  static MemorySegment view(long address, long bytes) {
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }

  @SuppressWarnings("restricted")
  private static MethodHandle malloc() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("malloc"),
        FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
  }

  @SuppressWarnings("restricted")
  private static MethodHandle free() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("free"),
        FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));
  }
}
