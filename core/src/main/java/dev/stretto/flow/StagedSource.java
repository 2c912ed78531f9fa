package dev.stretto.flow;

import dev.stretto.Copy;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A source whose bytes the threads of staged copies read by themselves, so that a chunk needs no
 * buffer of the flow. Not used on modelled and seeded devices, where a flow reads in steps.
 */
interface StagedSource extends Source {
  /** {@return a source as one that the threads of staged copies read; null if they cannot} */
  static @Nullable StagedSource of(Source source) {
    return source instanceof ZippedSource zipped
        ? zipped.staged()
        : source instanceof StagedSource staged ? staged : null;
  }

  /**
   * {@return the copies of a chunk, which are enqueued}
   *
   * @param position of its first byte
   */
  List<Copy> copy(Stream stream, long position, GlobalBytes to);

  /** {@return the failure of the source that made a copy fail, or what was thrown} */
  Throwable cause(Throwable thrown);
}
