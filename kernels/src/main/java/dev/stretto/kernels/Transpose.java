// Generated from tools/families/Transpose.template by tools/Families.java. Do not edit.
package dev.stretto.kernels;

import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernels.argument.Arguments;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;

/**
 * Transposes a matrix on a GPU. A matrix lies row by row, without gaps.
 *
 * <p>Each method enqueues one kernel on a stream and returns at once. Each element is read once and
 * written once.
 *
 * {@snippet class="dev.stretto.kernels.PrimitivesTest" region="transpose"}
 */
public final class Transpose {
  private Transpose() {}

  /**
   * Sets element {@code c * rows + r} of {@code out} to element {@code r * columns + c} of {@code
   * in}, for each of {@code rows} rows and {@code columns} columns.
   *
   * @param stream the operation's place among others
   * @param in the matrix, {@code rows * columns} ints or more
   * @param out its transpose, as many or more; without a byte of {@code in}
   * @param rows of {@code in}; 0 or more
   * @param columns of {@code in}; 0 or more
   * @return an event that stands for the result
   * @throws IllegalArgumentException if a number is negative, an array is too short, the arrays
   *     overlap, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event of(Stream stream, GlobalInts in, GlobalInts out, long rows, long columns) {
    Arguments.on(stream, in, "in");
    Arguments.on(stream, out, "out");
    Arguments.notNegative(rows, "rows");
    Arguments.notNegative(columns, "columns");
    long size = Math.multiplyExact(rows, columns);
    Arguments.hasRoom(in, "in", size);
    Arguments.hasRoom(out, "out", size);
    Arguments.apart(in, "in", out, "out");
    if (size > 0) {
      long tiles =
          Math.ceilDiv(rows, IntTransposition.TILE) * Math.ceilDiv(columns, IntTransposition.TILE);
      stream.launch(
          Grid.of(Math.toIntExact(tiles), IntTransposition.THREADS),
          IntTransposition::transpose,
          in,
          out,
          rows,
          columns);
    }
    return stream.record();
  }

  /**
   * Sets element {@code c * rows + r} of {@code out} to element {@code r * columns + c} of {@code
   * in}, for each of {@code rows} rows and {@code columns} columns.
   *
   * @param stream the operation's place among others
   * @param in the matrix, {@code rows * columns} longs or more
   * @param out its transpose, as many or more; without a byte of {@code in}
   * @param rows of {@code in}; 0 or more
   * @param columns of {@code in}; 0 or more
   * @return an event that stands for the result
   * @throws IllegalArgumentException if a number is negative, an array is too short, the arrays
   *     overlap, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event of(Stream stream, GlobalLongs in, GlobalLongs out, long rows, long columns) {
    Arguments.on(stream, in, "in");
    Arguments.on(stream, out, "out");
    Arguments.notNegative(rows, "rows");
    Arguments.notNegative(columns, "columns");
    long size = Math.multiplyExact(rows, columns);
    Arguments.hasRoom(in, "in", size);
    Arguments.hasRoom(out, "out", size);
    Arguments.apart(in, "in", out, "out");
    if (size > 0) {
      long tiles =
          Math.ceilDiv(rows, LongTransposition.TILE)
              * Math.ceilDiv(columns, LongTransposition.TILE);
      stream.launch(
          Grid.of(Math.toIntExact(tiles), LongTransposition.THREADS),
          LongTransposition::transpose,
          in,
          out,
          rows,
          columns);
    }
    return stream.record();
  }

  /**
   * Sets element {@code c * rows + r} of {@code out} to element {@code r * columns + c} of {@code
   * in}, for each of {@code rows} rows and {@code columns} columns.
   *
   * @param stream the operation's place among others
   * @param in the matrix, {@code rows * columns} floats or more
   * @param out its transpose, as many or more; without a byte of {@code in}
   * @param rows of {@code in}; 0 or more
   * @param columns of {@code in}; 0 or more
   * @return an event that stands for the result
   * @throws IllegalArgumentException if a number is negative, an array is too short, the arrays
   *     overlap, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event of(
      Stream stream, GlobalFloats in, GlobalFloats out, long rows, long columns) {
    Arguments.on(stream, in, "in");
    Arguments.on(stream, out, "out");
    Arguments.notNegative(rows, "rows");
    Arguments.notNegative(columns, "columns");
    long size = Math.multiplyExact(rows, columns);
    Arguments.hasRoom(in, "in", size);
    Arguments.hasRoom(out, "out", size);
    Arguments.apart(in, "in", out, "out");
    if (size > 0) {
      long tiles =
          Math.ceilDiv(rows, FloatTransposition.TILE)
              * Math.ceilDiv(columns, FloatTransposition.TILE);
      stream.launch(
          Grid.of(Math.toIntExact(tiles), FloatTransposition.THREADS),
          FloatTransposition::transpose,
          in,
          out,
          rows,
          columns);
    }
    return stream.record();
  }

  /**
   * Sets element {@code c * rows + r} of {@code out} to element {@code r * columns + c} of {@code
   * in}, for each of {@code rows} rows and {@code columns} columns.
   *
   * @param stream the operation's place among others
   * @param in the matrix, {@code rows * columns} doubles or more
   * @param out its transpose, as many or more; without a byte of {@code in}
   * @param rows of {@code in}; 0 or more
   * @param columns of {@code in}; 0 or more
   * @return an event that stands for the result
   * @throws IllegalArgumentException if a number is negative, an array is too short, the arrays
   *     overlap, or one lies on another device than the stream
   * @throws dev.stretto.fault.ClosedException if the stream or an array is closed
   */
  public static Event of(
      Stream stream, GlobalDoubles in, GlobalDoubles out, long rows, long columns) {
    Arguments.on(stream, in, "in");
    Arguments.on(stream, out, "out");
    Arguments.notNegative(rows, "rows");
    Arguments.notNegative(columns, "columns");
    long size = Math.multiplyExact(rows, columns);
    Arguments.hasRoom(in, "in", size);
    Arguments.hasRoom(out, "out", size);
    Arguments.apart(in, "in", out, "out");
    if (size > 0) {
      long tiles =
          Math.ceilDiv(rows, DoubleTransposition.TILE)
              * Math.ceilDiv(columns, DoubleTransposition.TILE);
      stream.launch(
          Grid.of(Math.toIntExact(tiles), DoubleTransposition.THREADS),
          DoubleTransposition::transpose,
          in,
          out,
          rows,
          columns);
    }
    return stream.record();
  }
}
