package dev.stretto.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a pool of threads needs of its queue: no task is lost, and no thread waits for nothing. */
@Timeout(60)
class SpinningQueueTest {
  private static final int THREADS = 4;

  private static ThreadPoolExecutor pool(long spinNanos) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(THREADS, THREADS, 1, TimeUnit.SECONDS, new SpinningQueue(spinNanos));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 50_000})
  void everyTaskRunsOnceWithSeveralThreadsThatBringTasks(long spinNanos)
      throws InterruptedException {
    int producers = 3;
    int each = 20_000;
    AtomicInteger ran = new AtomicInteger();
    CountDownLatch all = new CountDownLatch(producers * each);
    try (ThreadPoolExecutor pool = pool(spinNanos)) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < producers; i++) {
        threads.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int k = 0; k < each; k++) {
                        pool.execute(
                            () -> {
                              ran.incrementAndGet();
                              all.countDown();
                            });
                        if (k % 500 == 0) {
                          LockSupport.parkNanos(200_000); // so that the pool's threads park
                        }
                      }
                    }));
      }
      assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertThat(ran).hasValue(producers * each);
  }

  @Test
  void aTaskThatComesWhileAllThreadsAreParkedWakesOne() throws InterruptedException {
    try (ThreadPoolExecutor pool = pool(0)) {
      for (int i = 0; i < 200; i++) {
        CountDownLatch done = new CountDownLatch(1);
        pool.execute(done::countDown);
        assertThat(done.await(10, TimeUnit.SECONDS)).as("task %d", i).isTrue();
        LockSupport.parkNanos(100_000);
      }
    }
  }

  @Test
  void asManyTasksAsThereAreThreadsRunAtTheSameTime() throws InterruptedException {
    try (ThreadPoolExecutor pool = pool(50_000)) {
      for (int round = 0; round < 50; round++) {
        CountDownLatch together = new CountDownLatch(THREADS);
        AtomicInteger met = new AtomicInteger();
        CountDownLatch over = new CountDownLatch(THREADS);
        for (int i = 0; i < THREADS; i++) {
          pool.execute(
              () -> {
                together.countDown();
                try {
                  if (together.await(10, TimeUnit.SECONDS)) {
                    met.incrementAndGet();
                  }
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
                over.countDown();
              });
        }
        assertThat(over.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(met).hasValue(THREADS);
        LockSupport.parkNanos(round % 2 == 0 ? 300_000 : 1);
      }
    }
  }

  /** Waking a thread takes as long as a task: the one that parked last is still in the caches. */
  @Test
  void aTaskGoesToTheThreadThatParkedLast() throws InterruptedException {
    Set<Thread> ran = ConcurrentHashMap.newKeySet();
    try (ThreadPoolExecutor pool = pool(0)) {
      pool.prestartAllCoreThreads();
      LockSupport.parkNanos(100_000_000); // all have parked
      for (int i = 0; i < 100; i++) {
        CountDownLatch done = new CountDownLatch(1);
        pool.execute(
            () -> {
              ran.add(Thread.currentThread());
              done.countDown();
            });
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        while (!ran.stream().allMatch(SpinningQueueTest::isParked)) {
          Thread.onSpinWait();
        }
      }
    }
    assertThat(ran).hasSize(1);
  }

  private static boolean isParked(Thread thread) {
    return thread.getState() == Thread.State.TIMED_WAITING;
  }

  @Test
  void idleThreadsEndAndAShutdownWaitsForNone() throws InterruptedException {
    ThreadPoolExecutor pool = pool(50_000);
    pool.prestartAllCoreThreads();
    LockSupport.parkNanos(10_000_000);
    pool.shutdown();
    assertThat(pool.awaitTermination(500, TimeUnit.MILLISECONDS)).isTrue();

    try (ThreadPoolExecutor other = pool(50_000)) {
      other.prestartAllCoreThreads();
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      while (other.getPoolSize() > 0 && System.nanoTime() < deadline) {
        LockSupport.parkNanos(10_000_000);
      }
      assertThat(other.getPoolSize()).isZero();
    }
  }
}
