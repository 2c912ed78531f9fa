package dev.stretto.bindings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** Jobs whose figure is a rate: arrays, pipelines, a file, and pinned copies as their limit. */
final class LargeJobs {
  private static final int MIB = 1 << 20;
  private static final int MOST_CHUNK = 16 * MIB;

  private final Library library;
  private final Lines lines;
  private final long bytes;
  private final int rounds;

  LargeJobs(Library library, Lines lines, long bytes, int rounds) {
    this.library = library;
    this.lines = lines;
    this.bytes = bytes;
    this.rounds = rounds;
  }

  private int words() {
    return Math.toIntExact(bytes / Long.BYTES);
  }

  void pinned() {
    for (Way<PinnedCopies> way : library.pinnedCopies()) {
      PinnedCopies copies = way.work();
      rate("pinned-in", way, copies.bytes(), () -> {}, copies::in, () -> {});
      rate("pinned-out", way, copies.bytes(), () -> {}, copies::out, () -> {});
      rate("pinned-both", way, copies.bytes(), () -> {}, copies::both, () -> {});
    }
  }

  void arrays() {
    long[] source = Words.pattern(words(), 1);
    long[] target = new long[source.length];
    for (Way<WholeArrays> way : library.wholeArrays()) {
      WholeArrays work = way.work();
      Runnable out = () -> work.out(target);
      Runnable check = () -> Words.requireSame(source, target);
      rate(
          "arrays-in",
          way,
          bytes,
          library::clear,
          () -> work.in(source),
          () -> {
            Words.wipe(target);
            out.run();
            check.run();
          });
      rate("arrays-out", way, bytes, () -> Words.wipe(target), out, check);
    }
  }

  void pipelines() {
    long[] source = Words.pattern(words(), 1);
    long[] target = new long[source.length];
    long[] expected = Words.enciphered(source);
    var ways = library.pipelines();
    for (int chunk = MIB; chunk <= Math.min(MOST_CHUNK, bytes); chunk *= 2) {
      int chunkWords = chunk / Long.BYTES;
      for (Way<Pipeline> way : ways) {
        rate(
            "pipeline-" + chunk / MIB + "m",
            way,
            bytes,
            () -> {
              library.clear();
              Words.wipe(target);
            },
            () -> way.work().through(source, target, chunkWords),
            () -> Words.requireSame(expected, target));
      }
    }
  }

  /** The file is in the page cache when it is measured, since the first run is discarded. */
  void fileSums(Path file) {
    long[] words = Words.pattern(words(), 1);
    long expected = Arrays.stream(words).parallel().sum();
    if (!Files.exists(file) || size(file) != bytes) {
      write(file, words);
    }
    for (Way<FileSum> way : library.fileSums()) {
      long[] sum = new long[1];
      rate(
          "file-sum",
          way,
          bytes,
          library::clear,
          () -> sum[0] = sum(way.work(), file),
          () -> {
            if (sum[0] != expected) {
              throw new IllegalStateException(
                  "the sum is %016x, not %016x".formatted(sum[0], expected));
            }
          });
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Path file, long[] words) {
    ByteBuffer buffer = ByteBuffer.allocate(MIB).order(ByteOrder.nativeOrder());
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      for (int at = 0; at < words.length; ) {
        int count = Math.min(MIB / Long.BYTES, words.length - at);
        buffer.clear().limit(count * Long.BYTES).asLongBuffer().put(words, at, count);
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
        at += count;
      }
      // Otherwise it would be written to the disk while something is measured.
      channel.force(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long sum(FileSum work, Path file) {
    try {
      return work.of(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The median rate of some runs, after one that is discarded. What surrounds a run is not
   * measured.
   */
  private void rate(
      String bench, Way<?> way, long moved, Runnable before, Runnable work, Runnable after) {
    long[] nanos = new long[rounds];
    for (int round = -1; round < rounds; round++) {
      before.run();
      long begin = System.nanoTime();
      work.run();
      long end = System.nanoTime();
      after.run();
      if (round >= 0) {
        nanos[round] = end - begin;
      }
    }
    Arrays.sort(nanos);
    lines.rate(bench, way, moved, moved / (double) nanos[rounds / 2]);
  }
}
