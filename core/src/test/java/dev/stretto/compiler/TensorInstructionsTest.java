package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.compiler.ir.LoweredCopy;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxClusters;
import dev.stretto.kernel.PtxCopies;
import dev.stretto.kernel.PtxTensorCopies;
import dev.stretto.kernel.PtxTensorCopies.Reduction;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.TensorTiles;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.TensorMap;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Boxes of tensors and clusters in PTX, and what the compiler tells of them. */
class TensorInstructionsTest {
  @Kernel
  static void loads(ThreadBlock block, TensorMap map, GlobalFloats out, int x) {
    SharedFloats tile = block.sharedFloats(1024);
    SharedLongs words = block.sharedLongs(2);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 1, 1);
      PtxTensorCopies.prefetchTensormap(map);
      PtxTensorCopies.cpAsyncBulkPrefetchTensor(map, x);
      PtxTensorCopies.cpAsyncBulkPrefetchTensor(map, x, 1);
      PtxTensorCopies.cpAsyncBulkPrefetchTensor(map, x, 1, 2);
      PtxTensorCopies.cpAsyncBulkPrefetchTensor(map, x, 1, 2, 3);
      PtxTensorCopies.cpAsyncBulkPrefetchTensor(map, x, 1, 2, 3, 4);
      PtxBulkCopies.cpAsyncBulkPrefetch(out, 16, 32);
      PtxBarriers.mbarrierExpectTx(words, 1, 512);
      PtxTensorCopies.cpAsyncBulkTensorToShared(tile, 0, map, x, words, 1);
      PtxTensorCopies.cpAsyncBulkTensorToShared(tile, 128, map, x, 1, words, 1);
      PtxTensorCopies.cpAsyncBulkTensorToShared(tile, 256, map, x, 1, 2, words, 1);
      PtxTensorCopies.cpAsyncBulkTensorToShared(tile, 384, map, x, 1, 2, 3, words, 1);
      PtxTensorCopies.cpAsyncBulkTensorToShared(tile, 512, map, x, 1, 2, 3, 4, words, 1);
      PtxBarriers.mbarrierArrive(words, 1);
      while (!PtxBarriers.mbarrierTryWaitParity(words, 1, 0)) {
        // Asks again.
      }
      out.set(0, tile.get(x));
    }
  }

  @Kernel
  static void stores(ThreadBlock block, TensorMap map, @Const Reduction how, int x) {
    SharedFloats tile = block.sharedFloats(1024);
    tile.set(block.threadRank(), x);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, x, tile, 0);
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, x, 1, tile, 128);
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, x, 1, 2, tile, 128);
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, x, 1, 2, 3, tile, 128);
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, x, 1, 2, 3, 4, tile, 128);
      PtxTensorCopies.cpReduceAsyncBulkTensor(how, map, x, tile, 0);
      PtxTensorCopies.cpReduceAsyncBulkTensor(how, map, x, 1, tile, 0);
      PtxTensorCopies.cpReduceAsyncBulkTensor(how, map, x, 1, 2, tile, 0);
      PtxTensorCopies.cpReduceAsyncBulkTensor(how, map, x, 1, 2, 3, tile, 0);
      PtxTensorCopies.cpReduceAsyncBulkTensor(how, map, x, 1, 2, 3, 4, tile, 0);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  static void clusters(ThreadBlock block, TensorMap map, GlobalFloats in, GlobalFloats out, int x) {
    SharedFloats tile = block.sharedFloats(1024);
    Barrier full = block.barrier(2, Scope.CLUSTER);
    PtxClusters.barrierClusterArriveRelaxed();
    PtxClusters.barrierClusterWait();
    SharedLongs words = full.words();
    if (block.threadRank() == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToSharedMulticast(tile, 0, map, x, words, 0, 3);
      PtxTensorCopies.cpAsyncBulkTensorToSharedMulticast(tile, 0, map, x, 1, words, 0, 3);
      PtxTensorCopies.cpAsyncBulkTensorToSharedMulticast(tile, 0, map, x, 1, 2, words, 0, x);
      PtxTensorCopies.cpAsyncBulkTensorToSharedMulticast(tile, 0, map, x, 1, 2, 3, words, 0, 3);
      PtxTensorCopies.cpAsyncBulkTensorToSharedMulticast(tile, 0, map, x, 1, 2, 3, 4, words, 0, 3);
      PtxBulkCopies.cpAsyncBulkToSharedMulticast(tile, 0, in, 0, 128, words, 0, 3);
      PtxClusters.mbarrierArriveExpectTxAt(words, 0, 128, x);
      full.arriveAt(block.cluster().blockRank() ^ 1);
    }
    full.waitForParity(0);
    long phase = full.arrive();
    while (!full.hasEnded(phase)) {
      full.waitFor(phase);
    }
    out.set(block.threadRank(), tile.get(x) + block.cluster().size());
    block.cluster().arrive();
    block.cluster().waitForAll();
  }

  /** Each form of each number of dimensions, to be assembled. */
  @Kernel
  static void hints(ThreadBlock block, TensorMap map, int x) {
    SharedFloats tile = block.sharedFloats(1024);
    Barrier full = block.barrier(1, Scope.CLUSTER);
    SharedLongs words = full.words();
    long p = PtxCopies.createPolicyEvictFirst();
    if (block.threadRank() == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToSharedCacheHint(tile, 0, map, x, words, 0, p);
      PtxTensorCopies.cpAsyncBulkTensorToSharedCacheHint(tile, 128, map, x, 1, words, 0, p);
      PtxTensorCopies.cpAsyncBulkTensorToSharedCacheHint(tile, 256, map, x, 1, 2, words, 0, p);
      PtxTensorCopies.cpAsyncBulkTensorToSharedCacheHint(tile, 0, map, x, 1, 2, 3, words, 0, p);
      PtxTensorCopies.cpAsyncBulkTensorToSharedCacheHint(tile, 0, map, x, 1, 2, 3, 4, words, 0, p);
      PtxTensorCopies.cpAsyncBulkTensorToSharedMulticastCacheHint(tile, 0, map, x, words, 0, 3, p);
      PtxTensorCopies.cpAsyncBulkTensorToSharedMulticastCacheHint(
          tile, 0, map, x, 1, words, 0, 3, p);
      PtxTensorCopies.cpAsyncBulkTensorToSharedMulticastCacheHint(
          tile, 0, map, x, 1, 2, words, 0, 3, p);
      PtxTensorCopies.cpAsyncBulkTensorToSharedMulticastCacheHint(
          tile, 0, map, x, 1, 2, 3, words, 0, 3, p);
      PtxTensorCopies.cpAsyncBulkTensorToSharedMulticastCacheHint(
          tile, 0, map, x, 1, 2, 3, 4, words, 0, 3, p);
      PtxTensorCopies.cpAsyncBulkTensorToGlobalCacheHint(map, x, tile, 0, p);
      PtxTensorCopies.cpAsyncBulkTensorToGlobalCacheHint(map, x, 1, tile, 0, p);
      PtxTensorCopies.cpAsyncBulkTensorToGlobalCacheHint(map, x, 1, 2, tile, 0, p);
      PtxTensorCopies.cpAsyncBulkTensorToGlobalCacheHint(map, x, 1, 2, 3, tile, 0, p);
      PtxTensorCopies.cpAsyncBulkTensorToGlobalCacheHint(map, x, 1, 2, 3, 4, tile, 0, p);
      PtxTensorCopies.cpReduceAsyncBulkTensorCacheHint(Reduction.ADD, map, x, tile, 0, p);
      PtxTensorCopies.cpReduceAsyncBulkTensorCacheHint(Reduction.ADD, map, x, 1, tile, 0, p);
      PtxTensorCopies.cpReduceAsyncBulkTensorCacheHint(Reduction.ADD, map, x, 1, 2, tile, 0, p);
      PtxTensorCopies.cpReduceAsyncBulkTensorCacheHint(Reduction.ADD, map, x, 1, 2, 3, tile, 0, p);
      PtxTensorCopies.cpReduceAsyncBulkTensorCacheHint(
          Reduction.ADD, map, x, 1, 2, 3, 4, tile, 0, p);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  static void tiles(ThreadBlock block, TensorMap map, GlobalFloats out, int x) {
    SharedFloats tiles = block.sharedFloats(10 * 32);
    Barrier full = block.barrier();
    Pipeline pipeline = block.pipeline(2);
    TensorTiles.memcpyAsync(block, tiles, 0, map, x, 32, full);
    TensorTiles.memcpyAsync(block, tiles, 32, map, x, 1, 32, full);
    TensorTiles.memcpyAsync(block, tiles, 64, map, x, 1, 2, 32, full);
    TensorTiles.memcpyAsync(block, tiles, 96, map, x, 1, 2, 3, 32, full);
    TensorTiles.memcpyAsync(block, tiles, 128, map, x, 1, 2, 3, 4, 32, full);
    pipeline.producerAcquire();
    TensorTiles.memcpyAsync(block, tiles, 160, map, x, 32, pipeline);
    TensorTiles.memcpyAsync(block, tiles, 192, map, x, 1, 32, pipeline);
    TensorTiles.memcpyAsync(block, tiles, 224, map, x, 1, 2, 32, pipeline);
    TensorTiles.memcpyAsync(block, tiles, 256, map, x, 1, 2, 3, 32, pipeline);
    TensorTiles.memcpyAsync(block, tiles, 288, map, x, 1, 2, 3, 4, 32, pipeline);
    pipeline.producerCommit();
    full.arriveAndWait();
    pipeline.consumerWaitPrior(0);
    out.set(block.threadRank(), tiles.get(block.threadRank()));
    pipeline.consumerRelease();
  }

  @Kernel
  static void wantsBulk(ThreadBlock block, GlobalFloats in, GlobalFloats out, @Const int aligned) {
    SharedFloats tile = block.sharedFloats(64);
    Barrier full = block.barrier();
    block.memcpyAsync(tile, 0, in, 0, 64, aligned, full.requireBulk());
    full.arriveAndWait();
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  static void wantsBulkStages(
      ThreadBlock block, GlobalFloats in, GlobalFloats out, @Const int aligned) {
    SharedFloats tile = block.sharedFloats(128);
    Pipeline pipeline = block.pipeline(2).requireBulk();
    for (int i = 0; i < 4; i++) {
      pipeline.producerAcquire();
      block.memcpyAsync(tile, pipeline.producerStage() * 64, in, 64 * i, 64, aligned, pipeline);
      pipeline.producerCommit();
      pipeline.consumerWait();
      out.set(64 * i + block.threadRank(), tile.get(pipeline.consumerStage() * 64));
      pipeline.consumerRelease();
    }
  }

  @Kernel
  static void readsPlainly(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    SharedFloats tile = block.sharedFloats(64);
    for (int i = 0; i < 4; i++) {
      tile.set(block.threadRank(), in.get(64 * i + block.threadRank()));
      block.sync();
      out.set(64 * i + block.threadRank(), tile.get(0));
      block.sync();
    }
  }

  /** Each block brings its part to a barrier that another block has told to expect it. */
  @Kernel
  static void isToldByAnother(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    SharedFloats tile = block.sharedFloats(64);
    Barrier full = block.barrier(1, Scope.CLUSTER);
    if (block.threadRank() == 0) {
      if (block.cluster().blockRank() == 0) {
        PtxClusters.mbarrierArriveExpectTxAt(full.words(), full.index(), 256, 0);
        PtxClusters.mbarrierArriveExpectTxAt(full.words(), full.index(), 256, 1);
      }
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, 0, 256, full.words(), full.index());
    }
    full.arriveAndWait();
    out.set(block.globalIndexX(), tile.get(block.threadRank()));
    block.cluster().sync();
  }

  @Kernel
  static void asksAMap(ThreadBlock block, TensorMap map, GlobalFloats out) {
    out.set(block.globalIndexX(), map.boxBytes());
  }

  @Kernel
  static void smallBox(ThreadBlock block, TensorMap map, GlobalFloats out) {
    SharedFloats first = block.sharedFloats(16);
    SharedFloats second = block.sharedFloats(16);
    first.set(block.threadRank(), 1);
    Barrier full = block.barrier();
    TensorTiles.memcpyAsync(block, second, 0, map, 0, 0, 16, full);
    full.arriveAndWait();
    out.set(block.threadRank(), first.get(0) + second.get(block.threadRank()));
  }

  @Test
  void whatAKernelAsksATensorMapIsRefusedWithWhatToDo() {
    assertThatThrownBy(() -> compile("asksAMap", false, Map.of()))
        .isInstanceOf(KernelRefusedException.class)
        .hasMessageContaining("cannot call boxBytes of a tensor map")
        .hasMessageContaining("as numbers");
  }

  @Test
  void smallBoxesBeginWhereASwizzleDoesToo() {
    assertThat(compile("smallBox", false, Map.of())).contains("staticShared+1024");
  }

  private static Method method(String name) {
    return Arrays.stream(TensorInstructionsTest.class.getDeclaredMethods())
        .filter(it -> it.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String compile(String name, boolean checked, Map<Integer, Object> constants) {
    return RefusedJavaTest.compile(method(name), checked, 90, constants).ptx().text();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sm_90", "sm_90a"})
  void theAssemblerTakesThem(String architecture, @TempDir Path folder)
      throws IOException, InterruptedException {
    Optional<Ptxas> ptxas = Ptxas.find();
    assumeTrue(ptxas.isPresent(), "there is no ptxas on the PATH");
    List<String> texts = new ArrayList<>();
    for (boolean checked : new boolean[] {false, true}) {
      texts.add(compile("loads", checked, Map.of()));
      for (Reduction how : Reduction.values()) {
        texts.add(compile("stores", checked, Map.of(2, how)));
      }
      texts.add(compile("clusters", checked, Map.of()));
      texts.add(compile("tiles", checked, Map.of()));
      texts.add(compile("hints", checked, Map.of()));
    }
    assertThat(ptxas.get().complaints(Ptxas.together(texts), architecture, folder)).isEmpty();
  }

  @Test
  void eachMethodIsAnInstruction() {
    String loads = compile("loads", false, Map.of());
    String stores = compile("stores", false, Map.of(2, Reduction.XOR));
    String clusters = compile("clusters", false, Map.of());
    for (int i = 1; i <= 5; i++) {
      assertThat(loads)
          .contains("cp.async.bulk.tensor." + i + "d.shared::cluster.global.tile.mbarrier")
          .contains("cp.async.bulk.prefetch.tensor." + i + "d.L2.global.tile");
      assertThat(stores)
          .contains("cp.async.bulk.tensor." + i + "d.global.shared::cta.tile.bulk_group")
          .contains("cp.reduce.async.bulk.tensor." + i + "d.global.shared::cta.xor.tile");
      assertThat(clusters).containsPattern("cp.async.bulk.tensor." + i + "d.*multicast::cluster");
    }
    String hints = compile("hints", false, Map.of());
    for (int i = 1; i <= 5; i++) {
      assertThat(hints)
          .containsPattern("tensor." + i + "d.shared::cluster.*bytes.L2::cache_hint")
          .containsPattern("tensor." + i + "d.shared::cluster.*multicast::cluster.L2::cache_hint")
          .containsPattern("async.bulk.tensor." + i + "d.global.*bulk_group.L2::cache_hint")
          .containsPattern("cp.reduce.async.bulk.tensor." + i + "d.*bulk_group.L2::cache_hint");
    }
    assertThat(loads).contains("prefetch.tensormap", "cp.async.bulk.prefetch.L2.global");
    assertThat(loads).contains(".param .align 64 .b8 param0[128]", "cvta.param.u64");
    assertThat(clusters)
        .contains(
            "barrier.cluster.arrive;",
            "barrier.cluster.arrive.relaxed;",
            "barrier.cluster.wait;",
            "fence.mbarrier_init.release.cluster;",
            "mapa.shared::cluster.u32",
            "mbarrier.arrive.release.cluster.shared::cluster.b64",
            "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64",
            "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64",
            "mbarrier.try_wait.acquire.cluster.shared::cta.b64",
            "mbarrier.test_wait.acquire.cluster.shared::cta.b64",
            "%cluster_ctarank",
            "%cluster_nctarank");
  }

  @Test
  void arraysThatHoldBoxesBeginWhereASwizzleDoes() {
    assertThat(compile("loads", false, Map.of())).contains(".shared .align 1024 .b8");
    assertThat(compile("wantsBulk", false, Map.of(3, 16))).contains(".shared .align 128 .b8");
  }

  private static InspectedKernel inspect(String name, Map<Integer, Object> constants) {
    Method method = method(name);
    return KernelCompiler.inspect(
        new KernelSource(
            TensorInstructionsTest.class.getClassLoader(),
            TensorInstructionsTest.class.getName().replace('.', '/'),
            name,
            MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .toMethodDescriptorString(),
            constants,
            false),
        new KernelTarget(90),
        (_, _) -> {});
  }

  @Test
  void whatACopyBecomesIsTold() {
    assertThat(inspect("tiles", Map.of()).kernel().copies())
        .hasSize(10)
        .allSatisfy(
            copy -> {
              assertThat(copy.mechanism()).isEqualTo("cp.async.bulk.tensor");
              assertThat(copy.direction()).isEqualTo("global-to-shared");
              assertThat(copy.bytes()).hasValue(128);
            });
    assertThat(inspect("stores", Map.of(2, Reduction.MIN)).kernel().copies())
        .extracting(LoweredCopy::mechanism, LoweredCopy::direction)
        .contains(
            org.assertj.core.groups.Tuple.tuple("cp.async.bulk.tensor", "shared-to-global"),
            org.assertj.core.groups.Tuple.tuple("cp.reduce.async.bulk.tensor", "shared-to-global"));
  }

  @Test
  void whatIsRightGetsNoLint() {
    assertThat(inspect("tiles", Map.of()).lints()).isEmpty();
    assertThat(inspect("wantsBulkStages", Map.of(3, 16)).lints()).isEmpty();
    assertThat(inspect("isToldByAnother", Map.of()).lints()).isEmpty();
  }

  /** An arrival does not wait for loads, and what a bulk copy stores need not come behind them. */
  @Test
  void readsEndBeforeOthersMayHaveACopyFillWhatWasRead() {
    String text = compile("wantsBulkStages", false, Map.of(3, 16));
    assertThat(text)
        .containsPattern(
            "ld\\.shared[^;]*;(?:(?!mbarrier)[^$])*fence\\.proxy\\.async\\.shared::cta;\\s+"
                + "mbarrier\\.arrive");
    assertThat(compile("loads", false, Map.of())).doesNotContain("fence.proxy.async");
    assertThat(compile("readsPlainly", false, Map.of())).doesNotContain("fence.proxy.async");
  }

  @ParameterizedTest
  @ValueSource(strings = {"wantsBulk", "wantsBulkStages"})
  void aCopyThatHasToBeABulkCopyIsOneOrDoesNotCompile(String name) {
    assertThat(compile(name, false, Map.of(3, 16))).contains("cp.async.bulk.shared::cluster");
    assertThatThrownBy(() -> compile(name, false, Map.of(3, 8)))
        .isInstanceOf(KernelRefusedException.class)
        .hasMessageContaining("would not become a bulk copy")
        .hasMessageContaining("16 bytes");
    assertThatThrownBy(() -> RefusedJavaTest.compile(method(name), false, 80, Map.of(3, 16)))
        .isInstanceOf(KernelRefusedException.class)
        .hasMessageContaining("would not become a bulk copy");
  }
}
