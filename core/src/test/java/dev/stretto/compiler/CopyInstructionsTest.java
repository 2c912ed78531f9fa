package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxCopies;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The instructions of copies and barrier objects are PTX, each as its method says. */
class CopyInstructionsTest {
  @Kernel
  static void ofEveryTarget(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(2);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 0, 64);
      PtxBarriers.mbarrierInit(words, 1, 200);
    }
    block.sync();
    PtxCopies.cpAsyncCa4(tile, 4 * block.threadRank(), in, 4 * block.threadRank());
    boolean outside = block.threadRank() > 60;
    PtxCopies.cpAsyncCommitGroup();
    PtxCopies.cpAsyncWaitGroup(0);
    PtxCopies.cpAsyncWaitAll();
    PtxCopies.cpAsyncCa4(tile, 0, in, 0, 2);
    PtxCopies.cpAsyncCa4(tile, 0, in, 0, outside);
    PtxCopies.cpAsyncCa8(tile, 0, in, 0);
    PtxCopies.cpAsyncCa8(tile, 0, in, 0, 5);
    PtxCopies.cpAsyncCa8(tile, 0, in, 0, outside);
    PtxCopies.cpAsyncCa16(tile, 0, in, 0);
    PtxCopies.cpAsyncCa16(tile, 0, in, 0, 5);
    PtxCopies.cpAsyncCa16(tile, 0, in, 0, outside);
    PtxCopies.cpAsyncCg16(tile, 0, in, 0);
    PtxCopies.cpAsyncCg16(tile, 0, in, 0, 5);
    PtxCopies.cpAsyncCg16(tile, 0, in, 0, outside);
    PtxCopies.cpAsyncCg16L2128B(tile, 0, in, 0);
    PtxCopies.cpAsyncCg16CacheHint(tile, 0, in, 0, PtxCopies.createPolicyEvictFirst());
    PtxCopies.cpAsyncCg16CacheHint(tile, 0, in, 0, PtxCopies.createPolicyEvictLast());
    PtxBarriers.cpAsyncMbarrierArrive(words, 0);
    PtxBarriers.cpAsyncMbarrierArriveNoinc(words, 1);
    long state = PtxBarriers.mbarrierArrive(words, 0);
    long other = PtxBarriers.mbarrierArriveNoComplete(words, 1, 1);
    PtxBarriers.mbarrierArriveDropNoComplete(words, 1, 1);
    while (!PtxBarriers.mbarrierTestWait(words, 0, state)) {
      // Asks again.
    }
    while (!PtxBarriers.mbarrierTestWaitParity(words, 0, 0)) {
      // Asks again.
    }
    out.set(block.threadRank(), tile.get(0) + PtxBarriers.mbarrierPendingCount(other));
    PtxBarriers.mbarrierArriveDrop(words, 0);
    block.sync();
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInval(words, 1);
    }
  }

  @Kernel
  static void ofNewerTargets(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 0, 2);
    }
    block.sync();
    if (PtxBulkCopies.electSync()) {
      PtxBarriers.mbarrierExpectTx(words, 0, 32);
      PtxBarriers.mbarrierCompleteTx(words, 0, 32);
      PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, 0, 256, words, 0);
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
      long state = PtxBarriers.mbarrierArrive(words, 0, 1);
      while (!PtxBarriers.mbarrierTryWait(words, 0, state)) {
        // Asks again.
      }
    }
    while (!PtxBarriers.mbarrierTryWaitParity(words, 0, 0, 1000)) {
      // Asks again.
    }
    while (!PtxBarriers.mbarrierTryWaitParity(words, 0, 0)) {
      // Asks again.
    }
    tile.set(block.threadRank(), tile.get(block.threadRank()) + 1);
    PtxBulkCopies.fenceProxyAsyncShared();
    PtxBulkCopies.fenceProxyAsync();
    block.sync();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  @Kernel
  static void withHints(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(128);
    Barrier full = block.barrier(1, Scope.CLUSTER);
    SharedLongs words = full.words();
    long policy = PtxCopies.createPolicyEvictFirst();
    if (block.threadRank() == 0) {
      full.arriveExpecting(512);
      PtxBulkCopies.cpAsyncBulkToSharedCacheHint(tile, 0, in, 0, 256, words, 0, policy);
      PtxBulkCopies.cpAsyncBulkToSharedMulticastCacheHint(
          tile, 256, in, 256, 256, words, 0, 1, policy);
    }
    full.waitForParity(0);
    tile.set(block.threadRank(), tile.get(block.threadRank()) + 1);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobalCacheHint(out, 0, tile, 0, 512, policy);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  static void expects(ThreadBlock block, @Const int bytes) {
    SharedLongs words = block.sharedLongs(1);
    PtxBarriers.mbarrierInit(words, 0, 1);
    PtxBarriers.mbarrierExpectTx(words, 0, bytes);
  }

  @Kernel
  static void expectsWhatItIsGiven(ThreadBlock block, int bytes) {
    SharedLongs words = block.sharedLongs(1);
    PtxBarriers.mbarrierInit(words, 0, 1);
    PtxBarriers.mbarrierExpectTx(words, 0, bytes);
  }

  private static CompiledKernel compile(
      String name, int sm, boolean checked, Map<Integer, Object> constants) {
    Method method =
        Arrays.stream(CopyInstructionsTest.class.getDeclaredMethods())
            .filter(it -> it.getName().equals(name))
            .findFirst()
            .orElseThrow();
    return RefusedJavaTest.compile(method, checked, sm, constants);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sm_80", "sm_90", "sm_90a"})
  void theAssemblerTakesThem(String architecture, @TempDir Path folder)
      throws IOException, InterruptedException {
    Optional<Ptxas> ptxas = Ptxas.find();
    assumeTrue(ptxas.isPresent(), "there is no ptxas on the PATH");
    int sm = architecture.startsWith("sm_90") ? 90 : 80;
    List<String> names =
        sm == 90
            ? List.of("ofEveryTarget", "ofNewerTargets", "withHints")
            : List.of("ofEveryTarget");
    List<String> texts =
        names.stream().map(name -> compile(name, sm, false, Map.of()).ptx().text()).toList();
    assertThat(ptxas.get().complaints(Ptxas.together(texts), architecture, folder)).isEmpty();
  }

  /**
   * Each method of the rooms of instructions stands in one of the kernels above; relaxed arrivals
   * stand in those of {@link ClusterInstructionsTest}.
   */
  @Test
  void noneIsLeftOut() {
    TreeSet<String> methods = new TreeSet<>();
    for (Class<?> room : List.of(PtxBarriers.class, PtxBulkCopies.class, PtxCopies.class)) {
      Arrays.stream(room.getDeclaredMethods())
          .filter(method -> Modifier.isPublic(method.getModifiers()))
          .filter(method -> !method.getName().endsWith("Relaxed"))
          .forEach(method -> methods.add(method.getName()));
    }
    String text =
        compile("ofEveryTarget", 90, false, Map.of()).ptx().text()
            + compile("ofNewerTargets", 90, false, Map.of()).ptx().text()
            + compile("withHints", 90, false, Map.of()).ptx().text();
    assertThat(methods).hasSize(40);
    assertThat(text)
        .contains(
            "mbarrier.init",
            "mbarrier.inval",
            "mbarrier.arrive.shared",
            "mbarrier.arrive.noComplete",
            "mbarrier.arrive_drop.shared",
            "mbarrier.arrive_drop.noComplete",
            "mbarrier.arrive.release",
            "mbarrier.arrive.expect_tx",
            "mbarrier.expect_tx",
            "mbarrier.complete_tx",
            "mbarrier.pending_count",
            "mbarrier.test_wait.shared",
            "mbarrier.test_wait.parity",
            "mbarrier.try_wait.shared",
            "mbarrier.try_wait.parity",
            "cp.async.mbarrier.arrive.shared",
            "cp.async.mbarrier.arrive.noinc",
            "cp.async.bulk.shared::cluster.global",
            "cp.async.bulk.global.shared::cta",
            "mbarrier::complete_tx::bytes.L2::cache_hint",
            "multicast::cluster.L2::cache_hint",
            "bulk_group.L2::cache_hint",
            "cp.async.bulk.commit_group",
            "cp.async.bulk.wait_group 0",
            "cp.async.bulk.wait_group.read 0",
            "fence.proxy.async;",
            "fence.proxy.async.shared::cta",
            "elect.sync",
            "cp.async.ca.shared.global",
            "cp.async.cg.shared.global",
            "cp.async.cg.shared.global.L2::128B",
            "cp.async.cg.shared.global.L2::cache_hint",
            "createpolicy.fractional.L2::evict_first",
            "createpolicy.fractional.L2::evict_last",
            "cp.async.commit_group",
            "cp.async.wait_group 0",
            "cp.async.wait_all");
  }

  @Test
  void anOlderTargetRefusesWhatItLacks() {
    assertThatThrownBy(() -> compile("ofNewerTargets", 80, false, Map.of()))
        .isInstanceOf(KernelRefusedException.class)
        .hasMessageContaining("needs compute capability 9.0");
  }

  @Test
  void aConstantOutOfRangeIsRefused() {
    compile("expects", 90, false, Map.of(1, PtxBarriers.MOST));
    assertThatThrownBy(() -> compile("expects", 90, false, Map.of(1, PtxBarriers.MOST + 1)))
        .isInstanceOf(KernelRefusedException.class)
        .hasMessageContaining("out-of-range: 1048576 is given")
        .hasMessageContaining("0 to 1048575");
  }

  @Test
  void anyOtherNumberIsCheckedInCheckedMode() {
    assertThat(compile("expectsWhatItIsGiven", 90, false, Map.of()).ptx().faults()).isEmpty();
    assertThat(compile("expectsWhatItIsGiven", 90, true, Map.of()).ptx().faults())
        .anyMatch(site -> site.trap().message().contains("0 to 1048575"));
  }
}
