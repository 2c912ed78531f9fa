package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.fault.KernelRefusedException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every static method of the JDK's classes of numbers that takes and returns numbers: a kernel has
 * it, and computes what the JVM computes, or it is one of the few that no kernel has.
 */
class EveryMethodOfTheJdkTest {
  private static final List<Class<?>> OWNERS =
      List.of(
          Math.class,
          StrictMath.class,
          Integer.class,
          Long.class,
          Short.class,
          Byte.class,
          Character.class,
          Boolean.class,
          Float.class,
          Double.class);

  /** Those that throw, have a state, gather bits, and what Unicode says about characters. */
  private static boolean isForNoKernel(Method method) {
    String name = method.getName();
    return name.endsWith("Exact")
        || name.equals("random")
        || name.equals("compress")
        || name.equals("expand")
        || (method.getDeclaringClass() == Character.class
            && !Set.of("compare", "reverseBytes", "hashCode").contains(name));
  }

  /** Those whose result may differ from the JVM's in the last place; tested elsewhere. */
  private static final Set<String> ROUNDED =
      Set.of(
          "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp",
          "expm1", "log", "log10", "log1p", "pow", "cbrt", "hypot");

  private static final long[] EDGES = {
    0,
    1,
    -1,
    2,
    -2,
    3,
    31,
    32,
    63,
    64,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xd800,
    0xdbff,
    0xdc00,
    0xdfff,
    0xffff,
    0x10000,
    0x10ffff,
    0x110000,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    Integer.MIN_VALUE + 1,
    0xffffffffL,
    1L << 32,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Long.MIN_VALUE + 1
  };
  private static final double[] NUMBERS = {
    0.0,
    -0.0,
    0.5,
    -0.5,
    1.0,
    -1.0,
    1.5,
    -2.5,
    3.0e9,
    -3.0e18,
    Float.MIN_VALUE,
    Float.MIN_NORMAL,
    Float.MAX_VALUE,
    Double.MIN_VALUE,
    Double.MIN_NORMAL,
    Double.MAX_VALUE,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.NaN
  };
  private static final String OWNER = "Called";
  private static final ClassDesc BLOCK = ClassDesc.of("dev.stretto.kernel.ThreadBlock");
  private static final ClassDesc LONGS = ClassDesc.of("dev.stretto.memory.GlobalLongs");

  static Stream<Method> methods() {
    return OWNERS.stream()
        .flatMap(owner -> Arrays.stream(owner.getDeclaredMethods()))
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(method -> Modifier.isStatic(method.getModifiers()))
        .filter(method -> method.getReturnType().isPrimitive())
        .filter(method -> method.getReturnType() != void.class)
        .filter(method -> Arrays.stream(method.getParameterTypes()).allMatch(Class::isPrimitive));
  }

  static Stream<Method> ofKernels() {
    return methods().filter(method -> !isForNoKernel(method));
  }

  @ParameterizedTest
  @MethodSource("ofKernels")
  void aKernelComputesWhatTheJvmComputes(Method method) throws IllegalAccessException {
    dev.stretto.compiler.ir.Function[] last = new dev.stretto.compiler.ir.Function[1];
    KernelCompiler.compile(
        source(method, false), new KernelTarget(80), (_, function) -> last[0] = function);
    if (ROUNDED.contains(method.getName())) {
      return;
    }
    Interpreter kernel = Interpreter.of(Objects.requireNonNull(last[0]));
    for (Object[] arguments : arguments(method)) {
      Long expected = expected(method, arguments);
      if (expected != null) {
        assertThat(computed(kernel, arguments))
            .as("%s of %s", method, Arrays.toString(arguments))
            .isEqualTo(expected);
      }
    }
  }

  /** Where the JVM throws an exception, a kernel that is checked reports it. */
  @ParameterizedTest
  @MethodSource("ofKernels")
  void aCheckedKernelReportsADivisionByZero(Method method) throws IllegalAccessException {
    List<Object[]> failing = new ArrayList<>();
    for (Object[] arguments : arguments(method)) {
      if (expected(method, arguments) == null) {
        failing.add(arguments);
      }
    }
    if (failing.isEmpty() || method.getName().equals("clamp")) {
      return; // clamp throws if the least is more than the most
    }
    dev.stretto.compiler.ir.Function[] last = new dev.stretto.compiler.ir.Function[1];
    KernelCompiler.compile(
        source(method, true), new KernelTarget(80), (_, function) -> last[0] = function);
    Interpreter kernel = Interpreter.of(Objects.requireNonNull(last[0]));
    for (Object[] arguments : failing) {
      assertThat(reports(kernel, arguments))
          .as("%s of %s", method, Arrays.toString(arguments))
          .isTrue();
    }
  }

  @Test
  void thoseThatNoKernelHasAreRefusedWithTheWayOut() {
    Set<String> taken = new TreeSet<>();
    methods()
        .filter(EveryMethodOfTheJdkTest::isForNoKernel)
        .forEach(
            method -> {
              try {
                KernelCompiler.compile(source(method, false), new KernelTarget(80));
                taken.add(method.toString());
              } catch (KernelRefusedException e) {
                assertThat(e).hasMessageContaining(method.getName());
              }
            });
    assertThat(taken).isEmpty();
  }

  @Test
  void theAssemblerTakesAll(@TempDir Path folder) throws Exception {
    Optional<Ptxas> assembler = Ptxas.find();
    if (assembler.isEmpty()) {
      return;
    }
    List<String> texts =
        ofKernels()
            .map(
                method ->
                    KernelCompiler.compile(source(method, false), new KernelTarget(80))
                        .ptx()
                        .text())
            .toList();
    assertThat(assembler.get().complaints(Ptxas.together(texts), "sm_80", folder)).isEmpty();
  }

  private static boolean reports(Interpreter kernel, Object[] arguments) {
    try {
      var _ = computed(kernel, arguments);
      return false;
    } catch (InterpretedThread.Trapped _) {
      return true;
    }
  }

  private static long computed(Interpreter kernel, Object[] arguments) {
    long[] out = new long[1];
    DeviceMemory memory = new DeviceMemory();
    List<Object> all = new ArrayList<>();
    for (Object argument : arguments) {
      all.add(
          switch (argument) {
            case Boolean it -> it ? 1 : 0;
            case Character it -> (int) it;
            default -> argument;
          });
    }
    all.add(memory.array(MemorySegment.ofArray(out), 8));
    kernel.run(
        new Interpreter.Shape(new int[] {1, 1, 1}, new int[] {1, 1, 1}, 0), memory, all.toArray());
    return out[0];
  }

  /** What the JVM computes, as the kernel writes it; null if it throws. */
  private static @Nullable Long expected(Method method, Object[] arguments)
      throws IllegalAccessException {
    try {
      return switch (method.invoke(null, arguments)) {
        case Boolean it -> it ? 1L : 0L;
        case Character it -> (long) it;
        case Float it -> (long) Float.floatToIntBits(it);
        case Double it -> Double.doubleToLongBits(it);
        case Object it -> ((Number) it).longValue();
      };
    } catch (InvocationTargetException e) {
      assertThat(e.getCause())
          .isInstanceOfAny(ArithmeticException.class, IllegalArgumentException.class);
      return null;
    }
  }

  private static List<Object[]> arguments(Method method) {
    SplittableRandom random = new SplittableRandom(method.toString().hashCode());
    Class<?>[] types = method.getParameterTypes();
    List<Object[]> all = new ArrayList<>();
    if (types.length == 1) {
      values(types[0]).forEach(value -> all.add(new Object[] {value}));
    } else if (types.length == 2) {
      for (Object a : values(types[0])) {
        values(types[1]).forEach(b -> all.add(new Object[] {a, b}));
      }
    }
    for (int i = 0; i < 200; i++) {
      Object[] some = new Object[types.length];
      for (int k = 0; k < some.length; k++) {
        List<Object> edges = values(types[k]);
        some[k] =
            random.nextInt(3) == 0
                ? edges.get(random.nextInt(edges.size()))
                : number(types[k], random.nextLong() >> random.nextInt(64));
      }
      all.add(some);
    }
    return all;
  }

  private static List<Object> values(Class<?> type) {
    return type == float.class || type == double.class
        ? Arrays.stream(NUMBERS)
            .mapToObj(it -> type == float.class ? (Object) (float) it : (Object) it)
            .toList()
        : Arrays.stream(EDGES).mapToObj(it -> number(type, it)).distinct().toList();
  }

  private static Object number(Class<?> type, long bits) {
    return switch (type.getName()) {
      case "boolean" -> (bits & 1) != 0;
      case "byte" -> (byte) bits;
      case "short" -> (short) bits;
      case "char" -> (char) bits;
      case "int" -> (int) bits;
      case "long" -> bits;
      case "float" -> Float.intBitsToFloat((int) bits);
      default -> Double.longBitsToDouble(bits);
    };
  }

  /** A kernel that calls the method and writes its result. */
  private static KernelSource source(Method method, boolean checked) {
    List<ClassDesc> types = new ArrayList<>(List.of(BLOCK));
    for (Class<?> type : method.getParameterTypes()) {
      types.add(desc(type == boolean.class || type == char.class ? int.class : type));
    }
    types.add(LONGS);
    MethodTypeDesc kernel = MethodTypeDesc.of(ConstantDescs.CD_void, types);
    byte[] file =
        ClassFile.of()
            .build(
                ClassDesc.of(OWNER),
                type ->
                    type.withMethodBody(
                        "kernel",
                        kernel,
                        ClassFile.ACC_STATIC | ClassFile.ACC_PUBLIC,
                        code -> body(code, method)));
    return new KernelSource(
        new GeneratedClasses(Map.of(OWNER, file)),
        OWNER,
        "kernel",
        kernel.descriptorString(),
        Map.of(),
        checked);
  }

  private static void body(CodeBuilder code, Method method) {
    int slots = 1;
    for (Class<?> type : method.getParameterTypes()) {
      slots += TypeKind.from(type).slotSize();
    }
    code.aload(slots).lconst_0();
    int at = 1;
    for (Class<?> type : method.getParameterTypes()) {
      TypeKind kind = TypeKind.from(type);
      code.loadLocal(kind.asLoadable(), at);
      if (type == char.class) {
        code.i2c();
      }
      at += kind.slotSize();
    }
    code.invokestatic(
        desc(method.getDeclaringClass()),
        method.getName(),
        MethodType.methodType(method.getReturnType(), method.getParameterTypes())
            .describeConstable()
            .orElseThrow());
    switch (method.getReturnType().getName()) {
      case "long" -> {}
      case "float" ->
          code.invokestatic(
                  desc(Float.class),
                  "floatToIntBits",
                  MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_float))
              .i2l();
      case "double" ->
          code.invokestatic(
              desc(Double.class),
              "doubleToLongBits",
              MethodTypeDesc.of(ConstantDescs.CD_long, ConstantDescs.CD_double));
      default -> code.i2l();
    }
    code.invokevirtual(
        LONGS,
        "set",
        MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_long, ConstantDescs.CD_long));
    code.return_();
  }

  private static ClassDesc desc(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }
}
