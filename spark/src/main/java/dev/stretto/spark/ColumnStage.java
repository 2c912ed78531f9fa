package dev.stretto.spark;

import dev.stretto.Stream;
import java.io.Serializable;

/**
 * What a flow does with some rows of a {@code Dataset}: a function that Spark sends to executors.
 */
@FunctionalInterface
public interface ColumnStage extends Serializable {
  /**
   * Enqueues kernels that read the columns {@code chunk.in()} and write all of {@code chunk.out()}.
   * What {@link dev.stretto.flow.Stage#enqueue} says holds here too.
   *
   * @param stream the chunk's stream
   * @param chunk the rows; do not keep it
   */
  void enqueue(Stream stream, ColumnChunk chunk);
}
