package dev.stretto.flow;

import dev.stretto.Copy;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import org.jspecify.annotations.Nullable;

/**
 * A sink whose bytes the threads of staged copies write by themselves, so that a chunk needs no
 * buffer of the flow. Not used on modelled and seeded devices, where a flow writes in steps.
 */
interface StagedSink extends Sink {
  /** {@return a sink as one that the threads of staged copies write; null if they do not} */
  static @Nullable StagedSink of(Sink sink) {
    return sink instanceof StagedSink staged && staged.isStaged() ? staged : null;
  }

  /** {@return whether the threads of staged copies write it} Known once bytes are expected. */
  boolean isStaged();

  /**
   * {@return the copy of a chunk, which is enqueued}
   *
   * @param position of its first byte
   */
  Copy copy(Stream stream, GlobalBytes from, long position);

  /** Notes that the copy of a chunk is done. */
  void written(long position, long bytes);

  /** {@return the failure of the sink that made a copy fail, or what was thrown} */
  Throwable cause(Throwable thrown);
}
