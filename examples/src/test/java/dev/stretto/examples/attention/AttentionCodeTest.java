package dev.stretto.examples.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.compiler.InspectedKernel;
import dev.stretto.compiler.KernelCompiler;
import dev.stretto.compiler.KernelSource;
import dev.stretto.compiler.KernelTarget;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the kernels become: as many products as it takes, and nothing in local memory. */
class AttentionCodeTest {
  private static final int KEYS = 64;

  /** An ordinary build takes the causal kernels of one width, and the others of the other. */
  private static final boolean THOROUGH = Boolean.getBoolean("stretto.thorough");

  @TempDir private Path folder;

  static Stream<Arguments> kernels() {
    return Stream.of(
            Step1PlainLoads.class, Step2DoubleBuffered.class, Step3Swizzled.class, Step4Tuned.class)
        .flatMap(step -> Arrays.stream(step.getDeclaredMethods()))
        .filter(method -> method.isAnnotationPresent(Kernel.class))
        .flatMap(
            method ->
                Stream.of(64, 128)
                    .flatMap(
                        headDim ->
                            (THOROUGH ? Stream.of(false, true) : Stream.of(headDim == 64))
                                .map(
                                    causal ->
                                        Arguments.of(
                                            method.getDeclaringClass().getSimpleName(),
                                            method,
                                            headDim,
                                            causal))));
  }

  /** Both tests look at each kernel. */
  private static final Map<List<Object>, InspectedKernel> COMPILED = new HashMap<>();

  private static InspectedKernel compiled(Method kernel, int headDim, boolean causal) {
    return COMPILED.computeIfAbsent(
        List.of(kernel, headDim, causal), _ -> compile(kernel, headDim, causal));
  }

  private static InspectedKernel compile(Method kernel, int headDim, boolean causal) {
    Map<String, Object> values = Map.of("group", 4, "headDim", headDim, "causal", causal);
    Map<Integer, Object> constants = new HashMap<>();
    Parameter[] parameters = kernel.getParameters();
    List<String> names = List.of("group", "headDim", "causal");
    int next = 0;
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i].isAnnotationPresent(Const.class)) {
        constants.put(i, values.get(names.get(next++)));
      }
    }
    return KernelCompiler.inspect(
        new KernelSource(
            AttentionCodeTest.class.getClassLoader(),
            kernel.getDeclaringClass().getName().replace('.', '/'),
            kernel.getName(),
            MethodType.methodType(kernel.getReturnType(), kernel.getParameterTypes())
                .toMethodDescriptorString(),
            constants,
            false),
        new KernelTarget(90),
        (_, _) -> {});
  }

  @ParameterizedTest(name = "{0} {2} {3}")
  @MethodSource("kernels")
  void theCopiesAreAwaitedAndTheProductsAreAsManyAsItTakes(
      String step, Method kernel, int headDim, boolean causal) {
    InspectedKernel inspected = compiled(kernel, headDim, causal);
    String text = inspected.kernel().ptx().text();
    boolean tuned = step.equals("Step4Tuned");

    assertThat(inspected.lints()).isEmpty();
    // Of 16 rows: scores of 8 keys by 16 numbers, results of 8 numbers by 16 keys.
    int products = KEYS / 8 * (headDim / 16) + headDim / 8 * (KEYS / 16);
    // The tuned one has 32 rows a warp, and a loop with a mask and one without.
    assertThat(count(text, "mma.sync")).isEqualTo(tuned ? 4 * products : products);
    int left = headDim / 16;
    int right = KEYS / 16 * (headDim / 16) * 2;
    int loads =
        switch (step) {
          case "Step3Swizzled" -> left + right;
          // Queries of 64 numbers are loaded once.
          case "Step4Tuned" -> (headDim == 64 ? 2 * left : 4 * left) + 2 * right;
          default -> 0;
        };
    assertThat(count(text, "ldmatrix")).isEqualTo(loads);
    assertThat(count(text, "div.s32") + count(text, "rem.s32")).isZero();
  }

  @ParameterizedTest(name = "{0} {2} {3}")
  @MethodSource("kernels")
  void nothingIsSpilledAndThereIsNoStack(String step, Method kernel, int headDim, boolean causal)
      throws Exception {
    Optional<Path> ptxas = onThePath("ptxas");
    assumeTrue(ptxas.isPresent(), "no ptxas on the path");
    Path source = folder.resolve("kernel.ptx");
    Files.writeString(source, compiled(kernel, headDim, causal).kernel().ptx().text());

    String said = run(ptxas.orElseThrow(), source);

    assertThat(said)
        .as("%s of %s", kernel.getName(), step)
        .contains("0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads")
        .doesNotContain("warning");
  }

  private static int count(String text, String word) {
    return text.split(word, -1).length - 1;
  }

  private static Optional<Path> onThePath(String program) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private String run(Path ptxas, Path source) throws IOException, InterruptedException {
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(
                ptxas.toString(),
                "-v",
                "-arch=sm_90",
                "-o",
                folder.resolve("cubin").toString(),
                source.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(process.waitFor()).isZero();
    return Files.readString(log);
  }
}
