package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A report that the end of a process interrupts is complete before the process ends. */
class OnceTest {
  @Test
  void aSecondThreadReturnsWhenTheFirstHasDoneIt() throws InterruptedException {
    Once once = new Once();
    AtomicInteger done = new AtomicInteger();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Thread first =
        Thread.ofPlatform()
            .start(
                () ->
                    once.run(
                        () -> {
                          begun.countDown();
                          try {
                            goOn.await();
                          } catch (InterruptedException e) {
                            throw new AssertionError(e);
                          }
                          done.incrementAndGet();
                        }));
    begun.await();
    AtomicInteger seen = new AtomicInteger();
    Thread second =
        Thread.ofPlatform()
            .start(
                () -> {
                  once.run(done::incrementAndGet);
                  seen.set(done.get());
                });
    while (second.getState() != Thread.State.BLOCKED) {
      assertThat(second.isAlive()).as("it waits").isTrue();
      Thread.onSpinWait();
    }
    goOn.countDown();
    first.join();
    second.join();
    assertThat(seen).hasValue(1);
    assertThat(done).hasValue(1);
  }
}
