package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.compiler.ir.LoweredCopy;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.Kernel;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shared memory of other blocks, and reductions of bulk copies, in PTX. */
class ClusterInstructionsTest {
  private static final List<String> CLASSES =
      List.of(
          "dev.stretto.contract.ClusterMemory",
          "dev.stretto.contract.BulkReductions",
          "dev.stretto.contract.ClusterReductions",
          "dev.stretto.contract.ClusterBarriers",
          "dev.stretto.contract.BarrierWaits");

  private static final List<String> REFUSED = List.of("copiesToAnother", "ofAnotherTwice");

  private static List<Method> kernels() throws ClassNotFoundException {
    List<Class<?>> types = new ArrayList<>();
    for (String name : CLASSES) {
      types.add(Class.forName(name));
    }
    return types.stream()
        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
        .filter(method -> method.isAnnotationPresent(Kernel.class))
        .filter(method -> !REFUSED.contains(method.getName()))
        .toList();
  }

  private static String text(String name) throws ClassNotFoundException {
    return text(
        kernels().stream().filter(it -> it.getName().equals(name)).findFirst().orElseThrow(),
        false);
  }

  private static String text(Method kernel, boolean checked) {
    return RefusedJavaTest.compile(kernel, checked, 90, Map.of()).ptx().text();
  }

  @Test
  void theAssemblerTakesThemAndNeedsNoStack(@TempDir Path folder)
      throws IOException, InterruptedException, ClassNotFoundException {
    Optional<Ptxas> ptxas = Ptxas.find();
    assumeTrue(ptxas.isPresent(), "there is no ptxas on the PATH");
    assertThat(kernels()).hasSizeGreaterThan(30);
    for (Method kernel : kernels()) {
      for (String architecture : List.of("sm_90", "sm_90a", "sm_100")) {
        assertThat(ptxas.get().report(text(kernel, false), architecture, folder))
            .as("%s for %s", kernel.getName(), architecture)
            .contains("0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads")
            .doesNotContain("warning")
            .doesNotContain("error");
      }
      assertThat(ptxas.get().complaints(text(kernel, true), "sm_90", folder))
          .as("%s with checks", kernel.getName())
          .isEmpty();
    }
  }

  @Test
  void waitsForATimeAreForOlderDevicesToo(@TempDir Path folder)
      throws IOException, InterruptedException, ClassNotFoundException {
    Optional<Ptxas> ptxas = Ptxas.find();
    assumeTrue(ptxas.isPresent(), "there is no ptxas on the PATH");
    for (String name : List.of("inTime", "inVain", "whileOthersLook", "oneAfterTheOther")) {
      Method kernel =
          kernels().stream().filter(it -> it.getName().equals(name)).findFirst().orElseThrow();
      String ptx = RefusedJavaTest.compile(kernel, false, 80, Map.of()).ptx().text();
      assertThat(ptx).contains("mbarrier.test_wait").doesNotContain("mbarrier.try_wait");
      assertThat(ptxas.get().report(ptx, "sm_80", folder))
          .as(name)
          .contains("0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads")
          .doesNotContain("warning")
          .doesNotContain("error");
    }
  }

  @Test
  void anAddressThatMayLieInAnotherBlockIsUsedInItsOwnSpace() throws ClassNotFoundException {
    assertThat(text("rotated")).contains("ld.shared::cluster.b32").contains("st.shared.b32");
    assertThat(text("chosen")).contains("ld.shared::cluster.b32").contains("st.shared.b32");
    assertThat(text("histogram")).contains("atom.relaxed.cluster.shared::cluster.add.u32");
    assertThat(text("released"))
        .contains("st.release.cluster.shared::cluster.b32")
        .contains("ld.acquire.cluster.shared.b32");
  }

  /** A position counts bytes, whatever the arrays hold. */
  @Test
  void reductionsBeginAtBytes() throws ClassNotFoundException {
    assertThat(text("addInts"))
        .containsPattern("bulk_group.add.u32 \\[%rd[0-9]+\\+256], \\[%r[0-9]+\\+128]");
    assertThat(text("xorLongs"))
        .containsPattern("bulk_group.xor.b64 \\[%rd[0-9]+\\+512], \\[%r[0-9]+\\+256]");
    assertThat(text("maxHalfs"))
        .containsPattern("bulk_group.max.f16 \\[%rd[0-9]+\\+128], \\[%r[0-9]+\\+64]");
  }

  @Test
  void copiesBetweenBlocksAreReportedWithTheirBytes() throws ClassNotFoundException {
    for (String name : List.of("ring", "inBulk")) {
      assertThat(compiled(name).copies())
          .as(name)
          .isNotEmpty()
          .allMatch(copy -> copy.direction().equals("shared-to-shared"))
          .allMatch(copy -> copy.bytes().orElse(0) % 128 == 0 && copy.bytes().isPresent())
          .extracting(LoweredCopy::mechanism)
          .containsOnly(name.equals("ring") ? "cp.async.bulk" : "cp.reduce.async.bulk");
    }
  }

  private static CompiledKernel compiled(String name) throws ClassNotFoundException {
    Method kernel =
        kernels().stream().filter(it -> it.getName().equals(name)).findFirst().orElseThrow();
    return RefusedJavaTest.compile(kernel, false, 90, Map.of());
  }

  @Test
  void onlyKernelsThatNeedANewerVersionOfPtxAreWrittenInIt() throws ClassNotFoundException {
    assertThat(text("stores")).contains(".version 8.1");
    assertThat(text("eachThread")).contains(".version 8.1");
    assertThat(text("inBulk")).contains(".version 8.0");
    assertThat(text("arrivals")).contains(".version 8.6");
    assertThat(text("byInstructions")).contains(".version 8.6");
    assertThat(text("ofCluster")).contains(".version 8.0");
    assertThat(text("rotated")).contains(".version 8.0");
  }

  private static Method refused(String name) throws ClassNotFoundException {
    return Arrays.stream(Class.forName(CLASSES.get(0)).getDeclaredMethods())
        .filter(method -> method.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void copiesThatDoNotReachAnotherBlockAreRefusedWithTheLine() throws ClassNotFoundException {
    Method copies = refused("copiesToAnother");
    assertThatThrownBy(() -> text(copies, false))
        .isInstanceOf(KernelRefusedException.class)
        .hasMessageContaining("does not reach the shared memory of another block")
        .hasMessageContaining("ClusterMemory.java");
  }

  @Test
  void anArrayOfAnotherBlockLeadsToNoOther() throws ClassNotFoundException {
    Method twice = refused("ofAnotherTwice");
    assertThatThrownBy(() -> text(twice, false))
        .isInstanceOf(KernelRefusedException.class)
        .hasMessageContaining("another block's already")
        .hasMessageContaining("ClusterMemory.java");
  }
}
