package dev.stretto.cli;

import java.util.function.LongConsumer;

/** One of the ways to encrypt. */
interface ModeRun {
  /**
   * Encrypts, and returns when the output is where it belongs.
   *
   * @param progress receives the number of bytes done, from any thread
   */
  Shape run(Work work, LongConsumer progress);

  /**
   * How the bytes were cut.
   *
   * @param chunkBytes of each chunk but the last
   * @param depth chunks in flight at a time
   */
  record Shape(long chunkBytes, int depth) {}
}
