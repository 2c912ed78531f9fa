package dev.stretto.kernel.machine;

import java.util.function.LongConsumer;

/**
 * The rows of a box, which lie one after the other in shared memory. A row is a run of elements of
 * the tensor's innermost dimension.
 */
interface BoxRows {
  /**
   * Goes through the rows in their order in shared memory.
   *
   * @param row receives, for each row, the byte of the tensor at which the innermost dimension
   *     begins there; -1 if the row is outside the tensor
   */
  void forEach(LongConsumer row);
}
