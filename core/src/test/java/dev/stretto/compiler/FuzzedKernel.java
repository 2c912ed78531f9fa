package dev.stretto.compiler;

import dev.stretto.compiler.KernelTree.Kernel;
import dev.stretto.compiler.ir.Function;
import dev.stretto.kernel.KernelThreads;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.GlobalShorts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** A generated kernel, run by the JVM and, after each pass of the compiler, by the interpreter. */
final class FuzzedKernel {
  private static final MethodType TYPE =
      MethodType.methodType(
          void.class,
          ThreadBlock.class,
          GlobalBytes.class,
          GlobalShorts.class,
          GlobalInts.class,
          GlobalLongs.class,
          GlobalFloats.class,
          GlobalDoubles.class,
          GlobalHalfs.class,
          GlobalBfloats.class,
          GlobalInts.class,
          int.class,
          long.class,
          float.class,
          double.class);

  static final long[] T = new long[10];
  private final Kernel kernel;
  private final long seed;
  private final boolean checked;
  private final KernelArrays arrays;
  private final int anInt;
  private final long aLong;
  private final float aFloat;
  private final double aDouble;
  private final BiConsumer<String, Function> afterPass;
  private CompiledKernel compiled;

  /**
   * What went wrong.
   *
   * @param stage after which pass, or before
   * @param kind what kind of mistake it is; stays the same while a kernel shrinks
   * @param what all that is known
   */
  record Mistake(String stage, String kind, String what) {
    boolean isLike(Mistake other) {
      return stage.equals(other.stage) && kind.equals(other.kind);
    }
  }

  /** Ends a compilation in which a pass was wrong. */
  private static final class Found extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Mistake mistake;

    Found(Mistake mistake) {
      super(mistake.what, null, false, false);
      this.mistake = mistake;
    }
  }

  /** The classes of one kernel, and whatever else there is. */
  private static final class Loader extends ClassLoader {
    /** Class files that all kernels need are read once. */
    private static final Map<String, byte[]> OTHERS = new ConcurrentHashMap<>();

    private final Map<String, byte[]> files;

    Loader(Map<String, byte[]> files) {
      super(FuzzedKernel.class.getClassLoader());
      this.files = files;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      byte[] file = files.get(name);
      if (file == null) {
        throw new ClassNotFoundException(name);
      }
      return defineClass(name, file, 0, file.length);
    }

    @Override
    public InputStream getResourceAsStream(String name) {
      byte[] file = files.get(name.replace(".class", "").replace('/', '.'));
      if (file == null) {
        file = OTHERS.computeIfAbsent(name, this::read);
      }
      return new ByteArrayInputStream(file);
    }

    private byte[] read(String name) {
      try (InputStream in = getParent().getResourceAsStream(name)) {
        return in.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * Prepares a run.
   *
   * @param seed of the numbers in the arrays
   * @param afterPass may change the graph after a pass, before it is interpreted
   */
  FuzzedKernel(
      Kernel kernel, long seed, boolean checked, BiConsumer<String, Function> afterPass) {
    this.kernel = kernel;
    this.seed = seed;
    this.checked = checked;
    this.afterPass = afterPass;
    this.arrays = new KernelArrays(kernel.threads(), seed);
    SplittableRandom random = new SplittableRandom(~seed);
    this.anInt = (Integer) KernelGenerator.Numbers.any(random, KernelTree.Kind.INT);
    this.aLong = (Long) KernelGenerator.Numbers.any(random, KernelTree.Kind.LONG);
    this.aFloat = (Float) KernelGenerator.Numbers.any(random, KernelTree.Kind.FLOAT);
    this.aDouble = (Double) KernelGenerator.Numbers.any(random, KernelTree.Kind.DOUBLE);
  }

  /** {@return what is wrong with the compiler, or with the generator} */
  Optional<Mistake> check() {
    Loader loader;
    long t0 = System.nanoTime();
    try {
      loader = new Loader(KernelClassFile.write(kernel));
      long t1 = System.nanoTime();
      T[0] += t1 - t0;
      runByJava(loader);
      T[1] += System.nanoTime() - t1;
    } catch (Throwable e) {
      return Optional.of(new Mistake("java", e.getClass().getName(), trace(e)));
    }
    arrays.expectThis();
    KernelSource source =
        new KernelSource(
            loader,
            kernel.name(),
            KernelClassFile.method(kernel),
            KernelClassFile.TYPE.descriptorString(),
            Map.of(),
            checked);
    Interpretations interpretations = new Interpretations();
    long t2 = System.nanoTime();
    try {
      compiled = KernelCompiler.compile(source, new KernelTarget(80), interpretations);
    } catch (Found e) {
      return Optional.of(e.mistake);
    } catch (RuntimeException | StackOverflowError e) {
      String kind = e.getClass().getName() + first(e);
      return Optional.of(new Mistake("after " + interpretations.last, kind, trace(e)));
    }
    T[2] += System.nanoTime() - t2;
    return Optional.empty();
  }

  /** {@return the kernel for a GPU, after a check that found nothing} */
  CompiledKernel compiled() {
    return compiled;
  }

  /** Where an exception was thrown tells mistakes apart. */
  private static String first(Throwable e) {
    return e.getStackTrace().length == 0 ? "" : " at " + e.getStackTrace()[0];
  }

  private static String trace(Throwable e) {
    StringBuilder text = new StringBuilder(e.toString());
    for (int i = 0; i < Math.min(12, e.getStackTrace().length); i++) {
      text.append("\n    at ").append(e.getStackTrace()[i]);
    }
    if (e.getCause() != null) {
      text.append("\n  because of ").append(trace(e.getCause()));
    }
    return text.toString();
  }

  private static int[] three(int[] two) {
    return new int[] {two[0], two[1], 1};
  }

  private void runByJava(Loader loader) throws Throwable {
    MethodHandle method =
        MethodHandles.publicLookup()
            .findStatic(loader.loadClass(kernel.name()), KernelClassFile.method(kernel), TYPE);
    GlobalArray[] given = arrays.forJava();
    GlobalBytes bytes = (GlobalBytes) given[0];
    GlobalShorts shorts = (GlobalShorts) given[1];
    GlobalInts ints = (GlobalInts) given[2];
    GlobalLongs longs = (GlobalLongs) given[3];
    GlobalFloats floats = (GlobalFloats) given[4];
    GlobalDoubles doubles = (GlobalDoubles) given[5];
    GlobalHalfs halfs = (GlobalHalfs) given[6];
    GlobalBfloats bfloats = (GlobalBfloats) given[7];
    GlobalInts counters = (GlobalInts) given[8];
    KernelThreads.Body body =
        block -> {
          method.invokeExact(
              block, bytes, shorts, ints, longs, floats, doubles, halfs, bfloats, counters, anInt,
              aLong, aFloat, aDouble);
        };
    int[] grid = three(kernel.grid());
    int[] block = three(kernel.block());
    if (KernelGenerator.threadsMeet(kernel)) {
      KernelThreads.runTogether(kernel.name(), grid, block, seed, body);
    } else {
      KernelThreads.runPlain(grid, block, body);
    }
  }

  /** Interprets the kernel whenever a pass has changed it. */
  private final class Interpretations implements BiConsumer<String, Function> {
    private final DeviceMemory memory = new DeviceMemory();
    private final Object[] arguments;
    private final Interpreter.Shape shape =
        new Interpreter.Shape(three(kernel.grid()), three(kernel.block()), 0);
    private String last = "nothing";
    private Interpreter before;

    Interpretations() {
      Object[] given = arrays.in(memory);
      arguments = java.util.Arrays.copyOf(given, given.length + 4);
      arguments[given.length] = anInt;
      arguments[given.length + 1] = aLong;
      arguments[given.length + 2] = aFloat;
      arguments[given.length + 3] = aDouble;
    }

    @Override
    public void accept(String pass, Function function) {
      last = pass;
      afterPass.accept(pass, function);
      long t0 = System.nanoTime();
      Interpreter interpreter = Interpreter.of(function);
      T[3] += System.nanoTime() - t0;
      T[6]++;
      if (before != null && before.isSame(interpreter)) {
        return;
      }
      before = interpreter;
      arrays.reset();
      T[5]++;
      long t1 = System.nanoTime();
      try {
        interpreter.run(shape, memory, arguments);
        T[4] += System.nanoTime() - t1;
      } catch (RuntimeException e) {
        throw new Found(new Mistake(pass, e.getClass().getName(), trace(e)));
      }
      arrays
          .difference()
          .ifPresent(
              difference -> {
                throw new Found(new Mistake(pass, "differs", difference));
              });
    }
  }
}
