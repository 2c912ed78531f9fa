package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** That a soak tells a pool that fills from threads that stay behind. */
class SoakThreadsTest {
  private static final SoakThreads FIRST = new SoakThreads(Map.of("main", 1, "stretto-watch #", 1));

  @Test
  void aPoolThatHadNotGrownAtTheFirstLookMayFill() {
    int cores = Runtime.getRuntime().availableProcessors();
    SoakThreads last =
        new SoakThreads(
            Map.of(
                "main",
                1,
                "stretto-watch #",
                2,
                "stretto-pump cuda:# #",
                2 * Math.min(cores, 12),
                "ForkJoinPool-#-worker-#",
                cores));
    assertThat(last.grownSince(FIRST)).isEmpty();
  }

  @Test
  void threadsThatStayBehindAreNamedByTheirKind() {
    SoakThreads last =
        new SoakThreads(Map.of("stretto-watch #", 40, "stretto-pump cuda:# #", 1_000));
    assertThat(last.grownSince(FIRST))
        .containsExactlyInAnyOrder(
            "stretto-pump cuda:# #: 1000, 0 at first", "stretto-watch #: 40, 1 at first");
  }

  @Test
  void whatGoesOnIsSeen() throws InterruptedException {
    Thread thread = Thread.ofPlatform().name("soaked-77").start(SoakThreadsTest::untilInterrupted);
    assertThat(SoakThreads.now().byKind()).containsEntry("soaked-#", 1);
    thread.interrupt();
    thread.join();
    assertThat(SoakThreads.now().byKind()).doesNotContainKey("soaked-#");
  }

  private static void untilInterrupted() {
    try {
      Thread.sleep(60_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
