package dev.stretto.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.memory.GlobalInts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks that form clusters on a virtual device, in many orders of their threads. */
class ClusterTest {
  private static TwinRun pair(long seed) {
    return TwinRun.seeded(seed).grid(2, 64).cluster(2, 1, 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7})
  void threadsThatArriveAndReturnStandForNoOthers(long seed) {
    TwinRun run = pair(seed);
    GlobalInts out = run.ints(2);
    run.launch(
        (ThreadBlock block, GlobalInts to) -> {
          int rank = block.cluster().blockRank();
          if (rank == 0 && block.threadRank() < 32) {
            block.cluster().arrive();
            return;
          }
          if (rank == 1 && block.threadRank() == 63) {
            for (int i = 0; i < 50; i++) {
              Ptx.nanosleep(1);
            }
            to.set(0, 42);
          }
          block.cluster().arrive();
          block.cluster().waitForAll();
          if (rank == 0 && block.threadRank() == 63) {
            to.set(1, to.get(0));
          }
        },
        out);
    assertThat(TwinRun.values(out)).containsExactly(42, 42);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 3})
  void aFenceAndARelaxedArrivalMakeABarrierKnown(long seed) {
    TwinRun run = pair(seed);
    GlobalInts out = run.ints(2);
    run.launch(
        (ThreadBlock block, GlobalInts to) -> {
          SharedLongs words = block.sharedLongs(1);
          if (block.threadRank() == 0) {
            PtxBarriers.mbarrierInit(words, 0, 1);
            PtxClusters.fenceMbarrierInit();
          }
          PtxClusters.barrierClusterArriveRelaxed();
          PtxClusters.barrierClusterWait();
          Barrier turn = block.barrierAt(words, 0, Scope.CLUSTER);
          if (block.threadRank() == 0) {
            turn.arriveAt(block.cluster().blockRank() ^ 1);
          }
          turn.waitForParity(0);
          to.set(block.cluster().blockRank(), 1);
          block.cluster().sync();
        },
        out);
    assertThat(TwinRun.values(out)).containsExactly(1, 1);
  }

  @Test
  void theRankIsKnownToThreadsThatDoNotWait() {
    TwinRun run = pair(0);
    GlobalInts out = run.ints(2);
    run.launch(
        (ThreadBlock block, GlobalInts to) ->
            to.set(block.blockIndexX(), 10 * block.cluster().size() + block.cluster().blockRank()),
        out);
    assertThat(TwinRun.values(out)).containsExactly(20, 21);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 3})
  void aBlockThatEndsWhileACopyFillsItIsTold(long seed) {
    TwinRun run = pair(seed);
    GlobalInts in = run.ints(64);
    assertThatThrownBy(
            () ->
                run.launch(
                    (ThreadBlock block, GlobalInts from) -> {
                      SharedInts tile = block.sharedInts(64);
                      Barrier full = block.barrier(1, Scope.CLUSTER);
                      if (block.threadRank() == 0) {
                        full.arriveExpecting(256);
                      }
                      block.cluster().sync();
                      if (block.cluster().blockRank() == 0) {
                        if (block.threadRank() == 0) {
                          PtxBulkCopies.cpAsyncBulkToSharedMulticast(
                              tile, 0, from, 0, 256, full.words(), full.index(), 3);
                        }
                        full.waitForParity(0);
                      }
                      block.cluster().arrive();
                      block.cluster().waitForAll();
                    },
                    in))
        .hasMessageContaining("missing-wait")
        .hasMessageContaining("ends while cpAsyncBulkToSharedMulticast of thread 0");
  }

  @Test
  void arrivingTwiceAndWaitingWithoutAnArrivalAreTold() {
    assertThatThrownBy(
            () ->
                pair(0)
                    .launch(
                        (ThreadBlock block) -> {
                          block.cluster().arrive();
                          block.cluster().arrive();
                        }))
        .hasMessageContaining("a second time");
    assertThatThrownBy(() -> pair(0).launch((ThreadBlock block) -> block.cluster().waitForAll()))
        .hasMessageContaining("without an arrival");
  }
}
