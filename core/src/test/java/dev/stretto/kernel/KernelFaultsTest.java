package dev.stretto.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.stretto.contract.KernelsThatFail;
import dev.stretto.contract.LoggedErrors;
import dev.stretto.fault.DeadlockException;
import dev.stretto.kernel.machine.Impatience;
import dev.stretto.memory.GlobalInts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of a kernel that goes wrong. */
@Timeout(60)
class KernelFaultsTest {
  private static void beyond(ThreadBlock block, GlobalInts out) {
    out.set(block.globalIndexX(), 1);
  }

  private static int lineOf(String method, Throwable thrown) {
    for (StackTraceElement element : thrown.getStackTrace()) {
      if (element.getMethodName().equals(method)) {
        return element.getLineNumber();
      }
    }
    throw new AssertionError(method + " is not in the stack", thrown);
  }

  @Test
  void anExceptionNamesKernelLineBlockAndThread() {
    TwinRun run = TwinRun.byRank().grid(3, 8);
    GlobalInts out = run.ints(21);
    Throwable thrown = catchThrowable(() -> run.launch(KernelFaultsTest::beyond, out));
    assertThat(thrown)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Index 21 out of bounds for length 21, in kernel beyond")
        .hasMessageEndingWith(
            "kernel beyond (KernelFaultsTest.java:"
                + lineOf("beyond", thrown.getCause())
                + "), block (2, 0, 0), thread (5, 0, 0)")
        .hasCauseInstanceOf(IndexOutOfBoundsException.class);
    assertThat(TwinRun.values(out)).containsOnly(1);
  }

  private static void countsForLong(ThreadBlock block, GlobalInts out) {
    block.sync();
    for (int i = 0; i < 100_000; i++) {
      Atomics.add(out, 0, 1);
    }
    block.sync();
  }

  @Test
  void aKernelThatIsAtItForLongIsNoDeadlockAndThatItIsIsLogged() {
    TwinRun run = TwinRun.byRank().grid(1, 4);
    GlobalInts out = run.ints(1);
    try (Impatience _ = Impatience.begin();
        LoggedErrors logged = new LoggedErrors()) {
      run.launch(KernelFaultsTest::countsForLong, out);
      assertThat(logged.messages())
          .filteredOn(message -> message.contains("in kernel countsForLong"))
          .singleElement()
          .asString()
          .contains("no thread of a block has returned or got past a barrier");
    }
    assertThat(TwinRun.values(out)).containsExactly(400_000);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2})
  void anExceptionEndsAllThreadsThatWait(long seed) {
    TwinRun run = TwinRun.seeded(seed).grid(3, 8);
    GlobalInts out = run.ints(23);
    Throwable thrown = catchThrowable(() -> run.launch(KernelsThatFail::beyondTogether, out));
    assertThat(thrown)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Index 23 out of bounds for length 23, in kernel beyondTogether")
        .hasMessageEndingWith(
            "kernel beyondTogether (KernelsThatFail.java:"
                + lineOf("beyond", thrown.getCause())
                + "), block (2, 0, 0), thread (7, 0, 0)");
    // Nothing is left behind: the next launch is as the first.
    run.launch(KernelsThatFail::beyondTogether, run.ints(24));
  }

  private static void checked(ThreadBlock block) throws Exception {
    if (block.threadRank() == 3) {
      throw new Exception("sneaked past the compiler");
    }
  }

  private static void sneaks(ThreadBlock block) {
    KernelFaultsTest.<RuntimeException>sneak(block);
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void sneak(ThreadBlock block) throws E {
    try {
      checked(block);
    } catch (Exception e) {
      throw (E) e;
    }
  }

  @Test
  void aCheckedExceptionIsOneToo() {
    assertThatThrownBy(() -> TwinRun.byRank().launch(KernelFaultsTest::sneaks))
        .hasMessageStartingWith(
            "java.lang.Exception: sneaked past the compiler, in kernel sneaks"
                + " (KernelFaultsTest.java:")
        .hasMessageEndingWith("thread (3, 0, 0)");
  }

  private static void waitForTwo(ThreadBlock block) {
    if (block.threadRank() < 32) {
      Ptx.barSync(1, 64);
    } else if (block.threadRank() < 40) {
      block.warp().shuffle(0xff, 0, 0);
      block.sync();
    } else if (block.threadRank() < 48) {
      block.warp().ballot(0xffff00, true);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2})
  void aDeadlockNamesWhoWaitsWhere(long seed) {
    assertThatThrownBy(() -> TwinRun.seeded(seed).grid(1, 64).launch(KernelFaultsTest::waitForTwo))
        .hasCauseInstanceOf(DeadlockException.class)
        .hasMessageMatching(
            "no thread of the block can go on: threads 0 to"
                + " 31 wait in sync of 64 threads of barrier 1 \\(KernelFaultsTest.java:\\d+\\);"
                + " threads 32 to 39 wait in sync of barrier 0 \\(KernelFaultsTest.java:\\d+\\); 24"
                + " threads have returned, in kernel waitForTwo, block \\(0, 0, 0\\)");
  }

  private static void differentCalls(ThreadBlock block) {
    if (block.threadRank() == 5) {
      block.warp().any(true);
    } else {
      block.warp().ballot(true);
    }
  }

  @Test
  void lanesThatWaitForEachOtherInDifferentCallsAreTold() {
    assertThatThrownBy(() -> TwinRun.byRank().launch(KernelFaultsTest::differentCalls))
        .hasMessageContaining(
            "lane 5 of warp 0 calls any of all lanes while lane 0 of warp 0 waits for it in ballot"
                + " of all lanes");
  }

  @SuppressWarnings("DuplicateBranches")
  private static void divergentBarrier(ThreadBlock block) {
    if (block.threadRank() % 2 == 0) {
      block.sync();
    } else {
      block.sync();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1})
  void aBarrierThatAWarpReachesAtTwoPlacesIsTold(long seed) {
    assertThatThrownBy(
            () -> TwinRun.seeded(seed).grid(1, 32).launch(KernelFaultsTest::divergentBarrier))
        .hasMessageMatching(
            "(?s).*sync at KernelFaultsTest.java:\\d+ while other threads of the same warp wait at"
                + " KernelFaultsTest.java:\\d+: the threads of a warp have to arrive at a barrier"
                + " at the same place.*");
  }

  @SuppressWarnings("DuplicateBranches")
  private static void whole(ThreadBlock block) {
    if (block.threadRank() < 32) {
      block.sync();
    } else {
      block.sync();
    }
  }

  @Test
  void warpsMayReachABarrierAtDifferentPlaces() {
    TwinRun.seeded(1).grid(1, 64).launch(KernelFaultsTest::whole);
  }

  private static void mixed(ThreadBlock block) {
    if (block.threadRank() < 32) {
      block.sync();
    } else {
      block.syncCount(true);
    }
  }

  @Test
  void aBarrierIsUsedInOneWayAtATime() {
    assertThatThrownBy(() -> TwinRun.byRank().grid(1, 64).launch(KernelFaultsTest::mixed))
        .hasMessageContaining(
            "barrier 0: thread 32 arrives with syncCount where others wait in sync");
  }

  @Test
  void whatNeedsAKernelIsRefusedOutsideOfOne() {
    assertThatThrownBy(() -> Ptx.barSync(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("for kernels");
  }
}
