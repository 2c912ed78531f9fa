package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Pinned memory that is write-combined beside pinned memory that is not: how fast one host thread
 * writes and reads it, and how fast it is uploaded, alone and while host threads write memory of
 * the same kind.
 */
final class WriteCombined {
  private static final long BYTES = 512L << 20;
  private static final int PIECE = 8 << 20;
  private static final long READ_BYTES = 16L << 20;
  private static final int SAMPLES = 7;
  private static final int[] WRITERS = {0, 1, 4};

  private final Device device;
  private final Report report;

  WriteCombined(Device device, Report report) {
    this.device = device;
    this.report = report;
  }

  void run() {
    for (boolean combined : new boolean[] {false, true, false, true}) { // in turns
      try (PinnedArena arena = combined ? device.writeCombinedArena() : device.pinnedArena()) {
        MemorySegment memory = arena.allocate(BYTES, 4096);
        MemorySegment aside = arena.allocate(BYTES, 4096);
        note(combined, "host writes", rate(BYTES, () -> write(memory)));
        note(combined, "host reads", rate(READ_BYTES, () -> read(memory)));
        for (int writers : WRITERS) {
          String what = "upload, %d threads write".formatted(writers);
          note(combined, what, uploadBeside(memory, aside, writers));
        }
      }
    }
  }

  private static void write(MemorySegment memory) {
    MemorySegment piece = MemorySegment.ofArray(new byte[PIECE]);
    for (long at = 0; at < memory.byteSize(); at += PIECE) {
      MemorySegment.copy(piece, 0, memory, at, Math.min(PIECE, memory.byteSize() - at));
    }
  }

  private static void read(MemorySegment memory) {
    MemorySegment piece = MemorySegment.ofArray(new byte[PIECE]);
    for (long at = 0; at < READ_BYTES; at += PIECE) {
      MemorySegment.copy(memory, at, piece, 0, PIECE);
    }
  }

  /** {@return the median rate in GB/s} */
  private static double rate(long bytes, Runnable job) {
    double[] rates = new double[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
      long begin = System.nanoTime();
      job.run();
      rates[i] = (double) bytes / (System.nanoTime() - begin);
    }
    return median(rates);
  }

  private double uploadBeside(MemorySegment memory, MemorySegment aside, int writers) {
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<?>[] all = new CompletableFuture<?>[writers];
    long share = aside.byteSize() / Math.max(1, writers) / PIECE * PIECE;
    for (int i = 0; i < writers; i++) {
      MemorySegment part = aside.asSlice(i * share, share);
      all[i] =
          CompletableFuture.runAsync(
              () -> {
                while (!over.get()) {
                  write(part);
                }
              },
              job -> Thread.ofPlatform().start(job));
    }
    try {
      return upload(memory);
    } finally {
      over.set(true);
      CompletableFuture.allOf(all).join();
    }
  }

  private double upload(MemorySegment memory) {
    double[] rates = new double[SAMPLES];
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(memory.byteSize())) {
      stream.copy(memory, array).await();
      for (int i = 0; i < SAMPLES; i++) {
        try (TimedEvent begin = stream.recordTimed()) {
          stream.copy(memory, array);
          try (TimedEvent end = stream.recordTimed()) {
            end.await();
            rates[i] = memory.byteSize() / begin.nanosTo(end);
          }
        }
      }
    }
    return median(rates);
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  private void note(boolean combined, String what, double rate) {
    report.note(
        String.format(
            Locale.ROOT,
            "{\"bench\":\"write-combined\",\"memory\":\"%s\",\"what\":\"%s\",\"GB/s\":%.2f}",
            combined ? "write-combined" : "pinned",
            what,
            rate));
  }
}
