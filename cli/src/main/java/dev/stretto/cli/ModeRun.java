package dev.stretto.cli;

import dev.stretto.flow.FlowReport;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

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
   * @param flow what a flow reports; null if there was none
   */
  record Shape(long chunkBytes, int depth, @Nullable FlowReport flow) {}
}
