package dev.stretto;

import dev.stretto.enqueue.Box;

/**
 * How the rows and planes of one end of a three-dimensional copy lie.
 *
 * <p>Where {@code plane} is a multiple of {@code row}, as CUDA has it ({@code CUDA_MEMCPY3D}'s
 * pitch and height), a copy is one call of the driver's, otherwise one for each plane.
 *
 * @param row bytes from the beginning of a row to that of the next
 * @param plane bytes from the beginning of a plane to that of the next
 */
public record Pitches(long row, long plane) {
  Box box(Extent extent) {
    return new Box(extent.width(), extent.rows(), extent.planes(), row, plane);
  }
}
