package dev.stretto.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Filter;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RanksHereTest {
  private static final long LONG = TimeUnit.SECONDS.toNanos(60);

  private final AtomicBoolean isUnderWay = new AtomicBoolean();
  private final List<String> given = new ArrayList<>();
  private RanksHere ranks = RanksHere.enter("one");

  @AfterEach
  void leave() {
    ranks.leave(() -> {});
  }

  private void second() {
    ranks = RanksHere.enter("one");
    ranks.joined(isUnderWay::get);
  }

  /** Begins an end that goes on until it may go. */
  private static CompletableFuture<Void> endUntil(CountDownLatch go) throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    Runnable calls =
        () -> {
          begun.countDown();
          try {
            go.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    CompletableFuture<Void> end = CompletableFuture.runAsync(() -> RanksHere.end(calls, LONG));
    begun.await();
    return end;
  }

  @Test
  void contextsAreGivenUpWhenTheLastRankHasEnded() {
    second();
    ranks.leave(() -> given.add("first"));
    assertThat(given).isEmpty();
    ranks.leave(() -> given.add("second"));
    assertThat(given).containsExactly("first", "second");
    ranks = RanksHere.enter("one");
  }

  @Test
  void anEndWaitsForTheOperationsOfRanksThatShareTheProcess() throws Exception {
    second();
    isUnderWay.set(true);
    CountDownLatch ended = new CountDownLatch(1);
    CompletableFuture<Void> end =
        CompletableFuture.runAsync(() -> RanksHere.end(ended::countDown, LONG));
    assertThat(ended.await(50, TimeUnit.MILLISECONDS)).isFalse();
    ranks.awaitNoEnd(); // the operation that the first one waits for
    isUnderWay.set(false);
    end.get(60, TimeUnit.SECONDS);
    ranks.leave(() -> {});
  }

  @Test
  void anEndThatWaitsForLongIsToldOf() throws Exception {
    second();
    isUnderWay.set(true);
    CompletableFuture<String> told = new CompletableFuture<>();
    Logger logger = Logger.getLogger("dev.stretto");
    Filter before = logger.getFilter();
    logger.setFilter(
        each -> !each.getMessage().startsWith("NCCL keeps") || !told.complete(each.getMessage()));
    try {
      CompletableFuture<Void> end = CompletableFuture.runAsync(() -> RanksHere.end(() -> {}, LONG));
      assertThat(told.get(60, TimeUnit.SECONDS)).contains("await all of them at some time");
      assertThat(end).isNotDone();
      isUnderWay.set(false);
      end.get(60, TimeUnit.SECONDS);
    } finally {
      logger.setFilter(before);
    }
    ranks.leave(() -> {});
  }

  @Test
  void anEndThatMayNotWaitGoesOn() {
    second();
    isUnderWay.set(true);
    RanksHere.end(() -> given.add("ended"), 1_000_000);
    assertThat(given).containsExactly("ended");
    ranks.leave(() -> {});
  }

  @Test
  void aRankAloneInItsProcessIsNotWaitedFor() {
    ranks.joined(() -> true);
    RanksHere.end(() -> given.add("ended"), LONG);
    assertThat(given).containsExactly("ended");
  }

  @Test
  void anOperationWaitsForAnEndThatIsUnderWayEvenIfInterrupted() throws Exception {
    second();
    CountDownLatch go = new CountDownLatch(1);
    CompletableFuture<Void> end = endUntil(go);
    AtomicBoolean isInterrupted = new AtomicBoolean();
    Thread operation =
        Thread.ofPlatform()
            .start(
                () -> {
                  ranks.awaitNoEnd();
                  isInterrupted.set(Thread.currentThread().isInterrupted());
                });
    operation.interrupt();
    operation.join(50);
    assertThat(operation.isAlive()).isTrue();
    go.countDown();
    operation.join();
    end.get(60, TimeUnit.SECONDS);
    assertThat(isInterrupted).isTrue();
    ranks.leave(() -> {});
  }

  @Test
  void anEndThatTakesLongKeepsNoOperationForEver() throws Exception {
    second();
    CountDownLatch go = new CountDownLatch(1);
    CompletableFuture<Void> end = endUntil(go);
    ranks.awaitNoEnd();
    go.countDown();
    end.get(60, TimeUnit.SECONDS);
    ranks.leave(() -> {});
  }
}
