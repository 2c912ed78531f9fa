package dev.stretto.examples.kmeans;

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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  @TempDir Path folder;

  private static List<KernelSource> sources(boolean isChecked) {
    List<KernelSource> sources = new ArrayList<>();
    for (Class<?> type : List.of(Assignment.class, Sums.class)) {
      for (Method method : type.getDeclaredMethods()) {
        if (method.isAnnotationPresent(Kernel.class)) {
          int last = method.getParameterCount() - 1;
          boolean isConstant = method.getParameters()[last].isAnnotationPresent(Const.class);
          for (int width : isConstant ? new int[] {4, 2, 1} : new int[] {0}) {
            sources.add(
                new KernelSource(
                    type.getClassLoader(),
                    type.getName().replace('.', '/'),
                    method.getName(),
                    MethodType.methodType(void.class, method.getParameterTypes())
                        .toMethodDescriptorString(),
                    isConstant ? Map.of(last, width) : Map.of(),
                    isChecked));
          }
        }
      }
    }
    return sources;
  }

  /** One text of all, whose kernels are named by their place: starting the assembler takes long. */
  private static String together(List<KernelSource> sources, KernelTarget target) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < sources.size(); i++) {
      InspectedKernel kernel = KernelCompiler.inspect(sources.get(i), target, (_, _) -> {});
      assertThat(kernel.lints()).as(sources.get(i).toString()).isEmpty();
      String text = kernel.kernel().ptx().text();
      Matcher entry = ENTRY.matcher(text);
      assertThat(entry.find()).isTrue();
      text = text.replaceFirst("\\.entry " + entry.group(1) + "\\(", ".entry kernel" + i + "(");
      all.append(i == 0 ? text : text.replaceFirst("(?s)^.*?\\.address_size 64\\n", ""));
    }
    return all.toString();
  }

  private String report(String text, String architecture) throws IOException, InterruptedException {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    Optional<Path> ptxas =
        Arrays.stream(path.split(File.pathSeparator, -1))
            .filter(each -> !each.isEmpty())
            .map(each -> Path.of(each, "ptxas"))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(ptxas.isPresent(), "there is no ptxas on the PATH");
    Path source = Files.writeString(folder.resolve("kernels.ptx"), text);
    Path log = folder.resolve("log");
    int _ =
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
  @CsvSource({"80, sm_80, false", "90, sm_90, false", "90, sm_90, true"})
  void eachKernelAssemblesWithoutStackAndSpills(
      int capability, String architecture, boolean isChecked)
      throws IOException, InterruptedException {
    List<KernelSource> sources = sources(isChecked);
    String log = report(together(sources, new KernelTarget(capability)), architecture);
    assertThat(log).doesNotContain("error").doesNotContain("fatal");
    Matcher said = SAID.matcher(log);
    int count = 0;
    while (said.find()) {
      if (Boolean.getBoolean("stretto.figures")) {
        KernelSource source = sources.get(Integer.parseInt(said.group(1).replace("kernel", "")));
        System.out.printf(
            "%s %s %s %s%s%n",
            architecture, source.method(), source.constants(), said.group(5), said.group(6));
      }
      if (!isChecked) {
        assertThat(List.of(said.group(2), said.group(3), said.group(4)))
            .as("%s for %s: stack, spilled, reloaded", said.group(1), architecture)
            .containsOnly("0");
      }
      count++;
    }
    assertThat(count).isEqualTo(sources.size()).isEqualTo(6);
  }
}
