package dev.stretto.kernels.product;

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
        boolean inspected = THOROUGH || some || variant == variants.getFirst();
        kernels.add(
            inspected
                ? Assembly.inspect(
                    WarpGroupProduct.class, "multiply", target, tiling.packed(), variant)
                : Assembly.compile(
                    WarpGroupProduct.class, "multiply", target, tiling.packed(), variant));
      }
    }
    for (int variant :
        new int[] {Variant.GATHERED, Variant.TRANSPOSED + Variant.BATCHED + Variant.BIASED}) {
      int tiling = new Tiling(128, 64, 1).packed();
      int once = variant | Variant.BFLOAT | Variant.ONCE;
      kernels.add(Assembly.inspect(WarpGroupProduct.class, "multiply", target, tiling, once));
    }
    for (Activation activation : Activation.values()) {
      int variant = Variant.BFLOAT | epilogue(true, activation);
      int tiling = new Tiling(128, 256, 2).packed();
      kernels.add(Assembly.compile(WarpGroupProduct.class, "multiply", target, tiling, variant));
    }
    Assembly.areFit(kernels, "sm_90a", folder);
  }

  @ParameterizedTest
  @MethodSource("targets")
  void theOthersAssembleForEachTarget(String name) throws IOException, InterruptedException {
    KernelTarget target = KernelTarget.named(name);
    List<InspectedKernel> kernels = new ArrayList<>();
    int[] bits = {Variant.BFLOAT, Variant.TRANSPOSED, Variant.ALIGNED};
    for (int variant : variants(bits)) {
      kernels.add(Assembly.inspect(PortableProduct.class, "multiply", target, variant));
      kernels.add(Assembly.inspect(PortableProduct.class, "sum", target, variant | Variant.SPLIT));
    }
    for (Activation activation : Activation.values()) {
      int variant = Variant.BFLOAT | Variant.ALIGNED | epilogue(true, activation);
      kernels.add(Assembly.inspect(PortableProduct.class, "multiply", target, variant));
      kernels.add(Assembly.inspect(PartialSums.class, "finish", target, variant));
      kernels.add(Assembly.inspect(PartialSums.class, "finish", target, variant & ~Variant.BFLOAT));
    }
    Assembly.areFit(kernels, name, folder);
  }

  @ParameterizedTest
  @MethodSource("targets")
  void warpGroupsAreRefusedByNameElsewhere(String name) {
    KernelTarget target = KernelTarget.named(name);
    if (target.sm() == 90) {
      return;
    }
    int tiling = new Tiling(128, 256, 2).packed();
    assertThatThrownBy(
            () -> Assembly.inspect(WarpGroupProduct.class, "multiply", target, tiling, 0))
        .isInstanceOf(KernelRefusedException.class)
        .hasMessageContaining("compute capability 9.0");
  }
}
