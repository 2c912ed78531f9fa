package dev.stretto.bench.nccl;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** A rank by the loops of {@code bench/cpp/nccl.cu}, in this process. */
@SuppressWarnings("restricted")
final class CallsByCpp implements Calls {
  private static final int ID_BYTES = 128;

  private final SymbolLookup functions;
  private final MemorySegment rank;
  private final MethodHandle micros;

  CallsByCpp(Path library, int device, int rank, int size, byte[] id) {
    functions = SymbolLookup.libraryLookup(library, Arena.global());
    micros =
        function("rank_micros", ValueLayout.JAVA_DOUBLE, ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
    MethodHandle open =
        function(
            "rank_open",
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT,
            ValueLayout.ADDRESS);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, id);
      this.rank = (MemorySegment) open.invokeExact(device, rank, size, bytes);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** What ranks by C++ have to be opened with. */
  static byte[] id(Path library) {
    SymbolLookup functions = SymbolLookup.libraryLookup(library, Arena.global());
    MethodHandle create =
        Linker.nativeLinker()
            .downcallHandle(
                functions.findOrThrow("rank_id"), FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment id = arena.allocate(ID_BYTES);
      create.invokeExact(id);
      return id.toArray(ValueLayout.JAVA_BYTE);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public double micros(int calls) {
    try {
      return (double) micros.invokeExact(rank, calls);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void awaitDone() {
    call("rank_await");
  }

  @Override
  public void close() {
    call("rank_close");
  }

  private void call(String name) {
    MethodHandle handle =
        Linker.nativeLinker()
            .downcallHandle(
                functions.findOrThrow(name), FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
    try {
      handle.invokeExact(rank);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments) {
    return Linker.nativeLinker()
        .downcallHandle(functions.findOrThrow(name), FunctionDescriptor.of(result, arguments));
  }
}
