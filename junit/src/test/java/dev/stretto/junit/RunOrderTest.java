package dev.stretto.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which runs are side by side, and what they share. */
class RunOrderTest {
  private static final String[] PARALLEL = {
    "junit.jupiter.execution.parallel.enabled=true",
    "junit.jupiter.execution.parallel.config.strategy=fixed",
    "junit.jupiter.execution.parallel.config.fixed.parallelism=4",
  };

  private static final Set<Thread> THREADS = Collections.synchronizedSet(new HashSet<>());
  private static final List<Programs> INSTANCES = Collections.synchronizedList(new ArrayList<>());
  private static volatile CountDownLatch bothRun = new CountDownLatch(2);

  /** Right programs. */
  static class Programs {
    private int befores;

    @BeforeEach
    void countRuns(Device device, @Seed long seed) {
      assertThat(device.isOpen()).isTrue();
      assertThat(seed).isNotNegative();
      befores++;
    }

    @DeviceTest(seeds = 2, gpu = Gpu.NEVER)
    void waitsForTheOtherSeed() throws InterruptedException {
      THREADS.add(Thread.currentThread());
      bothRun.countDown();
      assertThat(bothRun.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @DeviceTest(seeds = 8, faults = Faults.ONE_BY_ONE, gpu = Gpu.NEVER)
    void copies(Device device) {
      THREADS.add(Thread.currentThread());
      INSTANCES.add(this);
      assertThat(befores).isEqualTo(1);
      try (Stream stream = device.stream();
          GlobalInts x = device.allocateInts(10)) {
        stream.fill(x, 1);
        stream.copy(x, new int[10]).await();
      }
    }
  }

  @Test
  void seedsRunSideBySideWhereJUnitDoes() {
    THREADS.clear();
    bothRun = new CountDownLatch(2);
    Runs runs = Runs.of(Programs.class, "waitsForTheOtherSeed", PARALLEL);
    assertThat(runs.failed()).isEmpty();
    assertThat(THREADS).hasSize(2);
  }

  @Test
  void faultsFollowTheRunThatCountsTheCallsThoughJUnitRunsTestsSideBySide() {
    THREADS.clear();
    INSTANCES.clear();
    Runs alone = Runs.of(Programs.class, "copies");
    int runs = INSTANCES.size();
    assertThat(runs).isGreaterThan(12);
    assertThat(new HashSet<>(INSTANCES)).as("each run has an instance of its own").hasSize(runs);

    THREADS.clear();
    Runs beside = Runs.of(Programs.class, "copies", PARALLEL);
    assertThat(beside.failed()).isEmpty();
    assertThat(beside.names()).isEqualTo(alone.names());
    assertThat(THREADS).hasSize(1);
  }
}
