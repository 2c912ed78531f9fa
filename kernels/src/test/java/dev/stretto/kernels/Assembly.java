package dev.stretto.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.compiler.CompiledKernel;
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
import java.util.stream.Stream;

/** What the compiler and the assembler say of kernels. */
public final class Assembly {
  private static final Pattern ENTRY = Pattern.compile("\\.entry (\\w+)\\(");
  private static final Pattern FIT =
      Pattern.compile("0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads");

  private Assembly() {}

  /**
   * {@return a kernel for a target}
   *
   * @param owner its class
   * @param name its method
   * @param values those of the parameters that are compiled in
   */
  public static InspectedKernel inspect(
      Class<?> owner, String name, KernelTarget target, Object... values) {
    return KernelCompiler.inspect(source(owner, name, values), target, (_, _) -> {});
  }

  /**
   * {@return a kernel that is not looked at for mistakes about copies} That takes longer than to
   * compile it, and kernels that differ by a constant have the same ones.
   *
   * @param owner its class
   * @param name its method
   * @param values those of the parameters that are compiled in
   */
  public static InspectedKernel compile(
      Class<?> owner, String name, KernelTarget target, Object... values) {
    CompiledKernel kernel = KernelCompiler.compile(source(owner, name, values), target);
    return new InspectedKernel(kernel, List.of(), List.of(), 0);
  }

  private static KernelSource source(Class<?> owner, String name, Object... values) {
    Method method =
        Arrays.stream(owner.getDeclaredMethods())
            .filter(it -> it.getName().equals(name) && it.isAnnotationPresent(Kernel.class))
            .findFirst()
            .orElseThrow();
    Map<Integer, Object> constants = new HashMap<>();
    Parameter[] parameters = method.getParameters();
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i].isAnnotationPresent(Const.class)) {
        constants.put(i, values[constants.size()]);
      }
    }
    return new KernelSource(
        owner.getClassLoader(),
        owner.getName().replace('.', '/'),
        name,
        MethodType.methodType(method.getReturnType(), method.getParameterTypes())
            .toMethodDescriptorString(),
        constants,
        false);
  }

  /**
   * Checks that all of a thread's numbers are in registers, that products of warp groups are
   * asynchronous, and that the compiler has nothing to say of copies.
   */
  public static void areFit(List<InspectedKernel> kernels, String architecture, Path folder)
      throws IOException, InterruptedException {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < kernels.size(); i++) {
      assertThat(kernels.get(i).lints()).isEmpty();
      String text = kernels.get(i).kernel().ptx().text();
      text = ENTRY.matcher(text).replaceFirst(".entry kernel" + i + "(");
      text = text.replaceAll("\\b(\\w+_text\\d+)\\b", "$1_" + i);
      all.append(i == 0 ? text : text.replaceFirst("(?s)^.*?\\.address_size 64\\n", ""));
    }
    String log = assemble(shared(all.toString()), architecture, folder);
    assertThat(log).doesNotContain("(C7").doesNotContain("warning").doesNotContain("error");
    assertThat(FIT.matcher(log).results().count()).as(log).isEqualTo(kernels.size());
  }

  /** {@return the text with one declaration of the shared memory that all kernels have} */
  private static String shared(String text) {
    String declaration = ".extern .shared .align 1024 .b8 dynamicShared[];\n";
    int first = text.indexOf(declaration);
    return first < 0
        ? text
        : text.substring(0, first + declaration.length())
            + text.substring(first + declaration.length()).replace(declaration, "");
  }

  private static String assemble(String text, String architecture, Path folder)
      throws IOException, InterruptedException {
    Optional<Path> ptxas =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
            .filter(place -> !place.isEmpty())
            .map(place -> Path.of(place, "ptxas"))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(ptxas.isPresent(), "there is no ptxas on the PATH");
    Path source = folder.resolve("kernels.ptx");
    Path log = folder.resolve("log");
    Files.writeString(source, text);
    new ProcessBuilder(
            ptxas.get().toString(),
            "--verbose",
            "--gpu-name=" + architecture,
            "--output-file=" + folder.resolve("kernels.cubin"),
            source.toString())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start()
        .waitFor();
    return Files.readString(log);
  }
}
