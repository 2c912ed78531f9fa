package dev.stretto.kernels;

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
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the assembler says of each kernel: all of a thread's numbers are in registers. */
class AssembledKernelsTest {
  private static final Pattern ENTRY = Pattern.compile("\\.entry (\\w+)\\(");

  private static final Pattern SAID =
      Pattern.compile(
          "Compiling entry function '(\\w+)'.*?(\\d+) bytes stack frame, (\\d+) bytes spill"
              + " stores, (\\d+) bytes spill loads.*?Used (\\d+) registers([^\\n]*)",
          Pattern.DOTALL);

  /** What the parameters of this name are compiled for. */
  private static final Map<String, List<Object>> NUMBERS =
      Map.of(
          "operation",
          List.of(Operation.SUM, Operation.MAX),
          "copies",
          List.of(0, 1, 32),
          "digit",
          List.of(12, 8),
          "shift",
          List.of(20),
          "order",
          List.of(KeyOrder.PLAIN, KeyOrder.FLOATING_DESCENDING),
          "comparison",
          List.of(Comparison.IS_LESS, Comparison.IS_NOT_EQUAL));

  private static final boolean THOROUGH = Boolean.getBoolean("stretto.thorough");

  @TempDir Path folder;

  /** A kernel, and the numbers that are compiled in. */
  private record Variant(Method kernel, Map<Integer, Object> constants) {
    String name() {
      return "%s.%s%s"
          .formatted(
              kernel.getDeclaringClass().getSimpleName(), kernel.getName(), constants.values());
    }

    KernelSource source(boolean checked) {
      return new KernelSource(
          AssembledKernelsTest.class.getClassLoader(),
          kernel.getDeclaringClass().getName().replace('.', '/'),
          kernel.getName(),
          MethodType.methodType(kernel.getReturnType(), kernel.getParameterTypes())
              .toMethodDescriptorString(),
          constants,
          checked);
    }
  }

  private static List<Method> kernels() throws IOException, URISyntaxException {
    Path classes =
        Path.of(Reduce.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(classes)) {
      return kernels(classes);
    }
    try (FileSystem jar = FileSystems.newFileSystem(classes)) {
      return kernels(jar.getPath("/"));
    }
  }

  private static List<Method> kernels(Path root) throws IOException {
    List<Method> kernels = new ArrayList<>();
    try (Stream<Path> files = Files.list(root.resolve("dev/stretto/kernels"))) {
      for (Path file : files.filter(it -> it.toString().endsWith(".class")).sorted().toList()) {
        String name = String.valueOf(file.getFileName()).replace(".class", "");
        Arrays.stream(load("dev.stretto.kernels." + name).getDeclaredMethods())
            .filter(method -> method.isAnnotationPresent(Kernel.class))
            .forEach(kernels::add);
      }
    }
    return kernels;
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, AssembledKernelsTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Object> values(Parameter parameter) {
    Class<?> type = parameter.getType();
    if (type == boolean.class) {
      return List.of(true, false);
    }
    return Objects.requireNonNull(NUMBERS.get(parameter.getName()), parameter.getName());
  }

  /**
   * {@return a kernel with the values of the parameters that are compiled in: each of them once, or
   * in a thorough build each with each}
   */
  private static List<Variant> variants(Method kernel) {
    List<Map<Integer, Object>> all = List.of(Map.of());
    int most = 1;
    Parameter[] parameters = kernel.getParameters();
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i].isAnnotationPresent(Const.class)) {
        List<Object> values = values(parameters[i]);
        most = Math.max(most, values.size());
        List<Map<Integer, Object>> longer = new ArrayList<>();
        for (Map<Integer, Object> before : all) {
          for (Object value : values) {
            Map<Integer, Object> one = new HashMap<>(before);
            one.put(i, value);
            longer.add(one);
          }
        }
        all = longer;
      }
    }
    List<Variant> variants = new ArrayList<>();
    // The last one has the last value of each parameter.
    int step = THOROUGH || most == 1 ? 1 : (all.size() - 1) / (most - 1);
    for (int i = 0; i < all.size(); i += step) {
      variants.add(new Variant(kernel, all.get(i)));
    }
    return variants;
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

  /** One text of all, whose kernels are named by their place: starting the assembler takes long. */
  private static String together(List<Variant> variants, KernelTarget target, boolean checked) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < variants.size(); i++) {
      InspectedKernel kernel =
          KernelCompiler.inspect(variants.get(i).source(checked), target, (_, _) -> {});
      assertThat(kernel.lints()).as(variants.get(i).name()).isEmpty();
      String text = kernel.kernel().ptx().text();
      Matcher entry = ENTRY.matcher(text);
      assertThat(entry.find()).isTrue();
      text = text.replaceFirst("\\.entry " + entry.group(1) + "\\(", ".entry kernel" + i + "(");
      all.append(i == 0 ? text : text.replaceFirst("(?s)^.*?\\.address_size 64\\n", ""));
    }
    return all.toString();
  }

  private String report(String text, String architecture) throws IOException, InterruptedException {
    Optional<Path> ptxas = assembler();
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

  @ParameterizedTest
  @CsvSource({"80, sm_80", "90, sm_90a", "100, sm_100"})
  void eachKernelAssemblesWithoutStackAndSpills(int capability, String architecture)
      throws IOException, InterruptedException, URISyntaxException {
    List<Variant> variants = kernels().stream().flatMap(it -> variants(it).stream()).toList();
    String log = report(together(variants, new KernelTarget(capability), false), architecture);
    assertThat(log).doesNotContain("error").doesNotContain("warning");
    Matcher said = SAID.matcher(log);
    int count = 0;
    while (said.find()) {
      Variant variant = variants.get(Integer.parseInt(said.group(1).replace("kernel", "")));
      if (Boolean.getBoolean("stretto.figures")) {
        System.out.println(
            architecture + " " + variant.name() + " " + said.group(5) + said.group(6));
      }
      assertThat(List.of(said.group(2), said.group(3), said.group(4)))
          .as("%s for %s: stack, spilled, reloaded", variant.name(), architecture)
          .containsOnly("0");
      count++;
    }
    assertThat(count).isEqualTo(variants.size());
  }

  @Test
  void kernelsThatCheckTheirIndicesAreAssembledToo()
      throws IOException, InterruptedException, URISyntaxException {
    List<Variant> variants = kernels().stream().flatMap(it -> variants(it).stream()).toList();
    String log = report(together(variants, new KernelTarget(90), true), "sm_90a");
    assertThat(log).doesNotContain("error").doesNotContain("fatal");
  }

  @Test
  void eachPrimitiveHasKernels() throws IOException, URISyntaxException {
    assertThat(kernels()).hasSizeGreaterThan(3);
  }
}
