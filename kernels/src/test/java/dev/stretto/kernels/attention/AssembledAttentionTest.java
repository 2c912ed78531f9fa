package dev.stretto.kernels.attention;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.compiler.InspectedKernel;
import dev.stretto.compiler.KernelTarget;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernels.Assembly;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the assembler says of the kernels of attention for each target. */
class AssembledAttentionTest {
  /** Those that an ordinary build assembles for: a text for 9.0 is that of all newer ones. */
  private static final Set<String> SOME = Set.of("sm_75", "sm_80", "sm_90", "sm_120");

  private static final boolean THOROUGH = Boolean.getBoolean("stretto.thorough");

  @TempDir Path folder;

  private static Stream<String> targets() {
    return KernelTarget.names().stream().filter(name -> THOROUGH || SOME.contains(name));
  }

  @ParameterizedTest
  @CsvSource({
    "of256, 80, '66, 67, 71, 10, 31, 98, 107'",
    "of256, 64, '66, 67, 71, 31, 107'",
    "of128, 128, '66, 67, 71, 64, 11, 31, 98, 99, 111, 43'",
    "of64, 64, '70, 71, 5, 14, 31, 102, 103, 111'",
  })
  void warpGroupsHaveNoStackAndAreAsynchronous(String name, int keys, String variants)
      throws IOException, InterruptedException {
    List<InspectedKernel> kernels = new ArrayList<>();
    KernelTarget target = new KernelTarget(90);
    for (String word : variants.split(", ", -1)) {
      int variant = Integer.parseInt(word);
      // Inspected are the plain one and those with a window: the others have the same copies.
      boolean inspected = THOROUGH || kernels.isEmpty() || Variant.beginsLate(variant);
      kernels.add(
          inspected
              ? Assembly.inspect(WarpGroups.class, name, target, keys, variant)
              : Assembly.compile(WarpGroups.class, name, target, keys, variant));
    }
    Assembly.areFit(kernels, "sm_90a", folder);
  }

  @Test
  void warpGroupsOfEightBitsHaveNoStackAndAreAsynchronous()
      throws IOException, InterruptedException {
    List<InspectedKernel> kernels = new ArrayList<>();
    for (String name : List.of("of128", "of64")) {
      for (int masks :
          new int[] {0, Variant.ENDS_EARLY, Variant.ENDS_EARLY + Variant.BEGINS_LATE}) {
        int variant = Variant.BF16 + masks;
        kernels.add(Assembly.inspect(Fp8WarpGroups.class, name, new KernelTarget(90), variant));
      }
    }
    Assembly.areFit(kernels, "sm_90a", folder);
  }

  @ParameterizedTest
  @MethodSource("targets")
  void theOthersHaveNoStackOnEachTarget(String name) throws IOException, InterruptedException {
    KernelTarget target = KernelTarget.named(name);
    List<InspectedKernel> kernels = new ArrayList<>();
    for (int variant :
        new int[] {0, Variant.BF16 + Variant.ENDS_EARLY + Variant.PACKED + Variant.BEGINS_LATE}) {
      boolean floats = target.sm() < 80 && Variant.bf16(variant);
      kernels.add(portable(target, 64, floats ? 16 : 64, 2, variant));
      kernels.add(portable(target, 256, target.sm() < 80 ? 16 : 32, 1, variant));
    }
    Assembly.areFit(kernels, name, folder);
  }

  private static InspectedKernel portable(
      KernelTarget target, int dim, int keys, int stages, int variant) {
    return Assembly.inspect(PortableAttention.class, "attend", target, dim, keys, stages, variant);
  }

  @ParameterizedTest
  @MethodSource("targets")
  void warpGroupsAreRefusedByNameElsewhere(String name) {
    KernelTarget target = KernelTarget.named(name);
    if (target.sm() == 90) {
      return;
    }
    assertThatThrownBy(() -> Assembly.inspect(WarpGroups.class, "of128", target, 128, 2))
        .isInstanceOf(KernelRefusedException.class)
        .hasMessageContaining("compute capability 9.0");
  }
}
