package dev.stretto.driver.virtual;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The C library's heap. Unlike an {@link java.lang.foreign.Arena}'s, its memory is not zeroed, is
 * committed only where it is touched, and is given back without a handshake with every thread.
 */
final class NativeHeap {
  private static final MethodHandle MALLOC = malloc();
  private static final MethodHandle FREE = free();

  private NativeHeap() {}

  /** {@return the address of uninitialized memory, or 0 where there is none} */
  static long allocate(long bytes) {
    try {
      return (long) MALLOC.invokeExact(bytes);
    } catch (Throwable e) {
      throw new AssertionError("malloc does not throw", e);
    }
  }

  /** Gives memory back. */
  static void release(long address) {
    try {
      FREE.invokeExact(address);
    } catch (Throwable e) {
      throw new AssertionError("free does not throw", e);
    }
  }

  /** {@return the host memory at an address; whoever asks has to know that it is there} */
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
