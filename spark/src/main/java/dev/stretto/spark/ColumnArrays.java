package dev.stretto.spark;

import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.util.Objects;

/**
 * The columns of a chunk on the device, each an array of its own: one element for each row, or one
 * vector after the other.
 */
public final class ColumnArrays {
  private final Columns columns;
  private final GlobalBytes bytes;
  private final long rows;

  ColumnArrays(Columns columns, GlobalBytes bytes, long rows) {
    this.columns = columns;
    this.bytes = bytes;
    this.rows = rows;
  }

  /**
   * {@return a column of ints}
   *
   * @param name of the column
   * @throws IllegalArgumentException if there is no such column of ints
   */
  public GlobalInts ints(String name) {
    return slice(name, ColumnKind.INT).asInts();
  }

  /**
   * {@return a column of longs}
   *
   * @param name of the column
   * @throws IllegalArgumentException if there is no such column of longs
   */
  public GlobalLongs longs(String name) {
    return slice(name, ColumnKind.LONG).asLongs();
  }

  /**
   * {@return a column of floats, or of vectors, one after the other}
   *
   * @param name of the column
   * @throws IllegalArgumentException if there is no such column of floats or vectors
   */
  public GlobalFloats floats(String name) {
    return slice(name, ColumnKind.FLOAT).asFloats();
  }

  /**
   * {@return a column of doubles}
   *
   * @param name of the column
   * @throws IllegalArgumentException if there is no such column of doubles
   */
  public GlobalDoubles doubles(String name) {
    return slice(name, ColumnKind.DOUBLE).asDoubles();
  }

  private GlobalBytes slice(String name, ColumnKind kind) {
    Objects.requireNonNull(name, "name");
    for (DeviceColumn column : columns.all()) {
      if (column.name().equals(name) && column.kind() == kind) {
        return bytes.slice(rows * columns.bytesBefore(column), rows * column.rowBytes());
      }
    }
    throw new IllegalArgumentException(
        "no column '%s' of %s: there are %s".formatted(name, kind.type().simpleString(), columns));
  }
}
