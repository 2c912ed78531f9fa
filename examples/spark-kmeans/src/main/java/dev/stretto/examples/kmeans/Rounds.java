package dev.stretto.examples.kmeans;

import dev.stretto.Stream;
import dev.stretto.memory.GlobalDoubles;
import java.io.PrintStream;
import java.util.Locale;

/** Times what all processes do at the same time: until the last one has done it. */
final class Rounds {
  private final PrintStream out;
  private final Stream stream;
  private final Sharing sharing;
  private final long bytes;

  /**
   * @param out where this process prints
   * @param bytes how many all processes together read in a round
   */
  Rounds(PrintStream out, Stream stream, Sharing sharing, long bytes) {
    this.out = out;
    this.stream = stream;
    this.sharing = sharing;
    this.bytes = bytes;
  }

  void time(String name, Runnable work) {
    meet();
    long begin = System.nanoTime();
    work.run();
    meet();
    double seconds = (System.nanoTime() - begin) / 1e9;
    out.printf(Locale.ROOT, "%s %.3f s %.2f GB/s%n", name, seconds, bytes / seconds / 1e9);
  }

  private void meet() {
    try (GlobalDoubles one = stream.device().allocateDoubles(1)) {
      stream.fill(one, 0);
      sharing.sum(stream, one);
      stream.await();
    }
  }
}
