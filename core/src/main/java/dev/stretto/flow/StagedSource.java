package dev.stretto.flow;

import dev.stretto.Copy;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;

/**
 * A source whose bytes the threads of staged copies read by themselves, so that a chunk needs no
 * buffer of the flow. Not used on modelled and seeded devices, where a flow reads in steps.
 */
interface StagedSource extends Source {
  /**
   * {@return the copy of a chunk, which is enqueued}
   *
   * @param position of its first byte
   */
  Copy copy(Stream stream, long position, GlobalBytes to);

  /** {@return the failure of the source that made a copy fail, or what was thrown} */
  Throwable cause(Throwable thrown);
}
