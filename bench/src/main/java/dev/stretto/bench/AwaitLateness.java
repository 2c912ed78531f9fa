package dev.stretto.bench;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import com.sun.management.OperatingSystemMXBean;
import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;

/**
 * How late {@code await()} returns after work of a known length, and what the wait costs.
 *
 * <p>The work is a kernel that spins and a copy of 4 bytes to pinned memory behind it. A platform
 * thread only reads that word; when it sees it change, the work is done, possibly before the driver
 * knows it, so the lateness is too long rather than too short. The processor time is that of the
 * whole process without that thread, for one wait.
 */
final class AwaitLateness {
  private static final int LINE = 64;

  /** Work of some length, how often, and how many wait for it at a time. */
  private record Work(long millis, int rounds, int lanes) {}

  private static final List<Work> WORKS =
      List.of(
          new Work(1, 400, 1),
          new Work(3, 300, 1),
          new Work(10, 150, 1),
          new Work(100, 40, 1),
          new Work(1_000, 3, 8),
          new Work(10_000, 1, 16));

  /** Between two lanes, so that their ends do not meet. */
  private static final long APART_NANOS = 2_000_000;

  private static final int WARM_UPS = 300;

  private final Device device;
  private final Report report;
  private final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  AwaitLateness(Device device, Report report) {
    this.device = device;
    this.report = report;
  }

  /**
   * Measures.
   *
   * @param longest longer work is left out, in milliseconds
   */
  void run(long longest) {
    for (boolean virtual : new boolean[] {false, true}) {
      new Lane(virtual, 1, 1, WARM_UPS).run();
      for (Work work : WORKS) {
        if (work.millis <= longest) {
          tell(work, virtual);
        }
      }
    }
  }

  private void tell(Work work, boolean virtual) {
    Lane lanes = new Lane(virtual, work.lanes, work.millis, work.rounds);
    lanes.run();
    long[] late = lanes.late.stream().mapToLong(Long::longValue).sorted().toArray();
    report.note(
        String.format(
            Locale.ROOT,
            "{\"bench\":\"await-lateness\",\"thread\":\"%s\",\"workMilliseconds\":%d,\"waits\":%d,"
                + "\"medianMicroseconds\":%.1f,\"p99Microseconds\":%.1f,\"maxMicroseconds\":%.1f,"
                + "\"processorMicroseconds\":%.1f}",
            virtual ? "virtual" : "platform",
            work.millis,
            late.length,
            at(late, 0.5),
            at(late, 0.99),
            at(late, 1),
            lanes.processorNanos * 1e-3 / late.length));
  }

  private static double at(long[] sorted, double part) {
    return sorted[(int) Math.min(sorted.length - 1, part * sorted.length)] * 1e-3;
  }

  /** Some threads that wait, each for work on a stream of its own. */
  private final class Lane {
    final List<Long> late = new ArrayList<>();
    long processorNanos;
    private final boolean virtual;
    private final int lanes;
    private final long nanos;
    private final int rounds;

    Lane(boolean virtual, int lanes, long millis, int rounds) {
      this.virtual = virtual;
      this.lanes = lanes;
      this.nanos = millis * 1_000_000;
      this.rounds = rounds;
    }

    void run() {
      List<Stream> streams = new ArrayList<>();
      try (PinnedArena arena = device.pinnedArena();
          GlobalInts turns = device.allocateInts(rounds)) {
        MemorySegment words = arena.allocate((long) lanes * LINE, LINE);
        int[] numbers = new int[rounds];
        Arrays.setAll(numbers, i -> i + 1);
        for (int i = 0; i < lanes; i++) {
          streams.add(device.stream());
        }
        streams.getFirst().copy(numbers, turns).await();
        for (int i = 0; i < rounds; i++) {
          round(streams, turns.slice(i, 1), words, i + 1);
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      } finally {
        streams.forEach(Stream::close);
      }
    }

    private void round(List<Stream> streams, GlobalInts turn, MemorySegment words, int number)
        throws InterruptedException {
      long[] resumed = new long[lanes];
      long[] seen = new long[lanes];
      CountDownLatch over = new CountDownLatch(lanes);
      for (int i = 0; i < lanes; i++) {
        int mine = i;
        Runnable wait =
            () -> {
              Stream stream = streams.get(mine);
              stream.launch(Grid.of(1, 1), Gate::spin, nanos + mine * APART_NANOS);
              Copy copy = stream.copy(turn, words.asSlice((long) mine * LINE, 4));
              copy.await();
              resumed[mine] = System.nanoTime();
              over.countDown();
            };
        Thread.Builder threads = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
        threads.name("await-lateness").start(wait);
      }
      long before = system.getProcessCpuTime();
      long own = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      watch(words, number, seen);
      own = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - own;
      over.await();
      processorNanos += system.getProcessCpuTime() - before - own;
      for (int i = 0; i < lanes; i++) {
        late.add(resumed[i] - seen[i]);
      }
    }

    private void watch(MemorySegment words, int number, long[] seen) {
      int left = lanes;
      while (left > 0) {
        VarHandle.acquireFence();
        for (int i = 0; i < lanes; i++) {
          if (seen[i] == 0 && words.get(JAVA_INT, (long) i * LINE) == number) {
            seen[i] = System.nanoTime();
            left--;
          }
        }
        Thread.onSpinWait();
      }
    }
  }
}
