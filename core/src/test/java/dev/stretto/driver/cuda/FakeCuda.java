package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stretto.driver.Driver;
import dev.stretto.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * The fake {@code libcuda} of {@code src/test/cuda/fakecuda.c}: compiles it, binds a driver to it,
 * scripts it, and reads what was called.
 *
 * <p>The driver is bound to its library for good when its classes are initialized. So it is loaded
 * a second time here, by a loader of its own, and a real driver in the same process goes on
 * undisturbed.
 */
final class FakeCuda {
  /** The kinds of objects that {@link #live} counts, as the fake numbers them. */
  enum Kind {
    STREAM(1),
    EVENT(2),
    POOL(3),
    MODULE(4),
    MEMORY(6),
    PINNED(7),
    REGISTERED(8),
    GRAPH(10),
    EXEC(11);

    private final int number;

    Kind(int number) {
      this.number = number;
    }
  }

  private static final int LOG_BYTES = 1 << 22;
  private static final Optional<FakeCuda> INSTANCE = build().map(FakeCuda::new);

  private final Path library;
  private final SymbolLookup exports;

  /** How long devices of earlier tests may take to close. */
  private static final long MOST_NANOS = 5_000_000_000L;

  private final MethodHandle reset;
  private final MethodHandle set;
  private final MethodHandle gate;
  private final MethodHandle fail;
  private final MethodHandle failLater;
  private final MethodHandle failed;
  private final MethodHandle hide;
  private final MethodHandle takeLog;
  private final MethodHandle manage;
  private final MethodHandle setCurrent;
  private final MethodHandle current;
  private final MethodHandle depth;
  private final MethodHandle retained;
  private final MethodHandle live;
  private final Driver driver;

  private FakeCuda(Path library) {
    this.library = library;
    this.exports = SymbolLookup.libraryLookup(library, Arena.global());
    this.reset = procedure("fake_reset");
    this.set = procedure("fake_set", ADDRESS, JAVA_INT);
    this.gate = function("fake_gate");
    this.fail = procedure("fake_fail", ADDRESS, JAVA_INT, JAVA_INT);
    this.failLater = procedure("fake_fail_later", ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT);
    this.failed = function("fake_failed");
    this.hide = procedure("fake_hide", ADDRESS);
    this.takeLog = procedure("fake_take_log", ADDRESS, JAVA_LONG);
    this.manage = procedure("fake_manage", JAVA_LONG, JAVA_LONG);
    this.setCurrent = procedure("fake_set_current", JAVA_INT);
    this.current = function("fake_current");
    this.depth = function("fake_depth");
    this.retained = function("fake_retained", JAVA_INT);
    this.live = function("fake_live", JAVA_INT);
    call(reset);
    this.driver = (Driver) loadAfresh();
  }

  /**
   * {@return the fake, as if nothing had happened yet} Skips the test where there is no C compiler.
   */
  static FakeCuda reset() {
    Assumptions.assumeTrue(
        INSTANCE.isPresent(), "no C compiler, or no sources, for a fake libcuda");
    FakeCuda fake = INSTANCE.get();
    awaitClosed();
    call(fake.reset);
    return fake;
  }

  /**
   * Devices of earlier tests close in the background. If the fake forgot their handles meanwhile,
   * the next test would get the reports.
   */
  private static void awaitClosed() {
    long deadline = System.nanoTime() + MOST_NANOS;
    while (Thread.getAllStackTraces().values().stream().anyMatch(FakeCuda::closes)
        && System.nanoTime() < deadline) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static boolean closes(StackTraceElement[] stack) {
    return Arrays.stream(stack)
        .anyMatch(frame -> frame.getClassName().equals("dev.stretto.route.Closing"));
  }

  /** {@return where the C sources are} */
  static Path sources() {
    return Path.of(System.getProperty("basedir", ".")).resolve("src/test/cuda");
  }

  /**
   * Compiles with the machine's C compiler, and returns its exit status, or nothing without one.
   */
  static Optional<Integer> compile(Path log, List<String> arguments) {
    try {
      Process compiler =
          new ProcessBuilder()
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .command(Stream.concat(Stream.of("cc"), arguments.stream()).toList())
              .start();
      if (!compiler.waitFor(60, TimeUnit.SECONDS)) {
        compiler.destroyForcibly();
        throw new AssertionError("cc takes more than a minute: " + arguments);
      }
      return Optional.of(compiler.exitValue());
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Optional<Path> build() {
    Path source = sources().resolve("fakecuda.c");
    if (!Files.exists(source)) {
      return Optional.empty();
    }
    try {
      Path folder = Files.createDirectories(sources().resolve("../../../target/fakecuda"));
      // Of this process: another one may load its own just now.
      long pid = ProcessHandle.current().pid();
      Path library = folder.resolve("libfakecuda-" + pid + ".so").toAbsolutePath().normalize();
      Path log = folder.resolve("cc-" + pid + ".log");
      library.toFile().deleteOnExit();
      log.toFile().deleteOnExit();
      Optional<Integer> status =
          compile(
              log,
              List.of(
                  "-std=c11",
                  "-D_GNU_SOURCE",
                  "-Wall",
                  "-Wextra",
                  "-O1",
                  "-shared",
                  "-fPIC",
                  "-pthread",
                  source.toString(),
                  "-o",
                  library.toString()));
      if (status.isPresent() && status.get() != 0) {
        throw new AssertionError(Files.readString(log));
      }
      return status.map(_ -> library);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** {@return the file of the fake} */
  Path library() {
    return library;
  }

  /** {@return a driver that is bound to the fake} */
  Driver driver() {
    return driver;
  }

  /**
   * {@return the driver, or the reason why there is none, as a process would find it that starts
   * now}
   */
  Object loadAfresh() {
    System.setProperty(Settings.LIBCUDA.name(), library.toString());
    try {
      Class<?> afresh = new Afresh().loadClass(CudaDriver.class.getName());
      Object loading = afresh.getMethod("load").invoke(null);
      boolean ready = loading.getClass().getSimpleName().equals("Ready");
      return loading.getClass().getMethod(ready ? "driver" : "reason").invoke(loading);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("CudaDriver could not be loaded again", e);
    } finally {
      System.clearProperty(Settings.LIBCUDA.name());
    }
  }

  /** Loads the classes of the package under test again, and leaves all others to its parent. */
  private static final class Afresh extends ClassLoader {
    private static final String PREFIX = CudaDriver.class.getPackageName() + ".";

    Afresh() {
      super(CudaDriver.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(PREFIX)) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : define(name);
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      String file = name.replace('.', '/') + ".class";
      try (InputStream stream = getParent().getResourceAsStream(file)) {
        if (stream == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = stream.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  /** Sets one of the fake's knobs. */
  void set(String knob, int value) {
    withText(knob, text -> call(set, text, value));
  }

  /** {@return the gate that holds copies: 0 open, 1 closed, 2 closed with a copy waiting} */
  int gate() {
    return (int) call(gate);
  }

  /** Has the next call of a function fail. */
  void failNext(String exportedName, int code) {
    fail(exportedName, code, 1);
  }

  /** Has the next calls of a function fail. */
  void fail(String exportedName, int code, int times) {
    withText(exportedName, text -> call(fail, text, code, times));
  }

  /** Has one call of a function fail, after some that do not. */
  void failLater(String exportedName, int code, int skip) {
    withText(exportedName, text -> call(failLater, text, code, 1, skip));
  }

  /** {@return how many calls were made to fail} */
  int failed() {
    return (int) call(failed);
  }

  /** Has the driver lack a function. */
  void hide(String name) {
    withText(name, text -> call(hide, text));
  }

  /**
   * {@return what was called since the last time, each with the device of the current context (or
   * {@code -}), the exported name and some of its values}
   */
  List<String> calls() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(LOG_BYTES);
      call(takeLog, text, (long) LOG_BYTES);
      return text.getString(0).lines().toList();
    }
  }

  /** Has another library have managed memory here, which it prefers on device 0. */
  void manage(long address, long bytes) {
    call(manage, address, bytes);
  }

  /** Makes a device's context current on this thread as another library would; -1 for none. */
  void makeCurrent(int device) {
    call(setCurrent, device);
  }

  /** {@return the device whose context is current on this thread, or -1} */
  int current() {
    return (int) call(current);
  }

  /** {@return how many contexts are stacked on this thread} */
  int depth() {
    return (int) call(depth);
  }

  /** {@return how often a device's primary context is retained} */
  int retained(int device) {
    return (int) call(retained, device);
  }

  /** {@return how many objects of a kind are there} */
  int live(Kind kind) {
    return (int) call(live, kind.number);
  }

  private MethodHandle procedure(String name, MemoryLayout... parameters) {
    return Linker.nativeLinker()
        .downcallHandle(exports.find(name).orElseThrow(), FunctionDescriptor.ofVoid(parameters));
  }

  private MethodHandle function(String name, MemoryLayout... parameters) {
    return Linker.nativeLinker()
        .downcallHandle(
            exports.find(name).orElseThrow(), FunctionDescriptor.of(JAVA_INT, parameters));
  }

  private static void withText(String text, Consumer<MemorySegment> use) {
    try (Arena arena = Arena.ofConfined()) {
      use.accept(arena.allocateFrom(text));
    }
  }

  private static Object call(MethodHandle handle, Object... arguments) {
    try {
      return handle.invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
