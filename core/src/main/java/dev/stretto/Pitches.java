package dev.stretto;

import dev.stretto.enqueue.Box;

/**
 * The layout of one end of a three-dimensional copy: the distances of its rows and planes.
 *
 * <p>If {@code plane} is a multiple of {@code row}, as in CUDA (pitch and height of {@code
 * CUDA_MEMCPY3D}), a copy is one driver call, otherwise one for each plane.
 *
 * @param row bytes from the beginning of a row to the beginning of the next row
 * @param plane bytes from the beginning of a plane to the beginning of the next plane
 */
public record Pitches(long row, long plane) {
  Box box(Extent extent) {
    return new Box(extent.width(), extent.rows(), extent.planes(), row, plane);
  }
}
