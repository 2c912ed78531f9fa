package dev.stretto.examples;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalFloats;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/**
 * Another CUDA library on one of our streams: cuBLAS multiplies two matrices between our copies,
 * and the host awaits only the last copy. Needs a GPU and cuBLAS, and prints a line if one is
 * missing. The second argument is the path of cuBLAS, for systems where the dynamic linker does not
 * find it.
 */
final class Example21CuBlas {
  private static final int N = 512;
  private static final List<String> NAMES = List.of("libcublas.so.13", "libcublas.so.12");
  private static final int NOT_TRANSPOSED = 0;

  private Example21CuBlas() {}

  public static void main(String... arguments) {
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0])) {
      if (!device.name().equals("cuda:0")) {
        System.out.println("cuBLAS runs on GPUs, here on cuda:0, and this is " + device.name());
        return;
      }
      List<String> names = arguments.length > 1 ? List.of(arguments[1]) : NAMES;
      Optional<SymbolLookup> library =
          names.stream().map(Example21CuBlas::find).flatMap(Optional::stream).findFirst();
      if (library.isEmpty()) {
        System.out.println("there is no cuBLAS here: " + String.join(", ", names) + " not found");
        return;
      }
      multiply(device, new Blas(library.get()));
    }
  }

  @SuppressWarnings("restricted") // the library is NVIDIA's
  private static Optional<SymbolLookup> find(String name) {
    try {
      return Optional.of(SymbolLookup.libraryLookup(name, Arena.global()));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static void multiply(Device device, Blas blas) {
    float[] a = new float[N * N];
    float[] b = new float[N * N];
    float[] c = new float[N * N];
    for (int i = 0; i < N * N; i++) {
      a[i] = i % 7;
      b[i] = i % 5 - 2;
    }
    try (Stream stream = device.stream();
        Arena arena = Arena.ofShared();
        GlobalFloats x = device.allocateFloats(N * N);
        GlobalFloats y = device.allocateFloats(N * N);
        GlobalFloats z = device.allocateFloats(N * N)) {
      long handle = blas.create(arena);
      MemorySegment one = arena.allocateFrom(JAVA_FLOAT, 1);
      MemorySegment zero = arena.allocateFrom(JAVA_FLOAT, 0);
      long left = x.address();
      long right = y.address();
      long product = z.address();

      // @start region="call"
      stream.copy(a, x); // heap arrays: staged, so the stream is held back
      stream.copy(b, y);
      stream.call(
          raw -> {
            blas.setStream(handle, raw);
            // cuBLAS stores matrices by columns: the product of the transposed matrices, in reverse
            // order
            blas.multiply(handle, N, one, right, left, zero, product);
          },
          x,
          y,
          z);
      stream.copy(z, c).await();
      // @end

      blas.destroy(handle);
    }
    System.out.println("cuBLAS on a stream of " + device);
    System.out.println(wrong(a, b, c) + " of " + N * N + " elements are wrong");
  }

  /**
   * How many elements differ from the result of plain Java: all are small integers, so both are
   * exact.
   */
  private static int wrong(float[] a, float[] b, float[] c) {
    int wrong = 0;
    float[] row = new float[N];
    for (int i = 0; i < N; i++) {
      java.util.Arrays.fill(row, 0);
      for (int k = 0; k < N; k++) {
        for (int j = 0; j < N; j++) {
          row[j] += a[i * N + k] * b[k * N + j];
        }
      }
      for (int j = 0; j < N; j++) {
        wrong += row[j] == c[i * N + j] ? 0 : 1;
      }
    }
    return wrong;
  }

  /** The calls of cuBLAS that are needed here. */
  private static final class Blas {
    private final MethodHandle create;
    private final MethodHandle destroy;
    private final MethodHandle setStream;
    private final MethodHandle sgemm;

    Blas(SymbolLookup library) {
      create = bind(library, "cublasCreate_v2", ADDRESS);
      destroy = bind(library, "cublasDestroy_v2", JAVA_LONG);
      setStream = bind(library, "cublasSetStream_v2", JAVA_LONG, JAVA_LONG);
      sgemm =
          bind(
              library,
              "cublasSgemm_v2",
              JAVA_LONG, // handle
              JAVA_INT, // whether a is transposed
              JAVA_INT, // whether b is
              JAVA_INT, // m
              JAVA_INT, // n
              JAVA_INT, // k
              ADDRESS, // alpha
              JAVA_LONG, // a
              JAVA_INT,
              JAVA_LONG, // b
              JAVA_INT,
              ADDRESS, // beta
              JAVA_LONG, // c
              JAVA_INT);
    }

    @SuppressWarnings("restricted") // the signatures are those of cublas_api.h
    private static MethodHandle bind(
        SymbolLookup library, String name, MemoryLayout... parameters) {
      return Linker.nativeLinker()
          .downcallHandle(
              library.find(name).orElseThrow(), FunctionDescriptor.of(JAVA_INT, parameters));
    }

    long create(Arena arena) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      try {
        check("cublasCreate_v2", (int) create.invokeExact(out));
      } catch (Throwable e) {
        throw unexpected(e);
      }
      return out.get(JAVA_LONG, 0);
    }

    void destroy(long handle) {
      try {
        check("cublasDestroy_v2", (int) destroy.invokeExact(handle));
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    void setStream(long handle, long stream) {
      try {
        check("cublasSetStream_v2", (int) setStream.invokeExact(handle, stream));
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    /** Sets c to alpha times a times b plus beta times c. */
    void multiply(
        long handle, int n, MemorySegment alpha, long a, long b, MemorySegment beta, long c) {
      int not = NOT_TRANSPOSED;
      try {
        check(
            "cublasSgemm_v2",
            (int) sgemm.invokeExact(handle, not, not, n, n, n, alpha, a, n, b, n, beta, c, n));
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    private static void check(String call, int status) {
      if (status != 0) {
        throw new IllegalStateException(call + " failed with status " + status);
      }
    }

    private static RuntimeException unexpected(Throwable e) {
      return e instanceof RuntimeException known ? known : new IllegalStateException(e);
    }
  }
}
