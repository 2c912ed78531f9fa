package dev.stretto.timeline;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stretto.route.ProgramLog;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * A profiler that listens to NVTX. NVTX 3 is a header without a library: a program that includes it
 * loads the library that {@code NVTX_INJECTION64_PATH} names, and calls its {@code
 * InitializeInjectionNvtx2} with a function that gives out tables; the profiler puts its own
 * functions into the slots of these. This is that header's part, as far as ranges need it
 * (nvtxDetail/nvtxInit.h, nvtxTypes.h).
 */
@SuppressWarnings("restricted")
final class Nvtx {
  private static final String INJECTION = "NVTX_INJECTION64_PATH";
  private static final int TABLES_OF_CALLBACKS = 1;
  private static final int MODULE_CORE = 1;

  /** The numbers of functions of the module. */
  private static final int RANGE_START_A = 5;

  private static final int RANGE_END = 7;
  private static final int RANGE_PUSH_A = 9;
  private static final int RANGE_POP = 11;
  private static final int FUNCTIONS = 16;

  private static final Linker LINKER = Linker.nativeLinker();

  /** The memory of the tables, which the profiler may read at any time. */
  private static final Arena ARENA = Arena.global();

  /** Loaded when the first range begins. */
  private static final class OfProcess {
    private static final @Nullable Nvtx LISTENING = ofEnvironment();
  }

  /** Where the profiler puts its functions: one slot each. */
  private final MemorySegment slots = ARENA.allocate(ADDRESS, FUNCTIONS);

  /** The addresses of the slots; the first one and the last one are null. */
  private final MemorySegment table = ARENA.allocate(ADDRESS, FUNCTIONS + 1L);

  private final MemorySegment callbacks = ARENA.allocate(ADDRESS, 2);

  private @Nullable MethodHandle push;
  private @Nullable MethodHandle pop;
  private @Nullable MethodHandle start;
  private @Nullable MethodHandle end;

  private Nvtx() {
    for (int i = 1; i < FUNCTIONS; i++) {
      table.setAtIndex(ADDRESS, i, slots.asSlice(i * ADDRESS.byteSize()));
    }
    callbacks.set(JAVA_LONG, 0, callbacks.byteSize());
    callbacks.setAtIndex(
        ADDRESS,
        1,
        called("functionTable", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS)));
  }

  /** {@return the profiler that listens, or null} */
  static @Nullable Nvtx listening() {
    return OfProcess.LISTENING;
  }

  private static @Nullable Nvtx ofEnvironment() {
    String library = System.getenv(INJECTION);
    return library == null || library.isEmpty() ? null : of(library);
  }

  private static @Nullable Nvtx of(String library) {
    try {
      Nvtx made = new Nvtx();
      return made.initialize(library) ? made : null;
    } catch (IllegalArgumentException | IllegalCallerException e) {
      ProgramLog.warn(INJECTION + " names " + library + ", which gets no ranges", e);
      return null;
    }
  }

  private boolean initialize(String library) {
    MemorySegment initialize =
        SymbolLookup.libraryLookup(library, ARENA).find("InitializeInjectionNvtx2").orElse(null);
    if (initialize == null) {
      return false;
    }
    MemorySegment tables = called("exportTable", FunctionDescriptor.of(ADDRESS, JAVA_INT));
    MethodHandle call = LINKER.downcallHandle(initialize, FunctionDescriptor.of(JAVA_INT, ADDRESS));
    if (number(call, tables) == 0) {
      return false;
    }
    push = function(RANGE_PUSH_A, FunctionDescriptor.of(JAVA_INT, ADDRESS));
    pop = function(RANGE_POP, FunctionDescriptor.of(JAVA_INT));
    start = function(RANGE_START_A, FunctionDescriptor.of(JAVA_LONG, ADDRESS));
    end = function(RANGE_END, FunctionDescriptor.ofVoid(JAVA_LONG));
    return push != null && pop != null;
  }

  private MemorySegment called(String method, FunctionDescriptor form) {
    try {
      MethodType type = form.toMethodType();
      MethodHandle bound = MethodHandles.lookup().bind(this, method, type);
      return LINKER.upcallStub(bound, form, ARENA);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(method + " is missing", e);
    }
  }

  /** Called by the profiler. */
  MemorySegment exportTable(int number) {
    return number == TABLES_OF_CALLBACKS ? callbacks : MemorySegment.NULL;
  }

  /** Called by the profiler. */
  int functionTable(int module, MemorySegment outTable, MemorySegment outSize) {
    boolean isCore = module == MODULE_CORE;
    if (outSize.address() != 0) {
      outSize.reinterpret(JAVA_INT.byteSize()).set(JAVA_INT, 0, isCore ? FUNCTIONS : 0);
    }
    if (outTable.address() != 0) {
      MemorySegment to = outTable.reinterpret(ADDRESS.byteSize());
      to.set(ADDRESS, 0, isCore ? table : MemorySegment.NULL);
    }
    return isCore ? 1 : 0;
  }

  private @Nullable MethodHandle function(int number, FunctionDescriptor form) {
    MemorySegment given = slots.getAtIndex(ADDRESS, number);
    return given.address() == 0 ? null : LINKER.downcallHandle(given, form);
  }

  /**
   * Begins a range, and returns what ends it. A range of a virtual thread is one of the process:
   * its end may be on another thread of the system than its beginning.
   */
  @Nullable Runnable begin(String name) {
    try (Arena memory = Arena.ofConfined()) {
      MemorySegment text = memory.allocateFrom(name.replace('\0', ' '));
      if (!Thread.currentThread().isVirtual()) {
        int _ = number(push, text);
        return () -> {
          int _ = number(pop);
        };
      }
      MethodHandle starting = start;
      MethodHandle ending = end;
      if (starting == null || ending == null) {
        return null;
      }
      long id = (long) starting.invokeExact(text);
      return () -> end(ending, id);
    } catch (Throwable e) {
      throw new IllegalStateException("the profiler's function failed", e);
    }
  }

  private static void end(MethodHandle ending, long id) {
    try {
      ending.invokeExact(id);
    } catch (Throwable e) {
      throw new IllegalStateException("the profiler's function failed", e);
    }
  }

  private static int number(@Nullable MethodHandle function, Object... arguments) {
    try {
      return function == null ? 0 : (int) function.invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw new IllegalStateException("the profiler's function failed", e);
    }
  }
}
