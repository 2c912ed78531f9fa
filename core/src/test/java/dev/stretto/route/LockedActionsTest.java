package dev.stretto.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Actions that one thread at a time runs, with the driver's lock held. */
@Timeout(60)
class LockedActionsTest {
  private final DriverLock lock = new DriverLock();
  private final LockedActions actions = new LockedActions(lock);

  @Test
  void eachRunsOnceWithTheLockHeldAndThoseOfAThreadInOrder() throws InterruptedException {
    int threads = 4;
    int each = 5_000;
    List<List<Integer>> ran = new ArrayList<>();
    CountDownLatch all = new CountDownLatch(threads * each);
    List<Thread> started = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      List<Integer> own = new ArrayList<>();
      ran.add(own);
      started.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int k = 0; k < each; k++) {
                      int number = k;
                      actions.run(
                          () -> {
                            lock.assertHeld();
                            own.add(number);
                            all.countDown();
                          });
                    }
                  }));
    }
    for (Thread thread : started) {
      thread.join();
    }
    assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
    synchronized (lock) {
      assertThat(ran).allSatisfy(own -> assertThat(own).hasSize(each).isSorted());
    }
  }

  @Test
  void anActionThatBringsAnotherDoesNotWaitForIt() {
    List<String> ran = new ArrayList<>();
    actions.run(
        () -> {
          actions.run(() -> ran.add("second"));
          ran.add("first");
        });
    assertThat(ran).containsExactly("first", "second");
  }

  @Test
  void actionsAreLeftToAThreadThatAttendsUntilItLeaves() {
    List<String> ran = new ArrayList<>();
    actions.attend();
    actions.run(() -> ran.add("first"));
    assertThat(ran).isEmpty();
    assertThat(actions.isAny()).isTrue();
    actions.runAll();
    actions.run(() -> ran.add("second"));
    actions.leave();
    actions.run(() -> ran.add("third"));
    assertThat(ran).containsExactly("first", "second", "third");
  }

  @Test
  void anActionThatThrowsKeepsNoOtherFromBeingRun() {
    List<String> ran = new ArrayList<>();
    actions.attend();
    actions.run(
        () -> {
          throw new IllegalStateException("for the test");
        });
    actions.run(() -> ran.add("second"));
    actions.leave();
    actions.run(() -> ran.add("third"));
    assertThat(ran).containsExactly("second", "third");
  }

  @Test
  void nothingIsLostWhenTheThreadThatAttendsComesAndGoes() throws InterruptedException {
    int each = 20_000;
    CountDownLatch all = new CountDownLatch(each);
    CountDownLatch over = new CountDownLatch(1);
    Thread attending =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (over.getCount() > 0) {
                    actions.attend();
                    actions.runAll();
                    actions.leave();
                  }
                });
    for (int i = 0; i < each; i++) {
      actions.run(all::countDown);
    }
    // Without another action: the last one, too, must not need a later one to be run.
    assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
    over.countDown();
    attending.join();
  }

  @Test
  void aThreadThatComesWhileTheLockIsTakenByActionsDoesNotWait() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch left = new CountDownLatch(1);
    List<String> ran = new ArrayList<>();
    Thread busy =
        Thread.ofPlatform()
            .start(
                () ->
                    actions.run(
                        () -> {
                          inside.countDown();
                          try {
                            boolean _ = left.await(20, TimeUnit.SECONDS);
                          } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                          }
                          ran.add("slow");
                        }));
    assertThat(inside.await(10, TimeUnit.SECONDS)).isTrue();
    actions.run(() -> ran.add("left behind")); // returns although the lock is held
    left.countDown();
    busy.join();
    synchronized (lock) {
      assertThat(ran).containsExactly("slow", "left behind");
    }
  }
}
