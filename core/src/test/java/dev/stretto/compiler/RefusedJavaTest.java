package dev.stretto.compiler;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stretto.compiler.ir.Function;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Java that is no kernel is refused where it stands, with the reason and with what to write. */
class RefusedJavaTest {
  /** What every int parameter that is @Const is. */
  static final int CONSTANT = 8;

  private static final List<Class<?>> FIXTURES =
      List.of(RefusedObjects.class, RefusedCalls.class, RefusedArrays.class, RefusedCopies.class);

  /** Kernels that are refused, and their twins that are not. */
  static Stream<Method> kernels() {
    return FIXTURES.stream()
        .flatMap(
            fixture ->
                Arrays.stream(fixture.getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(Kernel.class))
                    .sorted(Comparator.comparing(Method::getName)));
  }

  @TestFactory
  Stream<DynamicTest> whatNoKernelCanDoIsRefusedWhereItStands() {
    return kernels()
        .filter(method -> method.isAnnotationPresent(Refused.class))
        .map(
            method ->
                DynamicTest.dynamicTest(
                    method.getName(),
                    () -> {
                      isRefused(method, true);
                      isRefused(method, false);
                    }));
  }

  @TestFactory
  Stream<DynamicTest> itsTwinIsCompiledCheckedAndUnchecked() {
    return kernels()
        .filter(method -> !method.isAnnotationPresent(Refused.class))
        .map(
            method ->
                DynamicTest.dynamicTest(
                    method.getName(),
                    () -> {
                      assertThatCode(() -> compile(method, true, 90)).doesNotThrowAnyException();
                      assertThatCode(() -> compile(method, false, 90)).doesNotThrowAnyException();
                    }));
  }

  private static void isRefused(Method method, boolean checked) {
    Refused expected = method.getAnnotation(Refused.class);
    KernelRefusedException refusal =
        catchThrowableOfType(
            KernelRefusedException.class, () -> compile(method, checked, expected.sm()));
    assertThat(refusal).as("the refusal of " + method.getName()).isNotNull();
    assertThat(refusal.reason()).contains(expected.reason());
    assertThat(refusal.advice()).contains(expected.advice());
    assertThat(refusal.file() + ":" + refusal.line()).isEqualTo(place(method));
  }

  private static void compile(Method method, boolean checked, int sm) {
    compile(method, checked, sm, (_, _) -> {});
  }

  static CompiledKernel compile(
      Method method, boolean checked, int sm, BiConsumer<String, Function> afterPass) {
    Map<Integer, Object> constants = new HashMap<>();
    Parameter[] parameters = method.getParameters();
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i].isAnnotationPresent(Const.class) && parameters[i].getType() == int.class) {
        constants.put(i, CONSTANT);
      }
    }
    return compile(method, checked, sm, constants, afterPass);
  }

  static CompiledKernel compile(
      Method method, boolean checked, int sm, Map<Integer, Object> constants) {
    return compile(method, checked, sm, constants, (_, _) -> {});
  }

  private static CompiledKernel compile(
      Method method,
      boolean checked,
      int sm,
      Map<Integer, Object> constants,
      BiConsumer<String, Function> afterPass) {
    return KernelCompiler.compile(
        new KernelSource(
            RefusedJavaTest.class.getClassLoader(),
            method.getDeclaringClass().getName().replace('.', '/'),
            method.getName(),
            MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .toMethodDescriptorString(),
            constants,
            checked),
        new KernelTarget(sm),
        afterPass);
  }

  /** Where the source says that a kernel is refused. */
  private static String place(Method method) {
    String file = method.getDeclaringClass().getSimpleName() + ".java";
    List<String> lines = source(file);
    Pattern name =
        Pattern.compile(
            "\\b" + method.getName() + "\\(ThreadBlock|\\b" + method.getName() + "\\($");
    int line = 0;
    while (!name.matcher(lines.get(line)).find()) {
      line++;
    }
    while (!lines.get(line).endsWith("// refused")) {
      line++;
    }
    return file + ":" + (line + 1);
  }

  private static List<String> source(String file) {
    try (InputStream source = RefusedJavaTest.class.getResourceAsStream(file)) {
      return new String(Objects.requireNonNull(source, file).readAllBytes(), UTF_8)
          .lines()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
