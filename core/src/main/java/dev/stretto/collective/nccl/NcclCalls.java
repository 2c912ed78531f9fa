package dev.stretto.collective.nccl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The functions of NCCL. Handles and addresses are {@code long}s; each call returns an {@code
 * ncclResult_t}.
 */
final class NcclCalls {
  static final int ID_BYTES = 128;

  /** The version from which on copy engines do collective operations. */
  private static final int COPY_ENGINES = 22_800;

  /** {@code ncclUniqueId}, which is passed by value. */
  private static final StructLayout ID =
      MemoryLayout.structLayout(MemoryLayout.sequenceLayout(ID_BYTES, JAVA_BYTE));

  private static final MethodHandle GET_UNIQUE_ID = bind("ncclGetUniqueId", ADDRESS);
  private static final MethodHandle INIT =
      bind("ncclCommInitRankConfig", ADDRESS, JAVA_INT, ID, JAVA_INT, ADDRESS);
  private static final @Nullable MethodHandle SPLIT =
      bindIfThere("ncclCommSplit", JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS); // since 2.18
  private static final MethodHandle ASYNC_ERROR = bind("ncclCommGetAsyncError", JAVA_LONG, ADDRESS);
  private static final MethodHandle ABORT = bind("ncclCommAbort", JAVA_LONG);
  private static final MethodHandle FINALIZE = bind("ncclCommFinalize", JAVA_LONG);
  private static final MethodHandle DESTROY = bind("ncclCommDestroy", JAVA_LONG);
  private static final MethodHandle GROUP_START = bind("ncclGroupStart");
  private static final MethodHandle GROUP_END = bind("ncclGroupEnd");
  private static final MethodHandle ALL_REDUCE =
      bind(
          "ncclAllReduce",
          JAVA_LONG,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_INT,
          JAVA_INT,
          JAVA_LONG,
          JAVA_LONG);
  private static final MethodHandle REDUCE_SCATTER =
      bind(
          "ncclReduceScatter",
          JAVA_LONG,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_INT,
          JAVA_INT,
          JAVA_LONG,
          JAVA_LONG);
  private static final MethodHandle BROADCAST =
      bind(
          "ncclBroadcast",
          JAVA_LONG,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_INT,
          JAVA_INT,
          JAVA_LONG,
          JAVA_LONG);
  private static final MethodHandle ALL_GATHER =
      bind("ncclAllGather", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle SEND =
      bind("ncclSend", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle RECV =
      bind("ncclRecv", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);

  // Since 2.28; windows before had no such policy.
  private static final @Nullable MethodHandle ALL_TO_ALL =
      bindIfThere("ncclAlltoAll", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
  private static final @Nullable MethodHandle MEM_ALLOC =
      bindIfThere("ncclMemAlloc", ADDRESS, JAVA_LONG);
  private static final @Nullable MethodHandle MEM_FREE = bindIfThere("ncclMemFree", JAVA_LONG);
  private static final @Nullable MethodHandle REGISTER =
      bindIfThere("ncclCommWindowRegister", JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_INT);
  private static final @Nullable MethodHandle DEREGISTER =
      bindIfThere("ncclCommWindowDeregister", JAVA_LONG, JAVA_LONG);

  private static final MethodHandle ERROR_STRING =
      link("ncclGetErrorString", FunctionDescriptor.of(JAVA_LONG, JAVA_INT));
  private static final MethodHandle LAST_ERROR =
      link("ncclGetLastError", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));

  private NcclCalls() {}

  private static MethodHandle bind(String name, MemoryLayout... parameters) {
    return link(name, FunctionDescriptor.of(JAVA_INT, parameters));
  }

  private static @Nullable MethodHandle bindIfThere(String name, MemoryLayout... parameters) {
    return library().exports().find(name).isPresent() ? bind(name, parameters) : null;
  }

  private static NcclLibrary library() {
    if (!(NcclLibrary.find() instanceof NcclLibrary.Found(NcclLibrary library))) {
      throw new IllegalStateException("NCCL is not there");
    }
    return library;
  }

  // A wrong signature would crash the JVM: the tests' fake checks each one.
  @SuppressWarnings("restricted")
  private static MethodHandle link(String name, FunctionDescriptor signature) {
    NcclLibrary library = library();
    MemorySegment function =
        library
            .exports()
            .find(name)
            .orElseThrow(() -> new IllegalStateException(library.path() + " exports no " + name));
    return Linker.nativeLinker().downcallHandle(function, signature);
  }

  private static RuntimeException unexpected(Throwable thrown) {
    switch (thrown) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(thrown);
    }
  }

  static int getUniqueId(MemorySegment id) {
    try {
      return (int) GET_UNIQUE_ID.invokeExact(id);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int init(MemorySegment comm, int ranks, MemorySegment id, int rank, MemorySegment config) {
    try {
      return (int) INIT.invokeExact(comm, ranks, id, rank, config);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** {@return whether the library can split a communicator} */
  static boolean canSplit() {
    return SPLIT != null;
  }

  static int split(long comm, int color, int key, MemorySegment split, MemorySegment config) {
    try {
      return (int) Objects.requireNonNull(SPLIT).invokeExact(comm, color, key, split, config);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int asyncError(long comm, MemorySegment result) {
    try {
      return (int) ASYNC_ERROR.invokeExact(comm, result);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int abort(long comm) {
    try {
      return (int) ABORT.invokeExact(comm);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int finish(long comm) {
    try {
      return (int) FINALIZE.invokeExact(comm);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int destroy(long comm) {
    try {
      return (int) DESTROY.invokeExact(comm);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int groupStart() {
    try {
      return (int) GROUP_START.invokeExact();
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int groupEnd() {
    try {
      return (int) GROUP_END.invokeExact();
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int allReduce(
      long from, long to, long count, int type, int reduction, long comm, long stream) {
    try {
      return (int) ALL_REDUCE.invokeExact(from, to, count, type, reduction, comm, stream);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int reduceScatter(
      long from, long to, long count, int type, int reduction, long comm, long stream) {
    try {
      return (int) REDUCE_SCATTER.invokeExact(from, to, count, type, reduction, comm, stream);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int broadcast(long from, long to, long count, int type, int root, long comm, long stream) {
    try {
      return (int) BROADCAST.invokeExact(from, to, count, type, root, comm, stream);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int allGather(long from, long to, long count, int type, long comm, long stream) {
    try {
      return (int) ALL_GATHER.invokeExact(from, to, count, type, comm, stream);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int send(long from, long count, int type, int peer, long comm, long stream) {
    try {
      return (int) SEND.invokeExact(from, count, type, peer, comm, stream);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int receive(long to, long count, int type, int peer, long comm, long stream) {
    try {
      return (int) RECV.invokeExact(to, count, type, peer, comm, stream);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int allToAll(long from, long to, long count, int type, long comm, long stream) {
    try {
      return (int)
          Objects.requireNonNull(ALL_TO_ALL).invokeExact(from, to, count, type, comm, stream);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** {@return whether the library has windows, and copy engines for them} */
  static boolean hasWindows() {
    return library().version() >= COPY_ENGINES
        && ALL_TO_ALL != null
        && MEM_ALLOC != null
        && MEM_FREE != null
        && REGISTER != null
        && DEREGISTER != null;
  }

  static int allocate(MemorySegment address, long bytes) {
    try {
      return (int) Objects.requireNonNull(MEM_ALLOC).invokeExact(address, bytes);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int free(long address) {
    try {
      return (int) Objects.requireNonNull(MEM_FREE).invokeExact(address);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int register(long comm, long address, long bytes, MemorySegment window, int flags) {
    try {
      return (int)
          Objects.requireNonNull(REGISTER).invokeExact(comm, address, bytes, window, flags);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int deregister(long comm, long window) {
    try {
      return (int) Objects.requireNonNull(DEREGISTER).invokeExact(comm, window);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** {@return the name of a result, and what the library last said about it} */
  static String describe(int result, long comm) {
    try {
      String name = text((long) ERROR_STRING.invokeExact(result));
      String last = text((long) LAST_ERROR.invokeExact(comm));
      return last.isBlank() ? name : name + " (" + last.strip() + ")";
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  // The library returns constants, and text that it keeps.
  @SuppressWarnings("restricted")
  private static String text(long address) {
    return address == 0
        ? ""
        : MemorySegment.ofAddress(address).reinterpret(Long.MAX_VALUE).getString(0);
  }
}
