package dev.stretto.kernels;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalLongs;

/** For each pass of a sort, and each portion of the keys: where the keys of each digit begin. */
final class Starts implements AutoCloseable {
  private static final int VALUES = 256;

  private final int passes;
  private final long ofPass;
  private final GlobalLongs counts;
  private final GlobalLongs starts;

  Starts(Stream stream, int passes, long length, int portion) {
    this.passes = passes;
    // The last portion says where the next one would begin.
    ofPass = (Math.ceilDiv(length, (long) portion) + 1) * VALUES;
    counts = stream.allocateLongs((long) passes * VALUES);
    starts = stream.allocateLongs(passes * ofPass);
  }

  /** {@return how often each digit occurs, 256 counts for each pass} */
  GlobalLongs counts() {
    return counts;
  }

  /** Enqueues what makes the starts of the first portions of the counts. */
  void sum(Stream stream) {
    stream.launch(
        Grid.of(passes, DigitStarts.THREADS), DigitStarts::starts, counts, starts, ofPass);
  }

  /** {@return a portion's starts, and room for those of the next one} */
  GlobalLongs of(int pass, long portion) {
    return starts.slice(pass * ofPass + portion * VALUES, 2 * VALUES);
  }

  @Override
  public void close() {
    counts.close();
    starts.close();
  }
}
