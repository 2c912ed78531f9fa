package dev.stretto.kernels.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.compiler.InspectedKernel;
import dev.stretto.compiler.KernelCompiler;
import dev.stretto.compiler.KernelSource;
import dev.stretto.compiler.KernelTarget;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the assembler says of each kernel for each target: all of a thread's numbers are in
 * registers, and products of warp groups are asynchronous; and what the compiler says of their
 * copies, which is nothing.
 */
class AssembledProductTest {
  /** Those that an ordinary build assembles for: a text for 9.0 is that of all newer ones. */
  private static final Set<String> SOME = Set.of("sm_75", "sm_80", "sm_90", "sm_120");

  private static final boolean THOROUGH = Boolean.getBoolean("stretto.thorough");

  private static final Pattern ENTRY = Pattern.compile("\\.entry (\\w+)\\(");
  private static final Pattern FIT =
      Pattern.compile("0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads");

  @TempDir Path folder;

  private static Stream<String> targets() {
    return KernelTarget.names().stream().filter(name -> THOROUGH || SOME.contains(name));
  }

  /** {@return every mix of bits, or some that have each of them} */
  private static List<Integer> variants(int... bits) {
    List<Integer> all = new ArrayList<>();
    for (int mask = 0; mask < 1 << bits.length; mask++) {
      int ones = Integer.bitCount(mask);
      if (THOROUGH || ones == 0 || ones == 1 || ones == bits.length) {
        int variant = 0;
        for (int i = 0; i < bits.length; i++) {
          variant |= (mask >> i & 1) * bits[i];
        }
        all.add(variant);
      }
    }
    return all;
  }

  private static InspectedKernel inspect(
      Class<?> owner, String name, KernelTarget target, Integer... values) {
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
    return KernelCompiler.inspect(
        new KernelSource(
            owner.getClassLoader(),
            owner.getName().replace('.', '/'),
            name,
            MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .toMethodDescriptorString(),
            constants,
            false),
        target,
        (_, _) -> {});
  }

  private static int epilogue(boolean biased, Activation activation) {
    return Variant.of(biased, activation);
  }

  @Test
  void productsOfWarpGroupsHaveNoStackAndAreAsynchronous()
      throws IOException, InterruptedException {
    List<InspectedKernel> kernels = new ArrayList<>();
    KernelTarget target = new KernelTarget(90);
    List<Integer> variants =
        variants(
            Variant.BFLOAT,
            Variant.TRANSPOSED,
            Variant.BATCHED,
            epilogue(true, Activation.GELU),
            Variant.SPLIT);
    for (Tiling tiling : ProductModel.WARP_GROUPS) {
      boolean some = !THOROUGH && tiling.columns() * tiling.rows() != 128 * 256;
      for (int variant : some ? variants.subList(variants.size() - 2, variants.size()) : variants) {
        kernels.add(inspect(WarpGroupProduct.class, "multiply", target, tiling.packed(), variant));
      }
    }
    for (Activation activation : Activation.values()) {
      int variant = Variant.BFLOAT | epilogue(true, activation);
      int tiling = new Tiling(128, 256, 2).packed();
      kernels.add(inspect(WarpGroupProduct.class, "multiply", target, tiling, variant));
    }
    areFit(kernels, "sm_90a");
  }

  @ParameterizedTest
  @MethodSource("targets")
  void theOthersAssembleForEachTarget(String name) throws IOException, InterruptedException {
    KernelTarget target = KernelTarget.named(name);
    List<InspectedKernel> kernels = new ArrayList<>();
    int[] bits = {Variant.BFLOAT, Variant.TRANSPOSED, Variant.ALIGNED};
    for (int variant : variants(bits)) {
      kernels.add(inspect(PortableProduct.class, "multiply", target, variant));
      kernels.add(inspect(PortableProduct.class, "sum", target, variant | Variant.SPLIT));
    }
    for (Activation activation : Activation.values()) {
      int variant = Variant.BFLOAT | Variant.ALIGNED | epilogue(true, activation);
      kernels.add(inspect(PortableProduct.class, "multiply", target, variant));
      kernels.add(inspect(PartialSums.class, "finish", target, variant));
      kernels.add(inspect(PartialSums.class, "finish", target, variant & ~Variant.BFLOAT));
    }
    areFit(kernels, name);
  }

  @ParameterizedTest
  @MethodSource("targets")
  void warpGroupsAreRefusedByNameElsewhere(String name) {
    KernelTarget target = KernelTarget.named(name);
    if (target.sm() == 90) {
      return;
    }
    int tiling = new Tiling(128, 256, 2).packed();
    assertThatThrownBy(() -> inspect(WarpGroupProduct.class, "multiply", target, tiling, 0))
        .isInstanceOf(KernelRefusedException.class)
        .hasMessageContaining("compute capability 9.0");
  }

  private void areFit(List<InspectedKernel> kernels, String architecture)
      throws IOException, InterruptedException {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < kernels.size(); i++) {
      assertThat(kernels.get(i).lints()).isEmpty();
      String text = kernels.get(i).kernel().ptx().text();
      text = ENTRY.matcher(text).replaceFirst(".entry kernel" + i + "(");
      text = text.replaceAll("\\b(\\w+_text\\d+)\\b", "$1_" + i);
      all.append(i == 0 ? text : text.replaceFirst("(?s)^.*?\\.address_size 64\\n", ""));
    }
    String log = assemble(shared(all.toString()), architecture);
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

  private String assemble(String text, String architecture)
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
