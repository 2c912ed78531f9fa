package dev.stretto.examples.kmeans;

import dev.stretto.Stream;
import dev.stretto.collective.Communicator;
import dev.stretto.collective.Reduction;
import dev.stretto.memory.GlobalDoubles;

/** Makes the totals of one process those of all. */
@FunctionalInterface
public interface Sharing {
  /** Of a process that is the only one. */
  Sharing NONE = (_, _) -> {};

  /**
   * Adds the totals of all processes. Returns when that is done on this one; throws if another one
   * is lost, whose part is missing then.
   *
   * @param stream the place of this among other work
   * @param totals of this process, and then of all
   */
  void sum(Stream stream, GlobalDoubles totals);

  /** {@return a sum over all ranks} */
  static Sharing among(Communicator ranks) {
    return (stream, totals) -> ranks.allReduce(stream, totals, totals, Reduction.SUM).await();
  }
}
