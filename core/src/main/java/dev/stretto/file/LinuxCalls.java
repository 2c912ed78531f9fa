package dev.stretto.file;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.NoSuchElementException;
import java.util.Optional;

/** The calls on Linux, for processors of 64 bits. */
@SuppressWarnings("restricted")
final class LinuxCalls implements FileCalls {
  private static final int READ_WRITE = 2;
  private static final int CLOSE_ON_EXEC = 0x80000;
  private static final int DIRECT = isArm() ? 0x10000 : 0x4000;

  private static final int HUGE_PAGE = 14;
  private static final long LARGE = 2 << 20;

  // To ask about pages: the kernel's pm_scan_arg, of twelve numbers, and one page_region.
  private static final int SCAN = 0xC0606610;
  private static final long SCAN_BYTES = 96;
  private static final long REGION_BYTES = 24;
  private static final long IS_HUGE = 1 << 6;

  private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERROR =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  /** What a thread passes to calls. */
  private record Scratch(MemorySegment error) {
    static final ThreadLocal<Scratch> OF_THREAD =
        ThreadLocal.withInitial(() -> new Scratch(Arena.ofAuto().allocate(STATE)));

    int failed() {
      return -(int) ERROR.get(error, 0L);
    }
  }

  private final MethodHandle open = call("open", JAVA_INT, 0, ADDRESS, JAVA_INT);
  private final MethodHandle close = call("close", JAVA_INT, 0, JAVA_INT);
  private final MethodHandle pread =
      call("pread64", JAVA_LONG, 0, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private final MethodHandle fallocate =
      call("fallocate64", JAVA_INT, 0, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
  private final MethodHandle madvise = call("madvise", JAVA_INT, 0, JAVA_LONG, JAVA_LONG, JAVA_INT);
  private final MethodHandle mincore =
      call("mincore", JAVA_INT, 0, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private final MethodHandle ioctl = call("ioctl", JAVA_INT, 2, JAVA_INT, JAVA_LONG, ADDRESS);
  private final MethodHandle strerror =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().find("strerror").orElseThrow(),
              FunctionDescriptor.of(ADDRESS, JAVA_INT));

  private LinuxCalls() {}

  /** {@return the calls, if this system has all of them} */
  static Optional<FileCalls> here() {
    if (!"Linux".equals(System.getProperty("os.name")) || ADDRESS.byteSize() != Long.BYTES) {
      return Optional.empty();
    }
    try {
      return Optional.of(new LinuxCalls());
    } catch (NoSuchElementException | UnsupportedOperationException | IllegalCallerException e) {
      return Optional.empty(); // another C library, a JVM without it, or native access is denied
    }
  }

  private static boolean isArm() {
    return "aarch64".equals(System.getProperty("os.arch"));
  }

  /**
   * @param fixed how many parameters come before those of a variable number; 0 if there are none
   */
  private static MethodHandle call(
      String name, MemoryLayout result, int fixed, MemoryLayout... parameters) {
    Linker linker = Linker.nativeLinker();
    MemorySegment function = linker.defaultLookup().find(name).orElseThrow();
    FunctionDescriptor type = FunctionDescriptor.of(result, parameters);
    Linker.Option error = Linker.Option.captureCallState("errno");
    return fixed == 0
        ? linker.downcallHandle(function, type, error)
        : linker.downcallHandle(function, type, error, Linker.Option.firstVariadicArg(fixed));
  }

  @Override
  public int openPast(String path) {
    return open(path, CLOSE_ON_EXEC | DIRECT);
  }

  @Override
  public int openToRead(String path) {
    return open(path, CLOSE_ON_EXEC);
  }

  @Override
  public int openToWrite(String path) {
    return open(path, READ_WRITE | CLOSE_ON_EXEC);
  }

  private int open(String path, int flags) {
    Scratch scratch = Scratch.OF_THREAD.get();
    try (Arena arena = Arena.ofConfined()) {
      int descriptor = (int) open.invokeExact(scratch.error, arena.allocateFrom(path), flags);
      return descriptor < 0 ? scratch.failed() : descriptor;
    } catch (Throwable e) {
      throw new AssertionError("open does not throw", e);
    }
  }

  @Override
  public int close(int descriptor) {
    Scratch scratch = Scratch.OF_THREAD.get();
    try {
      int failed = (int) close.invokeExact(scratch.error, descriptor);
      return failed < 0 ? scratch.failed() : 0;
    } catch (Throwable e) {
      throw new AssertionError("close does not throw", e);
    }
  }

  @Override
  public long readPast(int descriptor, long address, long bytes, long position) {
    Scratch scratch = Scratch.OF_THREAD.get();
    try {
      long read = (long) pread.invokeExact(scratch.error, descriptor, address, bytes, position);
      return read < 0 ? scratch.failed() : read;
    } catch (Throwable e) {
      throw new AssertionError("pread does not throw", e);
    }
  }

  @Override
  public int allocate(int descriptor, long bytes) {
    Scratch scratch = Scratch.OF_THREAD.get();
    try {
      int failed = (int) fallocate.invokeExact(scratch.error, descriptor, 0, 0L, bytes);
      return failed < 0 ? scratch.failed() : 0;
    } catch (Throwable e) {
      throw new AssertionError("fallocate does not throw", e);
    }
  }

  @Override
  public int wantLargePages(long address, long bytes) {
    Scratch scratch = Scratch.OF_THREAD.get();
    try {
      int failed = (int) madvise.invokeExact(scratch.error, address, bytes, HUGE_PAGE);
      return failed < 0 ? scratch.failed() : 0;
    } catch (Throwable e) {
      throw new AssertionError("madvise does not throw", e);
    }
  }

  @Override
  public int cached(long address, long bytes, long pages) {
    Scratch scratch = Scratch.OF_THREAD.get();
    try {
      int failed = (int) mincore.invokeExact(scratch.error, address, bytes, pages);
      return failed < 0 ? scratch.failed() : 0;
    } catch (Throwable e) {
      throw new AssertionError("mincore does not throw", e);
    }
  }

  /** The kernel answers since Linux 6.7. */
  @Override
  public int isLargePage(long address) {
    int pagemap = openToRead("/proc/self/pagemap");
    if (pagemap < 0) {
      return pagemap;
    }
    Scratch scratch = Scratch.OF_THREAD.get();
    try (Arena arena = Arena.ofConfined()) {
      long begin = address & -LARGE;
      MemorySegment region = arena.allocate(REGION_BYTES, Long.BYTES);
      MemorySegment scan = arena.allocate(SCAN_BYTES, Long.BYTES);
      long[] numbers = {
        SCAN_BYTES, 0, begin, begin + LARGE, 0, region.address(), 1, 0, 0, IS_HUGE, 0, IS_HUGE
      };
      MemorySegment.copy(numbers, 0, scan, JAVA_LONG, 0, numbers.length);
      int found =
          (int) ioctl.invokeExact(scratch.error, pagemap, Integer.toUnsignedLong(SCAN), scan);
      return found < 0 ? scratch.failed() : found;
    } catch (Throwable e) {
      throw new AssertionError("ioctl does not throw", e);
    } finally {
      int _ = close(pagemap);
    }
  }

  @Override
  public String name(int error) {
    try {
      MemorySegment name = (MemorySegment) strerror.invokeExact(error);
      return name.reinterpret(1 << 10).getString(0);
    } catch (Throwable e) {
      throw new AssertionError("strerror does not throw", e);
    }
  }
}
