package dev.stretto.kernels.attention;

import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalBytes;

/**
 * Copies rows to shared memory, each warp its part.
 *
 * @param warp the warp
 * @param headDim numbers in a row
 * @param pitch bytes from row to row in shared memory
 * @param pipeline that the copies complete on
 */
record Rows(Warp warp, int headDim, int pitch, Pipeline pipeline) {
  /**
   * Begins to copy those rows that exist.
   *
   * @param toRow the first row in shared memory
   * @param begin the number where the head's rows begin
   * @param first the first row
   * @param count how many rows
   * @param end how many rows the head has
   */
  void copy(
      SharedBytes to,
      int toRow,
      GlobalBytes from,
      long begin,
      Places places,
      int first,
      int count,
      int end) {
    for (int row = warp.index(); row < Math.min(count, end - first); row += 4) {
      long at = begin + (first + row) * places.token();
      warp.memcpyAsync(to, (toRow + row) * pitch, from, 2 * at, 2 * headDim, 16, pipeline);
    }
  }
}
