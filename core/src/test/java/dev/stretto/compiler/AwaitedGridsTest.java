package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxTensorCopies;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.TensorMap;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a kernel waits for the kernels before it on its stream. */
class AwaitedGridsTest {
  private static final String WAIT = "griddepcontrol.wait;";

  @Kernel
  static void guarded(ThreadBlock block, GlobalInts array, int n) {
    int i = (int) block.globalIndexX();
    if (i < n) {
      array.set(i, array.get(i) + 1);
    }
  }

  @Kernel
  static void returnsEarly(ThreadBlock block, GlobalInts array, int n) {
    int i = (int) block.globalIndexX();
    if (i >= n) {
      return;
    }
    array.set(i, 7);
  }

  @Kernel
  static void prepares(ThreadBlock block, GlobalInts array, int n) {
    SharedInts table = block.sharedInts(64);
    int rank = block.threadRank();
    for (int i = rank; i < 64; i += block.blockSizeX()) {
      table.set(i, i * i);
    }
    block.sync();
    for (int i = (int) block.globalIndexX(); i < n; i += block.gridSizeX() * block.blockSizeX()) {
      array.set(i, table.get(array.get(i) & 63));
    }
  }

  @Kernel
  static void accessesInALoop(ThreadBlock block, GlobalInts array, int rounds) {
    int value = block.threadRank();
    for (int round = 0; round < rounds; round++) {
      value = value * 31 + array.get(value & 7);
      array.set(value & 7, value);
    }
  }

  @Kernel
  static void roles(ThreadBlock block, GlobalInts array) {
    int rank = block.threadRank();
    SharedInts handed = block.sharedInts(32);
    handed.set(rank & 31, rank);
    block.sync();
    if (rank < 32) {
      array.set(rank, handed.get(rank));
    } else if (rank < 64) {
      array.set(rank, 2 * array.get(rank) + handed.get(rank & 31));
    }
  }

  @Kernel
  static void timed(ThreadBlock block, GlobalLongs times) {
    long begin = block.globalTimer();
    long cycles = block.clock();
    block.sync();
    times.set(block.threadRank(), block.globalTimer() - begin + block.clock() - cycles);
  }

  @Kernel
  static void copiesBoxes(ThreadBlock block, TensorMap from, TensorMap to) {
    SharedBytes box = block.sharedBytes(1024);
    SharedLongs barrier = block.sharedLongs(1);
    PtxTensorCopies.prefetchTensormap(from);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(barrier, 0, 1);
      PtxBulkCopies.fenceProxyAsync();
      PtxBarriers.mbarrierArriveExpectTx(barrier, 0, 1024);
      PtxTensorCopies.cpAsyncBulkTensorToShared(box, 0, from, 0, 0, barrier, 0);
      while (!PtxBarriers.mbarrierTryWaitParity(barrier, 0, 0)) {
        // It is on its way.
      }
      PtxTensorCopies.cpAsyncBulkTensorToGlobal(to, 0, 0, box, 0);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  @Kernel
  static void touchesNothing(ThreadBlock block, GlobalInts array) {}

  private static String ptx(String kernel, int sm) {
    Method method =
        Arrays.stream(AwaitedGridsTest.class.getDeclaredMethods())
            .filter(it -> it.getName().equals(kernel))
            .findFirst()
            .orElseThrow();
    return RefusedJavaTest.compile(method, false, sm, Map.of()).ptx().text();
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "guarded",
        "returnsEarly",
        "prepares",
        "accessesInALoop",
        "roles",
        "timed",
        "copiesBoxes",
        "touchesNothing"
      })
  void itWaitsOnceBeforeMemoryAndBeforeItReturns(String kernel) {
    String text = ptx(kernel, 90);
    assertThat(count(text, WAIT)).isOne();
    int wait = text.indexOf(WAIT);
    assertThat(text.substring(0, wait))
        .doesNotContain(
            "ld.global", "st.global", "cp.async.bulk.tensor", "%globaltimer", "%clock64", "\tret;");
  }

  @ParameterizedTest
  @ValueSource(strings = {"prepares", "roles"})
  void itWaitsBehindWhatNeedsNoMemory(String kernel) {
    String text = ptx(kernel, 90);
    assertThat(text.indexOf("bar.sync")).isPositive().isLessThan(text.indexOf(WAIT));
  }

  @Test
  void itPreparesATensorMapBefore() {
    String text = ptx("copiesBoxes", 90);
    assertThat(text.indexOf("prefetch.tensormap")).isPositive().isLessThan(text.indexOf(WAIT));
  }

  @Test
  void itWaitsBeforeALoopNotInIt() {
    String text = ptx("accessesInALoop", 90);
    assertThat(text.indexOf(WAIT)).isLessThan(text.indexOf("$L1:"));
  }

  @ParameterizedTest
  @ValueSource(ints = {75, 80, 89})
  void olderDevicesBeginWhenEverythingBeforeIsOver(int sm) {
    assertThat(ptx("guarded", sm)).doesNotContain("griddepcontrol");
  }

  @ParameterizedTest
  @ValueSource(ints = {90, 100, 120})
  void newerDevicesHaveIt(int sm) {
    assertThat(ptx("guarded", sm)).contains(WAIT);
  }
}
