package dev.stretto.bench;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import com.sun.management.OperatingSystemMXBean;
import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

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

  /** Work of some length, and how often. */
  private record Work(long millis, int rounds) {}

  private static final List<Work> WORKS =
      List.of(
          new Work(1, 400),
          new Work(3, 300),
          new Work(10, 150),
          new Work(100, 40),
          new Work(1_000, 10),
          new Work(10_000, 3));

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
      new Waits(virtual, 1, WARM_UPS).run();
      for (Work work : WORKS) {
        if (work.millis <= longest) {
          tell(work, virtual);
        }
      }
    }
  }

  private void tell(Work work, boolean virtual) {
    Waits waits = new Waits(virtual, work.millis, work.rounds);
    waits.run();
    long[] late = waits.late.clone();
    Arrays.sort(late);
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
            waits.processorNanos * 1e-3 / late.length));
  }

  private static double at(long[] sorted, double part) {
    return sorted[(int) Math.min(sorted.length - 1, part * sorted.length)] * 1e-3;
  }

  /** Threads that wait, one after the other. */
  private final class Waits {
    final long[] late;
    long processorNanos;
    private final boolean virtual;
    private final long nanos;

    Waits(boolean virtual, long millis, int rounds) {
      this.virtual = virtual;
      this.nanos = millis * 1_000_000;
      this.late = new long[rounds];
    }

    void run() {
      try (Stream stream = device.stream();
          PinnedArena arena = device.pinnedArena();
          GlobalInts turns = device.allocateInts(late.length)) {
        MemorySegment word = arena.allocate(LINE, LINE);
        int[] numbers = new int[late.length];
        Arrays.setAll(numbers, i -> i + 1);
        stream.copy(numbers, turns).await();
        for (int i = 0; i < late.length; i++) {
          late[i] = round(stream, turns.slice(i, 1), word.asSlice(0, 4), i + 1);
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private long round(Stream stream, GlobalInts turn, MemorySegment word, int number)
        throws InterruptedException {
      AtomicLong resumed = new AtomicLong();
      Thread.Builder threads = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
      long before = system.getProcessCpuTime();
      long own = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      Thread waiting =
          threads
              .name("await-lateness")
              .start(
                  () -> {
                    stream.launch(Grid.of(1, 1), Gate::spin, nanos);
                    stream.copy(turn, word).await();
                    resumed.set(System.nanoTime());
                  });
      VarHandle.acquireFence();
      while (word.get(JAVA_INT, 0) != number) {
        Thread.onSpinWait();
        VarHandle.acquireFence();
      }
      long seen = System.nanoTime();
      own = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - own;
      waiting.join();
      processorNanos += system.getProcessCpuTime() - before - own;
      return resumed.get() - seen;
    }
  }
}
