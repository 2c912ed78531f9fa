package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/**
 * Very many virtual threads, each of which copies an array of 1 KiB in, launches, copies it out,
 * awaits that and compares, on one stream and on more.
 */
final class ManyArrays {
  private static final int WORDS = 256;
  private static final int ADDED = 7;
  private static final int[] STREAMS = {1, 8, 32};

  private final Device device;
  private final Report report;
  private final int threads;
  private final int rounds;

  ManyArrays(Device device, Report report, int threads, int rounds) {
    this.device = device;
    this.report = report;
    this.threads = threads;
    this.rounds = rounds;
  }

  /**
   * Runs all rounds, and one before them that is not reported.
   *
   * @return whether every result was right
   */
  boolean run() {
    boolean good = true;
    try (GlobalInts there = device.allocateInts((long) threads * WORDS)) {
      for (int count : STREAMS) {
        List<Stream> streams = new ArrayList<>();
        try {
          for (int i = 0; i < count; i++) {
            streams.add(device.stream());
          }
          for (int round = 0; round <= rounds; round++) {
            good &= round(streams, there, round > 0);
          }
        } finally {
          streams.forEach(Stream::close);
        }
      }
    }
    return good;
  }

  private boolean round(List<Stream> streams, GlobalInts there, boolean tells) {
    ConcurrentLinkedQueue<Throwable> troubles = new ConcurrentLinkedQueue<>();
    CountDownLatch over = new CountDownLatch(threads);
    long begin = System.nanoTime();
    for (int i = 0; i < threads; i++) {
      int number = i;
      Thread.startVirtualThread(
          () -> {
            try {
              work(
                  number,
                  streams.get(number % streams.size()),
                  there.slice((long) number * WORDS, WORDS));
            } catch (Throwable e) {
              troubles.add(e);
            } finally {
              over.countDown();
            }
          });
    }
    try {
      over.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    double micros = (System.nanoTime() - begin) / 1e3 / threads;
    troubles.stream().limit(3).forEach(trouble -> report.error("many-arrays", trouble.toString()));
    if (tells) {
      report.note(
          String.format(
              Locale.ROOT,
              "{\"bench\":\"many-arrays\",\"threads\":%d,\"streams\":%d,\"microsecondsEach\":%.2f,\"wrong\":%d}",
              threads,
              streams.size(),
              micros,
              troubles.size()));
    }
    return troubles.isEmpty();
  }

  private static void work(int number, Stream stream, GlobalInts there) {
    int[] mine = new int[WORDS];
    Arrays.fill(mine, number);
    int[] back = new int[WORDS];
    stream.copy(mine, there);
    stream.launch(Grid.of(1, WORDS), ManyArrays::add, there, ADDED);
    stream.copy(there, back).await();
    for (int word : back) {
      if (word != number + ADDED) {
        throw new IllegalStateException("thread " + number + " got " + word);
      }
    }
  }

  @Kernel
  static void add(ThreadBlock block, GlobalInts array, int more) {
    int i = block.threadIndexX();
    array.set(i, array.get(i) + more);
  }
}
