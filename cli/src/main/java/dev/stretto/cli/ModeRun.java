package dev.stretto.cli;

import java.nio.file.Path;
import java.util.function.LongConsumer;

/** One of the ways to encrypt a file. */
interface ModeRun {
  /**
   * Encrypts, and returns when the output is written.
   *
   * @param progress receives the number of bytes done, from any thread
   */
  Shape run(InputFile input, Path output, LongConsumer progress);

  /**
   * How the file was cut.
   *
   * @param chunkBytes of each chunk but the last
   * @param depth chunks in flight at a time
   */
  record Shape(long chunkBytes, int depth) {}
}
