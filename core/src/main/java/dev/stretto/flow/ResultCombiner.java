package dev.stretto.flow;

import java.lang.foreign.MemorySegment;

/** Combines the results of a flow's chunks. */
@FunctionalInterface
public interface ResultCombiner {
  /**
   * Combines a result with those before it. The flow calls this on its own threads, for one chunk
   * at a time. An exception stops the flow.
   *
   * @param all what was combined so far; receives the combination
   * @param each the result of a chunk; only during this call
   */
  void combine(MemorySegment all, MemorySegment each);
}
