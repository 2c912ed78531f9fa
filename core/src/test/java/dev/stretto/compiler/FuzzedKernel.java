package dev.stretto.compiler;

import dev.stretto.compiler.KernelTree.Kernel;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Trap;
import dev.stretto.compiler.reach.AccessKind;
import dev.stretto.compiler.reach.Reach;
import dev.stretto.compiler.reach.Reached;
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
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
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

  /** How many kernels there are to one that is also compiled for the JVM, which takes longest. */
  private static final int STEPPED = Integer.getInteger("stretto.fuzz.stepped", 8);

  private final Kernel kernel;
  private final long seed;
  private final boolean checked;
  private final KernelArrays arrays;
  private final Object[] numbers = new Object[KernelTree.PARAMETERS.size()];
  private final Map<Integer, Object> constants = new TreeMap<>();
  private Map<String, byte[]> files = Map.of();
  private GeneratedClasses loader;

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

  /**
   * Prepares a run.
   *
   * @param seed of the numbers in the arrays, and of which parameters are compiled in
   */
  FuzzedKernel(Kernel kernel, long seed, boolean checked) {
    this.kernel = kernel;
    this.seed = seed;
    this.checked = checked;
    this.arrays = new KernelArrays(kernel.threads(), seed);
    SplittableRandom random = new SplittableRandom(~seed);
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = KernelGenerator.Numbers.any(random, KernelTree.PARAMETERS.get(i).kind());
      if (random.nextInt(8) == 0) {
        constants.put(TYPE.parameterCount() - numbers.length + i, numbers[i]);
      }
    }
  }

  /** {@return what is wrong with the compiler, or with the generator} */
  Optional<Mistake> check() {
    return check((_, _) -> {});
  }

  /**
   * {@return what is wrong with the compiler, or with the generator}
   *
   * @param afterPass may change the graph after a pass, before it is interpreted
   */
  Optional<Mistake> check(BiConsumer<String, Function> afterPass) {
    Optional<Trap.Kind> thrown;
    try {
      thrown = runByJava();
    } catch (Throwable e) {
      return Optional.of(new Mistake("by Java", e.getClass().getName(), trace(e)));
    }
    arrays.expectThis();
    Optional<Mistake> inSteps =
        seed % STEPPED == 0 ? checkInSteps(thrown, OptionalLong.empty()) : Optional.empty();
    if (seed % STEPPED == 0 && inSteps.isEmpty() && KernelGenerator.threadsMeet(kernel)) {
      inSteps = checkInSteps(thrown, OptionalLong.of(seed)); // others may depend on the order
    }
    if (inSteps.isPresent()) {
      return inSteps;
    }
    Interpretations interpretations = new Interpretations(afterPass, thrown);
    try {
      CompiledKernel compiled =
          KernelCompiler.compile(source(), new KernelTarget(80), interpretations);
      interpretations.requireReach(compiled.reach());
    } catch (Found e) {
      return Optional.of(e.mistake);
    } catch (RuntimeException | StackOverflowError e) {
      String kind = e.getClass().getName() + first(e);
      return Optional.of(new Mistake("behind " + interpretations.last, kind, trace(e)));
    }
    return Optional.empty();
  }

  /** Compiles the kernel for the JVM and runs it in steps. */
  private Optional<Mistake> checkInSteps(Optional<Trap.Kind> thrown, OptionalLong order) {
    String stage = order.isPresent() ? "in steps, seeded" : "in steps";
    arrays.reset();
    List<Object> given = new ArrayList<>(Arrays.asList(arrays.forJava()));
    for (int i = 0; i < numbers.length; i++) {
      if (!constants.containsKey(TYPE.parameterCount() - numbers.length + i)) {
        given.add(numbers[i]);
      }
    }
    Optional<Trap.Kind> stopped = Optional.empty();
    try {
      boolean ran =
          KernelThreads.runInSteps(
              source(), three(kernel.grid()), three(kernel.block()), order, given.toArray());
      if (!ran) {
        return Optional.of(new Mistake(stage, "not compiled", "it cannot be compiled"));
      }
    } catch (Throwable e) {
      stopped = kind(e.getCause());
      if (stopped.isEmpty()) {
        return Optional.of(new Mistake(stage, e.getClass().getName() + first(e), trace(e)));
      }
    }
    // Which of two threads stops first depends on the order, as does what others have done by then.
    if (stopped.isPresent() != thrown.isPresent()) {
      String difference = "stops for " + stopped + ", where Java does for " + thrown;
      return Optional.of(new Mistake(stage, "stops", difference));
    }
    return stopped.isPresent()
        ? Optional.empty()
        : arrays.difference().map(difference -> new Mistake(stage, "differs", difference));
  }

  private static Optional<Trap.Kind> kind(Throwable thrown) {
    return switch (thrown) {
      case ArithmeticException _ -> Optional.of(Trap.Kind.DIVISION);
      case IndexOutOfBoundsException _ -> Optional.of(Trap.Kind.INDEX);
      case null, default -> Optional.empty();
    };
  }

  /** {@return what Java left in the arrays, as text, after a check} */
  List<String> leftBehind() {
    return arrays.expected();
  }

  /** {@return the kernel for a GPU} */
  CompiledKernel compile(KernelTarget target) {
    return KernelCompiler.compile(source(), target);
  }

  /** Has it take class files that somebody else has made of the kernel. */
  void files(Map<String, byte[]> made) {
    files = made;
  }

  private GeneratedClasses loader() {
    if (loader == null) {
      loader = new GeneratedClasses(files.isEmpty() ? KernelClassFile.write(kernel) : files);
    }
    return loader;
  }

  private KernelSource source() {
    return new KernelSource(
        loader(),
        kernel.name(),
        KernelClassFile.method(kernel),
        KernelClassFile.TYPE.descriptorString(),
        constants,
        checked);
  }

  /** How it is launched. */
  @Override
  public String toString() {
    return (checked ? "checked" : "unchecked")
        + ", with "
        + Arrays.toString(numbers)
        + (constants.isEmpty() ? "" : ", of which constant by their number: " + constants);
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

  /** Why it stopped before its end, if it did. */
  private Optional<Trap.Kind> runByJava() throws Throwable {
    MethodHandle method =
        MethodHandles.publicLookup()
            .findStatic(loader().loadClass(kernel.name()), KernelClassFile.method(kernel), TYPE);
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
    int anInt = (Integer) numbers[0];
    long aLong = (Long) numbers[1];
    float aFloat = (Float) numbers[2];
    double aDouble = (Double) numbers[3];
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
      return Optional.empty();
    }
    try {
      KernelThreads.runPlain(grid, block, body);
      return Optional.empty();
    } catch (ArithmeticException _) {
      return Optional.of(Trap.Kind.DIVISION);
    } catch (IndexOutOfBoundsException _) {
      return Optional.of(Trap.Kind.INDEX);
    }
  }

  /** Interprets the kernel whenever a pass has changed it. */
  private final class Interpretations implements BiConsumer<String, Function> {
    private final DeviceMemory memory = new DeviceMemory();
    private final Object[] arguments;
    private final Interpreter.Shape shape =
        new Interpreter.Shape(three(kernel.grid()), three(kernel.block()), 0);
    private final BiConsumer<String, Function> afterPass;
    private final Optional<Trap.Kind> thrown;
    private String last = "nothing";
    private Interpreter before;

    Interpretations(BiConsumer<String, Function> afterPass, Optional<Trap.Kind> thrown) {
      this.afterPass = afterPass;
      this.thrown = thrown;
      List<Object> given = new ArrayList<>(Arrays.asList(arrays.in(memory)));
      for (int i = 0; i < numbers.length; i++) {
        if (!constants.containsKey(TYPE.parameterCount() - numbers.length + i)) {
          given.add(numbers[i]);
        }
      }
      arguments = given.toArray();
    }

    /** Whatever the last graph has accessed is said to be accessed. */
    void requireReach(Reach reach) {
      List<Reached> all = reach.at(new LaunchedNumbers(arguments, shape));
      for (int i = 0; i < arguments.length; i++) {
        if (arguments[i] instanceof DeviceMemory.Array) {
          requireCovered(
              all, i, memory.read(i), "reads", EnumSet.complementOf(EnumSet.of(AccessKind.WRITE)));
          requireCovered(
              all, i, memory.written(i), "writes", EnumSet.of(AccessKind.WRITE, AccessKind.ATOMIC));
        }
      }
    }

    private void requireCovered(
        List<Reached> all, int argument, BitSet accessed, String does, Set<AccessKind> kinds) {
      BitSet left = (BitSet) accessed.clone();
      for (Reached reached : all) {
        if (reached.argument() == argument && kinds.contains(reached.kind())) {
          LaunchedNumbers.clear(left, reached);
        }
      }
      if (!left.isEmpty()) {
        String what =
            "it " + does + " bytes " + left + " of argument " + argument + "; known are " + all;
        throw new Found(new Mistake("reach", does, what));
      }
    }

    @Override
    public void accept(String pass, Function function) {
      last = pass;
      afterPass.accept(pass, function);
      Interpreter interpreter = Interpreter.of(function);
      if (before != null && before.isSame(interpreter)) {
        return;
      }
      before = interpreter;
      arrays.reset();
      memory.forgetAccesses();
      Optional<Trap.Kind> trapped = Optional.empty();
      try {
        interpreter.run(shape, memory, arguments);
      } catch (InterpretedThread.Trapped e) {
        trapped = Optional.of(e.trap().kind());
      } catch (RuntimeException e) {
        throw new Found(new Mistake("after " + pass, e.getClass().getName(), trace(e)));
      }
      if (!trapped.equals(thrown)) {
        String difference = "stops for " + trapped + ", where Java does for " + thrown;
        throw new Found(new Mistake("after " + pass, "stops", difference));
      }
      arrays
          .difference()
          .ifPresent(
              difference -> {
                throw new Found(new Mistake("after " + pass, "differs", difference));
              });
    }
  }
}
