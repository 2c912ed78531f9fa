package dev.stretto.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.compiler.KernelCompiler;
import dev.stretto.compiler.KernelTarget;
import dev.stretto.fault.KernelRefusedException;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each kernel of the examples, for each target: the assembler takes it, or the compiler refuses it
 * with the name of what the target lacks, the capability that it needs, and an alternative.
 */
class KernelTargetsTest {
  /** Those that an ordinary build assembles for: a text for 9.0 is that of all newer ones. */
  private static final Set<String> SOME = Set.of("sm_75", "sm_90", "sm_120");

  private static final boolean ALL = Boolean.getBoolean("stretto.thorough");

  private static final Pattern ENTRY = Pattern.compile("\\.entry (\\w+)\\(");

  @TempDir Path folder;

  private static Stream<String> names() {
    return KernelTarget.names().stream().filter(name -> ALL || SOME.contains(name));
  }

  /** {@return the text of a kernel with the first numbers that it can do with} */
  private static Optional<String> text(Method kernel, KernelTarget target, Set<String> refusals) {
    for (int number : KernelLintsTest.numbers(kernel)) {
      try {
        return Optional.of(
            KernelCompiler.compile(KernelLintsTest.source(kernel, number), target).ptx().text());
      } catch (KernelRefusedException e) {
        refusals.add(e.getMessage());
      }
    }
    return Optional.empty();
  }

  @ParameterizedTest
  @MethodSource("names")
  void eachKernelAssemblesOrIsRefusedByName(String name)
      throws IOException, InterruptedException, URISyntaxException {
    KernelTarget target = KernelTarget.named(name);
    Map<String, List<String>> alike = new LinkedHashMap<>();
    for (Method kernel : KernelLintsTest.kernels()) {
      Set<String> refusals = new TreeSet<>();
      Optional<String> text = text(kernel, target, refusals);
      if (text.isEmpty()) {
        assertThat(refusals)
            .as("%s for %s", kernel, name)
            .anySatisfy(
                refusal ->
                    assertThat(refusal)
                        .containsPattern(" needs (exactly )?compute capability \\d+\\.\\d.*; \\S"));
        continue;
      }
      String all = text.get();
      String header = all.substring(0, all.indexOf(".address_size"));
      String alone = all.contains(".const ") ? "// " + alike.size() : "";
      alike.computeIfAbsent(header + alone, _ -> new ArrayList<>()).add(all);
    }
    assertThat(alike).isNotEmpty();
    for (Map.Entry<String, List<String>> texts : alike.entrySet()) {
      boolean onlyThere = texts.getKey().contains(".target sm_90a");
      assertThat(onlyThere && target.sm() != 90).as("%s takes what 9.0 alone has", name).isFalse();
      assertThat(complaints(texts.getValue(), onlyThere ? "sm_90a" : name)).as(name).isEmpty();
    }
  }

  /** What each target refuses, so that nobody loses a kernel by a mistake. */
  @Test
  void onlyWhatATargetLacksIsRefused() throws IOException, URISyntaxException {
    Map<Integer, Set<String>> refused = new TreeMap<>();
    List<Integer> newer = ALL ? List.of(100, 103, 110, 120, 121) : List.of(120);
    for (KernelTarget target : KernelTarget.all()) {
      if (!ALL && !Set.of(80, 90, 120).contains(target.sm())) {
        continue;
      }
      for (Method kernel : KernelLintsTest.kernels()) {
        if (text(kernel, target, new TreeSet<>()).isEmpty()) {
          refused
              .computeIfAbsent(target.sm(), _ -> new TreeSet<>())
              .add(kernel.getDeclaringClass().getSimpleName());
        }
      }
    }
    assertThat(refused).doesNotContainKey(90);
    for (int sm : newer) {
      assertThat(refused).doesNotContainKey(sm);
    }
    assertThat(refused).allSatisfy((_, classes) -> assertThat(classes).doesNotContain("Kernels"));
  }

  private String complaints(List<String> texts, String architecture)
      throws IOException, InterruptedException {
    Optional<Path> ptxas =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
            .filter(place -> !place.isEmpty())
            .map(place -> Path.of(place, "ptxas"))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(ptxas.isPresent(), "there is no ptxas on the PATH");
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < texts.size(); i++) {
      String text = renamed(texts.get(i), i);
      all.append(i == 0 ? text : text.replaceFirst("(?s)^.*?\\.address_size 64\\n", ""));
    }
    Path source = folder.resolve("kernels.ptx");
    Path log = folder.resolve("log");
    Files.writeString(source, all);
    int status =
        new ProcessBuilder(
                ptxas.get().toString(),
                "--gpu-name=" + architecture,
                "--output-file=" + folder.resolve("kernels.cubin"),
                source.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    return status == 0 ? "" : "refused: " + Files.readString(log);
  }

  /** Kernels of one name get numbers, and so do their texts. */
  private static String renamed(String text, int number) {
    Matcher entry = ENTRY.matcher(text);
    if (!entry.find()) {
      return text;
    }
    String name = entry.group(1);
    return text.replaceAll("\\b" + name + "(_text\\d+\\b|\\()", name + "_" + number + "$1");
  }
}
