package dev.stretto.twin;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;

/** Streams of CUDA that Stretto has no call for, made as another library would make them. */
final class CudaStreams {
  private CudaStreams() {}

  /** {@return a stream of the device's primary context that blocks with the legacy stream} */
  static long createBlocking(int ordinal) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment context = arena.allocate(JAVA_LONG);
      MemorySegment stream = arena.allocate(JAVA_LONG);
      call("cuDevicePrimaryCtxRetain", context, ordinal);
      call("cuCtxPushCurrent_v2", context.get(JAVA_LONG, 0));
      try {
        call("cuStreamCreate", stream, 0);
      } finally {
        call("cuCtxPopCurrent_v2", context);
      }
      // Stretto holds the context while its device is open, and the stream is used no longer.
      call("cuDevicePrimaryCtxRelease_v2", ordinal);
      return stream.get(JAVA_LONG, 0);
    }
  }

  private static void call(String name, Object... arguments) {
    MemoryLayout[] layouts = new MemoryLayout[arguments.length];
    for (int i = 0; i < layouts.length; i++) {
      layouts[i] =
          switch (arguments[i]) {
            case MemorySegment _ -> ADDRESS;
            case Long _ -> JAVA_LONG;
            default -> JAVA_INT;
          };
    }
    MemorySegment symbol =
        SymbolLookup.libraryLookup("libcuda.so.1", Arena.global()).find(name).orElseThrow();
    int result;
    try {
      result =
          (int)
              Linker.nativeLinker()
                  .downcallHandle(symbol, FunctionDescriptor.of(JAVA_INT, layouts))
                  .invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw new IllegalStateException(name, e);
    }
    if (result != 0) {
      throw new IllegalStateException(name + " returned " + result);
    }
  }
}
