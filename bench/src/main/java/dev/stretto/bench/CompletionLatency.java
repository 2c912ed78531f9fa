package dev.stretto.bench;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;

/**
 * Measures how long it takes from the completion of a copy until the virtual thread that awaited it
 * runs again, while very many others wait.
 *
 * <p>Every thread awaits a copy of its own: 4 bytes to pinned memory, after a kernel that spins, on
 * one of several streams, so that completions are spread over time. All copies of a stream write
 * the same word, each the number of its turn. One platform thread only reads those words: when it
 * sees a number, the copy is complete, possibly before the driver knows it, so the reported latency
 * is too long rather than too short. If that thread could not look for a while, the numbers that it
 * sees next do not count, since they may have been there for longer.
 *
 * <p>The times between completions are reported too: if streams share a hardware queue ({@code
 * CUDA_DEVICE_MAX_CONNECTIONS}, 8 by default), completions that should be spread out may come in
 * bursts.
 */
final class CompletionLatency {
  private static final int LINE = 64;

  /** After a longer gap between two looks, the number that is seen does not count. */
  private static final long LONGEST_GAP_NANOS = 5_000;

  /** How long the first kernel of each stream delays it, while threads park. */
  private static final long HOLD_NANOS = 1_500_000_000;

  private static final double MOST_UNCOUNTED = 0.1;

  private final Device device;
  private final Report report;
  private final int threads;
  private final int streamCount;
  private final long spacingNanos;

  /**
   * @param spacingNanos between two completions, over all streams
   */
  CompletionLatency(Device device, Report report, int threads, int streamCount, long spacingNanos) {
    this.device = device;
    this.report = report;
    this.threads = threads;
    this.streamCount = streamCount;
    this.spacingNanos = spacingNanos;
  }

  /**
   * Measures.
   *
   * @param warmUps rounds that are not reported
   * @param rounds rounds that are reported
   * @return whether all threads have run again, and enough of their latencies count
   */
  boolean run(int warmUps, int rounds) {
    boolean good = true;
    for (int i = 0; i < warmUps + rounds; i++) {
      good = round(i < warmUps ? 0 : i - warmUps + 1) && (good || i < warmUps);
    }
    return good;
  }

  private boolean round(int number) {
    List<Stream> streams = new ArrayList<>();
    try (PinnedArena arena = device.pinnedArena();
        GlobalInts turns = device.allocateInts(threads)) {
      MemorySegment words = arena.allocate((long) streamCount * LINE, LINE);
      for (int i = 0; i < streamCount; i++) {
        streams.add(device.stream());
      }
      int[] numbers = new int[threads];
      Arrays.setAll(numbers, i -> i / streamCount + 1);
      streams.getFirst().copy(numbers, turns).await();
      long[] seen = new long[threads];
      long[] resumed = new long[threads];
      CountDownLatch over = new CountDownLatch(threads);
      Copy[] copies = enqueue(streams, turns, words);
      for (int i = 0; i < threads; i++) {
        int mine = i;
        Thread.ofVirtual()
            .name("completion-latency")
            .start(
                () -> {
                  try {
                    copies[mine].await();
                    resumed[mine] = System.nanoTime();
                  } finally {
                    over.countDown();
                  }
                });
      }
      watch(words, seen);
      over.await();
      return number == 0 || tell(number, seen, resumed);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      streams.forEach(Stream::close);
    }
  }

  private Copy[] enqueue(List<Stream> streams, GlobalInts turns, MemorySegment words) {
    Launch spin = device.prepare(Grid.of(1, 1), Gate::spin, spacingNanos * streamCount);
    Copy[] copies = new Copy[threads];
    for (int s = 0; s < streamCount; s++) {
      // Streams begin one after the other, so that they do not all complete at once.
      streams.get(s).launch(Grid.of(1, 1), Gate::spin, HOLD_NANOS + s * spacingNanos);
    }
    for (int i = 0; i < threads; i++) {
      Stream stream = streams.get(i % streamCount);
      stream.launch(spin);
      copies[i] = stream.copy(turns.slice(i, 1), words.asSlice((long) (i % streamCount) * LINE, 4));
    }
    return copies;
  }

  /** Notes when the number of each turn first appears; 0 if that is not known precisely enough. */
  private void watch(MemorySegment words, long[] seen) {
    int[] last = new int[streamCount];
    int left = threads;
    long before = System.nanoTime();
    while (left > 0) {
      VarHandle.acquireFence();
      for (int s = 0; s < streamCount; s++) {
        int turn = words.get(JAVA_INT, (long) s * LINE);
        if (turn != last[s]) {
          long now = System.nanoTime();
          boolean counts = turn == last[s] + 1 && now - before < LONGEST_GAP_NANOS;
          for (int i = last[s]; i < turn; i++) {
            seen[i * streamCount + s] = counts ? now : 0;
            left--;
          }
          last[s] = turn;
        }
      }
      before = System.nanoTime();
      Thread.onSpinWait();
    }
  }

  private boolean tell(int round, long[] seen, long[] resumed) {
    long[] nanos = new long[threads];
    int counted = 0;
    int missing = 0;
    for (int i = 0; i < threads; i++) {
      missing += resumed[i] == 0 ? 1 : 0;
      if (seen[i] != 0 && resumed[i] != 0) {
        nanos[counted++] = resumed[i] - seen[i];
      }
    }
    long[] sorted = Arrays.copyOf(nanos, counted);
    Arrays.sort(sorted);
    long[] gaps = gaps(seen);
    boolean sound = missing == 0 && counted >= threads * (1 - MOST_UNCOUNTED);
    report.note(
        String.format(
            Locale.ROOT,
            "{\"bench\":\"completion-latency\",\"round\":%d,\"waiting\":%d,\"streams\":%d,"
                + "\"spacingMicroseconds\":%.1f,\"counted\":%d,\"neverResumed\":%d,\"sound\":%b,"
                + "\"medianMicroseconds\":%.2f,\"p90Microseconds\":%.2f,\"p99Microseconds\":%.2f,"
                + "\"maxMicroseconds\":%.2f,\"gapMedianMicroseconds\":%.2f,"
                + "\"gap90Microseconds\":%.2f,\"gap99Microseconds\":%.2f}",
            round,
            threads,
            streamCount,
            spacingNanos * 1e-3,
            counted,
            missing,
            sound,
            at(sorted, 0.5),
            at(sorted, 0.9),
            at(sorted, 0.99),
            at(sorted, 1),
            at(gaps, 0.5),
            at(gaps, 0.9),
            at(gaps, 0.99)));
    return sound;
  }

  /** {@return the times between one completion and the next, over all streams, sorted} */
  private static long[] gaps(long[] seen) {
    long[] times = Arrays.stream(seen).filter(time -> time != 0).sorted().toArray();
    long[] gaps = new long[Math.max(0, times.length - 1)];
    Arrays.setAll(gaps, i -> times[i + 1] - times[i]);
    Arrays.sort(gaps);
    return gaps;
  }

  private static double at(long[] sorted, double part) {
    return sorted.length == 0
        ? Double.NaN
        : sorted[(int) Math.min(sorted.length - 1, part * sorted.length)] * 1e-3;
  }
}
