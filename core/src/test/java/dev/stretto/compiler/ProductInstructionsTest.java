package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxWarpGroups;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Wgmma;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Products of warp groups in PTX: their accumulators stay in the same registers, and nothing
 * touches these while they are in flight, so that the assembler lets products be asynchronous.
 */
class ProductInstructionsTest {
  /** A sum that begins anew, one group in flight from one round to the next. */
  @Kernel(maxThreads = 128, minBlocks = 1)
  static void inFlight(ThreadBlock block, GlobalFloats out, int rounds, @Const int n) {
    SharedBytes memory = block.sharedBytes(48 << 10);
    float[] sum = new float[n / 2];
    for (int round = 0; round < rounds; round++) {
      long a = Wgmma.kMajor(memory, (round & 1) * 8192, 128);
      long b = Wgmma.mnMajor(memory, 16384, 128, 8192);
      PtxWarpGroups.wgmmaFence();
      for (int k = 0; k < 4; k++) {
        boolean add = k > 0 || round > 0;
        PtxWarpGroups.wgmmaBf16(
            sum, 0, n, Wgmma.advance(a, 32 * k), Wgmma.advance(b, 2048 * k), add, 0, 1);
      }
      PtxWarpGroups.wgmmaCommitGroup();
      PtxWarpGroups.wgmmaWaitGroup(1);
    }
    PtxWarpGroups.wgmmaWaitGroup(0);
    for (int i = 0; i < n / 2; i++) {
      out.set((long) i * 128 + block.threadRank(), sum[i]);
    }
  }

  /** Two sums: one is scaled between products, of which the other is the left matrix. */
  @Kernel(maxThreads = 128, minBlocks = 1)
  static void twoSums(ThreadBlock block, GlobalFloats out, int rounds, float scale, @Const int n) {
    SharedBytes memory = block.sharedBytes(48 << 10);
    long a = Wgmma.kMajor(memory, 0, 128);
    long b = Wgmma.kMajor(memory, 8192, 128);
    long c = Wgmma.mnMajor(memory, 8192, 128, 8192);
    float[] sum = new float[32];
    int[] left = new int[n / 4];
    for (int round = 0; round < rounds; round++) {
      float[] scores = new float[n / 2];
      PtxWarpGroups.wgmmaFence();
      for (int k = 0; k < 4; k++) {
        boolean add = k > 0;
        PtxWarpGroups.wgmmaF16(
            scores, 0, n, Wgmma.advance(a, 32 * k), Wgmma.advance(b, 32 * k), add, 0, 0);
      }
      PtxWarpGroups.wgmmaCommitGroup();
      for (int k = 0; k < n / 16; k++) {
        PtxWarpGroups.wgmmaF16(sum, 0, 64, left, 4 * k, Wgmma.advance(c, 2048 * k), true, 1);
      }
      PtxWarpGroups.wgmmaCommitGroup();
      PtxWarpGroups.wgmmaWaitGroup(1);
      float most = scores[0];
      for (int i = 1; i < n / 2; i++) {
        most = Math.max(most, scores[i]);
      }
      PtxWarpGroups.wgmmaWaitGroup(0);
      for (int i = 0; i < n / 4; i++) {
        left[i] = Ptx.cvtRnF16x2F32(scores[2 * i + 1] - most, scores[2 * i] - most);
      }
      for (int i = 0; i < 32; i++) {
        sum[i] *= scale;
      }
    }
    for (int i = 0; i < 32; i++) {
      out.set((long) i * 128 + block.threadRank(), sum[i]);
    }
  }

  /** Constants to which products are added, in the other types. */
  @Kernel(maxThreads = 128, minBlocks = 1)
  static void constants(ThreadBlock block, GlobalFloats out, GlobalInts numbers, @Const int n) {
    SharedBytes memory = block.sharedBytes(48 << 10);
    long a = Wgmma.kMajor(memory, 0, 128);
    float[] sum = new float[n / 2];
    int[] whole = new int[n / 2];
    for (int i = 0; i < n / 2; i++) {
      sum[i] = i;
      whole[i] = i;
    }
    PtxWarpGroups.wgmmaFence();
    PtxWarpGroups.wgmmaTf32(sum, 0, n, a, a, true);
    PtxWarpGroups.wgmmaS8(whole, 0, n, a, a, true);
    PtxWarpGroups.wgmmaCommitGroup();
    PtxWarpGroups.wgmmaWaitGroup(0);
    int[] stored = new int[4];
    for (int i = 0; i < n / 2; i++) {
      out.set((long) i * 128 + block.threadRank(), sum[i]);
      stored[i & 3] ^= whole[i];
    }
    Ptx.stmatrixX4(memory, block.threadRank() * 16, stored, 0);
    Ptx.stmatrixX4Trans(memory, block.threadRank() * 16, stored, 0);
    Ptx.stmatrixX2(memory, block.threadRank() * 16, stored, 1);
    Ptx.stmatrixX2Trans(memory, block.threadRank() * 16, stored, 1);
    Ptx.stmatrixX1(memory, block.threadRank() * 16, stored, 3);
    Ptx.stmatrixX1Trans(memory, block.threadRank() * 16, stored, 3);
    PtxBulkCopies.fenceProxyAsyncShared();
    numbers.set(block.threadRank(), stored[1]);
  }

  /**
   * Numbers of 8 bits, as attention has them: scores become the left matrix of the next product.
   */
  @Kernel(maxThreads = 128, minBlocks = 1)
  static void eights(ThreadBlock block, GlobalFloats out, int rounds, float scale, @Const int n) {
    SharedBytes memory = block.sharedBytes(48 << 10);
    long a = Wgmma.kMajor(memory, 0, 128);
    long b = Wgmma.kMajor(memory, 8192, 128);
    long c = Wgmma.kMajor(memory, 8192 + n * 128, 128);
    float[] sum = new float[32];
    float[] other = new float[4];
    int[] left = new int[n / 8];
    for (int round = 0; round < rounds; round++) {
      float[] scores = new float[n / 2];
      PtxWarpGroups.wgmmaFence();
      for (int k = 0; k < 4; k++) {
        boolean add = k > 0;
        PtxWarpGroups.wgmmaE4m3(
            scores, 0, n, Wgmma.advance(a, 32 * k), Wgmma.advance(b, 32 * k), add);
      }
      PtxWarpGroups.wgmmaE5m2(other, 0, 8, a, b, true);
      PtxWarpGroups.wgmmaCommitGroup();
      PtxWarpGroups.wgmmaWaitGroup(0);
      for (int i = 0; i < n / 8; i++) {
        int lower = Ptx.cvtRnSatfiniteE4m3x2F32(scores[4 * i + 1], scores[4 * i]);
        int upper = Ptx.cvtRnSatfiniteE4m3x2F32(scores[4 * i + 3], scores[4 * i + 2]);
        left[i] = Ptx.prmt(lower, upper, 0x5410);
      }
      for (int i = 0; i < 32; i++) {
        sum[i] *= scale;
      }
      PtxWarpGroups.wgmmaFence();
      for (int k = 0; k < n / 32; k++) {
        PtxWarpGroups.wgmmaE4m3(sum, 0, 64, left, 4 * k, Wgmma.advance(c, 32 * k), true);
      }
      PtxWarpGroups.wgmmaE5m2(other, 0, 8, left, 0, c, true);
      PtxWarpGroups.wgmmaCommitGroup();
      PtxWarpGroups.wgmmaWaitGroup(0);
    }
    int[] bytes = new int[4];
    Ptx.ldmatrixX4Trans(bytes, 0, memory, block.threadRank() * 16);
    for (int i = 0; i < 4; i++) {
      bytes[i] = Ptx.cvtRnF16x2E4m3x2(bytes[i]) ^ Ptx.cvtRnF16x2E5m2x2(bytes[i] >>> 16);
    }
    Ptx.stmatrixX4(memory, block.threadRank() * 16, bytes, 0);
    for (int i = 0; i < 32; i++) {
      out.set((long) i * 128 + block.threadRank(), sum[i] + other[i & 3]);
    }
  }

  /** As a kernel with roles has it. */
  @Kernel(maxThreads = 384, minBlocks = 1)
  static void roles(ThreadBlock block, GlobalFloats out, int rounds) {
    if (block.warp().shuffle(block.warp().index() / 4, 0) == 0) {
      PtxWarpGroups.setmaxnregDec(40);
    } else {
      PtxWarpGroups.setmaxnregInc(232);
      inFlight(block, out, rounds, 256);
    }
  }

  @Kernel
  static void unknown(ThreadBlock block, int n) {
    PtxWarpGroups.wgmmaBf16(new float[128], 0, n, 0, 0, false, 0, 0);
  }

  @Kernel
  static void oneTooMany(ThreadBlock block) {
    PtxWarpGroups.wgmmaBf16(new float[128], 0, 264, 0, 0, false, 0, 0);
  }

  private static Method method(String name) {
    return Arrays.stream(ProductInstructionsTest.class.getDeclaredMethods())
        .filter(it -> it.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String compile(String name, Map<Integer, Object> constants) {
    return RefusedJavaTest.compile(method(name), false, 90, constants).ptx().text();
  }

  @ParameterizedTest
  @CsvSource({
    "inFlight, 3, 64",
    "inFlight, 3, 256",
    "twoSums, 4, 64",
    "twoSums, 4, 176",
    "constants, 3, 128",
    "eights, 4, 64",
    "eights, 4, 128",
    "roles, -1, 0"
  })
  void theAssemblerNeedsNoStackAndLetsProductsBeAsynchronous(
      String name, int parameter, int n, @TempDir Path folder)
      throws IOException, InterruptedException {
    Optional<Ptxas> ptxas = Ptxas.find();
    assumeTrue(ptxas.isPresent(), "there is no ptxas on the PATH");
    String text = compile(name, parameter < 0 ? Map.of() : Map.of(parameter, n));
    assertThat(ptxas.get().report(text, "sm_90a", folder))
        .contains("0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads")
        .contains("Used ")
        .doesNotContain("(C7")
        .doesNotContain("warning")
        .doesNotContain("error");
  }

  @Test
  void kernelsWithProductsAreForTheirArchitectureAlone() {
    assertThat(compile("inFlight", Map.of(3, 8))).contains(".target sm_90a");
    assertThat(compile("inFlight", Map.of(3, 8))).contains(".shared .align 1024 .b8");
  }

  /** What a register holds when a sum begins anew does not matter, and is not moved. */
  @Test
  void accumulatorsStayWhereTheyAre() {
    String text = compile("inFlight", Map.of(3, 64));
    Matcher products =
        Pattern.compile("m64n64k16.f32.bf16.bf16 \\{(%f\\d+(?:, %f\\d+){31})}").matcher(text);
    String first = null;
    while (products.find()) {
      assertThat(products.group(1)).isEqualTo(first == null ? products.group(1) : first);
      first = products.group(1);
    }
    String loop =
        text.substring(text.indexOf("wgmma.fence"), text.indexOf("wait_group.sync.aligned 1"));
    assertThat(first).isNotNull();
    assertThat(loop).doesNotContain("mov.f32");
  }

  @Test
  void constantsAreInTheirRegistersBeforeTheFence() {
    String text = compile("constants", Map.of(3, 16));
    assertThat(text.substring(text.indexOf("wgmma.fence"), text.indexOf("wgmma.commit")))
        .doesNotContain("mov.f32")
        .doesNotContain("mov.b32");
  }

  @Test
  void howManyColumnsThereAreHasToBeKnownAndInRange() {
    assertThatThrownBy(() -> compile("unknown", Map.of()))
        .isInstanceOf(KernelRefusedException.class)
        .hasMessageContaining("the number of registers that an instruction takes is not constant")
        .hasMessageContaining("@Const parameter of the kernel");
    assertThatThrownBy(() -> compile("oneTooMany", Map.of()))
        .isInstanceOf(KernelRefusedException.class);
    assertThatThrownBy(() -> RefusedJavaTest.compile(method("inFlight"), false, 80, Map.of(3, 64)))
        .isInstanceOf(KernelRefusedException.class)
        .hasMessageContaining("needs compute capability 9.0");
  }
}
