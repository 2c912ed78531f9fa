package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.compiler.ir.LoweredCopy;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxIm2colCopies;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.TensorMap;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns of pixels in PTX, and what the compiler tells of them. */
class ColumnInstructionsTest {
  private static final String LOAD = "d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes";
  private static final String STORE = "d.global.shared::cta.im2col_no_offs.bulk_group";

  /** An offset that no image of two dimensions has. */
  @Kernel
  static void tooFar(ThreadBlock block, TensorMap map) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    PtxIm2colCopies.cpAsyncBulkTensorIm2colToShared(tile, 0, map, 0, 0, 0, 0, 256, 0, words, 0);
  }

  private static List<Method> kernels() {
    return Arrays.stream(ColumnInstructions.class.getDeclaredMethods())
        .filter(method -> method.isAnnotationPresent(Kernel.class))
        .toList();
  }

  private static Method kernel(String name) {
    return kernels().stream().filter(it -> it.getName().equals(name)).findFirst().orElseThrow();
  }

  private static String text(Method kernel, boolean checked) {
    return RefusedJavaTest.compile(kernel, checked, 90, Map.of()).ptx().text();
  }

  private static String text(String name) {
    return text(kernel(name), false);
  }

  @Test
  void theAssemblerTakesThemAndNeedsNoStack(@TempDir Path folder)
      throws IOException, InterruptedException {
    Optional<Ptxas> ptxas = Ptxas.find();
    assumeTrue(ptxas.isPresent(), "there is no ptxas on the PATH");
    for (Method kernel : kernels()) {
      String text = text(kernel, false);
      for (String architecture : List.of("sm_90", "sm_90a", "sm_100")) {
        assertThat(ptxas.get().report(text, architecture, folder))
            .as("%s for %s", kernel.getName(), architecture)
            .contains("0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads")
            .doesNotContain("error");
      }
      assertThat(ptxas.get().complaints(text(kernel, true), "sm_90", folder))
          .as("%s with checks", kernel.getName())
          .isEmpty();
    }
  }

  @Test
  void thereIsAKernelForEachMethod() {
    long methods =
        Arrays.stream(PtxIm2colCopies.class.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .count();
    long called =
        kernels().stream().filter(it -> !it.getName().matches(".*(OnBarrier|InStage)")).count();
    assertThat(called).isEqualTo(methods).isEqualTo(27);
  }

  @Test
  void eachMethodIsItsInstruction() {
    String[] images = {"lines", "pictures", "volumes"};
    for (int i = 0; i < images.length; i++) {
      String name = images[i];
      String tensor = "cp.async.bulk.tensor." + (i + 3);
      String offsets =
          List.of("{offsetW}", "{offsetW, offsetH}", "{offsetW, offsetH, offsetD}").get(i);
      assertThat(text(name + "ToShared")).contains(tensor + LOAD + " [", offsets + ";");
      assertThat(text(name + "ToSharedHinted"))
          .contains(tensor + LOAD + ".L2::cache_hint [", offsets + ", %rd");
      assertThat(text(name + "ToAll"))
          .contains(tensor + LOAD + ".multicast::cluster [", offsets + ", blocks;");
      assertThat(text(name + "ToAllHinted"))
          .contains(tensor + LOAD + ".multicast::cluster.L2::cache_hint [", offsets + ", blocks, ");
      assertThat(text(name + "Stored")).contains(tensor + STORE + " [");
      assertThat(text(name + "StoredHinted")).contains(tensor + STORE + ".L2::cache_hint [");
      String added = "cp.reduce.async.bulk.tensor." + (i + 3) + STORE.replace("cta.", "cta.xor.");
      assertThat(text(name + "Added")).contains(added + " [");
      assertThat(text(name + "AddedHinted")).contains(added + ".L2::cache_hint [");
      assertThat(text(name + "Fetched"))
          .contains("cp.async.bulk.prefetch.tensor." + (i + 3) + "d.L2.global.im2col [", offsets);
      assertThat(text(name + "OnBarrier")).contains(tensor + LOAD + " [", offsets + ";");
      assertThat(text(name + "InStage")).contains(tensor + LOAD + " [", offsets + ";");
    }
  }

  @Test
  void arraysThatHoldColumnsBeginWhereASwizzleDoes() {
    assertThat(text("picturesToShared")).contains(".shared .align 1024 .b8");
    assertThat(text("picturesStored")).contains(".shared .align 1024 .b8");
  }

  private static InspectedKernel inspect(String name) {
    Method method = kernel(name);
    return KernelCompiler.inspect(
        new KernelSource(
            ColumnInstructions.class.getClassLoader(),
            ColumnInstructions.class.getName().replace('.', '/'),
            name,
            MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .toMethodDescriptorString(),
            Map.of(),
            false),
        new KernelTarget(90),
        (_, _) -> {});
  }

  @Test
  void whatACopyBecomesIsToldAndWhatIsRightGetsNoLint() {
    for (Method method : kernels()) {
      String name = method.getName();
      InspectedKernel inspected = inspect(name);
      assertThat(inspected.lints()).as(name).isEmpty();
      List<LoweredCopy> copies = inspected.kernel().copies();
      if (name.endsWith("Fetched")) {
        assertThat(copies).as(name).isEmpty();
        continue;
      }
      assertThat(copies).as(name).hasSize(1);
      LoweredCopy copy = copies.getFirst();
      assertThat(copy.mechanism())
          .as(name)
          .isEqualTo(
              name.contains("Added") ? "cp.reduce.async.bulk.tensor" : "cp.async.bulk.tensor");
      assertThat(copy.direction())
          .as(name)
          .isEqualTo(
              name.contains("Added") || name.contains("Stored")
                  ? "shared-to-global"
                  : "global-to-shared");
    }
    assertThat(inspect("picturesInStage").kernel().copies().getFirst().bytes()).hasValue(256);
  }

  @Test
  void aConstantOffsetOutOfRangeIsRefused() throws NoSuchMethodException {
    Method tooFar =
        ColumnInstructionsTest.class.getDeclaredMethod(
            "tooFar", ThreadBlock.class, TensorMap.class);
    assertThatThrownBy(() -> text(tooFar, false))
        .isInstanceOf(KernelRefusedException.class)
        .hasMessageContaining("256")
        .hasMessageContaining("255");
  }
}
