package dev.stretto.examples.hopper;

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
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the assembler says of the kernels: all of a thread's numbers are in registers, and products
 * are asynchronous; and what the compiler says of their copies, which is nothing.
 */
class AssembledKernelsTest {
  private static InspectedKernel inspect(Class<?> owner, String name, List<Integer> values) {
    Method method =
        Arrays.stream(owner.getDeclaredMethods())
            .filter(it -> it.getName().equals(name) && it.isAnnotationPresent(Kernel.class))
            .findFirst()
            .orElseThrow();
    Map<Integer, Object> constants = new HashMap<>();
    Parameter[] parameters = method.getParameters();
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i].isAnnotationPresent(Const.class)) {
        constants.put(i, values.get(constants.size()));
      }
    }
    return KernelCompiler.inspect(
        new KernelSource(
            owner.getClassLoader(),
            owner.getName().replace('.', '/'),
            name,
            MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .toMethodDescriptorString(),
            constants,
            false),
        new KernelTarget(90),
        (_, _) -> {});
  }

  private static Optional<Path> assembler() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Pattern.compile(Pattern.quote(File.pathSeparator))
        .splitAsStream(path)
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, "ptxas"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static void isFit(InspectedKernel kernel, Path folder)
      throws IOException, InterruptedException {
    assertThat(kernel.lints()).isEmpty();
    Optional<Path> ptxas = assembler();
    assumeTrue(ptxas.isPresent(), "there is no ptxas on the PATH");
    Path source = folder.resolve("kernel.ptx");
    Path log = folder.resolve("log");
    Files.writeString(source, kernel.kernel().ptx().text());
    new ProcessBuilder(
            ptxas.get().toString(),
            "--verbose",
            "--gpu-name=sm_90a",
            "--output-file=" + folder.resolve("kernel.cubin"),
            source.toString())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start()
        .waitFor();
    assertThat(Files.readString(log))
        .contains("0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads")
        .contains("Used ")
        .doesNotContain("(C7")
        .doesNotContain("warning")
        .doesNotContain("error");
  }

  @ParameterizedTest
  @CsvSource({
    "of128, 128, 2",
    "of128, 128, 6",
    "of128, 128, 3",
    "of128, 128, 7",
    "of128, 128, 4",
    "of64, 128, 2",
    "of64, 128, 6",
    "of64, 128, 7",
    "of64, 128, 1"
  })
  void attentionHasNoStackAndIsAsynchronous(
      String name, int keysOfBlock, int variant, @TempDir Path folder)
      throws IOException, InterruptedException {
    isFit(inspect(Attention.class, name, List.of(keysOfBlock, variant)), folder);
  }
}
