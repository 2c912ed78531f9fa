package dev.stretto.spark;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Writes Spark's values into the columns of a chunk, unboxed. */
final class ColumnWriter {
  private final Columns columns;
  private final int[] ordinals;
  private final List<DeviceColumn> all;
  private final int[] before;

  /**
   * @param ordinals where Spark has the columns
   */
  ColumnWriter(Columns columns, int[] ordinals) {
    this.columns = columns;
    this.ordinals = ordinals;
    this.all = columns.all();
    this.before = all.stream().mapToInt(columns::bytesBefore).toArray();
  }

  /** Writes one row of a chunk that has room for so many. */
  void write(SpecializedGetters row, MemorySegment into, long room, long at) {
    for (int i = 0; i < ordinals.length; i++) {
      DeviceColumn column = all.get(i);
      int ordinal = ordinals[i];
      if (row.isNullAt(ordinal)) {
        throw isNull(column);
      }
      long offset = room * before[i] + at * column.rowBytes();
      if (column.isVector()) {
        vector(column, row.getArray(ordinal), into, offset);
        continue;
      }
      switch (column.kind()) {
        case INT -> into.set(ValueLayout.JAVA_INT_UNALIGNED, offset, row.getInt(ordinal));
        case LONG -> into.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, row.getLong(ordinal));
        case FLOAT -> into.set(ValueLayout.JAVA_FLOAT_UNALIGNED, offset, row.getFloat(ordinal));
        case DOUBLE -> into.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, offset, row.getDouble(ordinal));
      }
    }
  }

  /** Writes rows of a batch, column by column. */
  void write(ColumnarBatch batch, int first, int count, MemorySegment into, long room, long at) {
    for (int i = 0; i < ordinals.length; i++) {
      DeviceColumn column = all.get(i);
      ColumnVector vector = batch.column(ordinals[i]);
      requireNoNull(column, vector, first, count);
      long offset = room * before[i] + at * column.rowBytes();
      if (column.isVector()) {
        for (int row = 0; row < count; row++) {
          long to = offset + (long) row * column.rowBytes();
          vector(column, vector.getArray(first + row).copy(), into, to);
        }
        continue;
      }
      switch (column.kind()) {
        case INT ->
            MemorySegment.copy(
                vector.getInts(first, count),
                0,
                into,
                ValueLayout.JAVA_INT_UNALIGNED,
                offset,
                count);
        case LONG ->
            MemorySegment.copy(
                vector.getLongs(first, count),
                0,
                into,
                ValueLayout.JAVA_LONG_UNALIGNED,
                offset,
                count);
        case FLOAT ->
            MemorySegment.copy(
                vector.getFloats(first, count),
                0,
                into,
                ValueLayout.JAVA_FLOAT_UNALIGNED,
                offset,
                count);
        case DOUBLE ->
            MemorySegment.copy(
                vector.getDoubles(first, count),
                0,
                into,
                ValueLayout.JAVA_DOUBLE_UNALIGNED,
                offset,
                count);
      }
    }
  }

  private static void requireNoNull(
      DeviceColumn column, ColumnVector vector, int first, int count) {
    if (!vector.hasNull()) {
      return;
    }
    for (int row = first; row < first + count; row++) {
      if (vector.isNullAt(row)) {
        throw isNull(column);
      }
    }
  }

  private static void vector(
      DeviceColumn column, ArrayData array, MemorySegment into, long offset) {
    int length = array.numElements();
    if (length != column.length()) {
      throw new IllegalArgumentException(
          "a vector of %d floats in the column '%s', whose vectors have %d"
              .formatted(length, column.name(), column.length()));
    }
    for (int i = 0; i < length; i++) {
      if (array.isNullAt(i)) {
        throw isNull(column);
      }
    }
    MemorySegment.copy(
        array.toFloatArray(), 0, into, ValueLayout.JAVA_FLOAT_UNALIGNED, offset, length);
  }

  private static IllegalArgumentException isNull(DeviceColumn column) {
    return new IllegalArgumentException(
        "the column '%s' has a null, which a device's array cannot hold: fill it by na().fill, or"
                .formatted(column.name())
            + " leave its row out by na().drop");
  }

  /** Moves the columns of a chunk that has fewer rows than room. */
  void close(MemorySegment into, long room, long rows) {
    if (rows == room) {
      return;
    }
    for (DeviceColumn column : columns.inPlaces()) {
      long place = columns.bytesBefore(column);
      MemorySegment.copy(into, room * place, into, rows * place, rows * column.rowBytes());
    }
  }
}
