package dev.stretto.spark;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a partition, from Spark's rows or from its batches of columns. Spark uses both again
 * for what follows, so each row is copied before the next one is asked for: some columns into a
 * chunk, and all of them as a row that waits until its results are back.
 */
abstract sealed class DatasetRows {
  private final ArrayDeque<InternalRow> kept = new ArrayDeque<>();
  private final UnsafeProjection projection;

  private DatasetRows(StructType schema) {
    this.projection = UnsafeProjection.create(schema);
  }

  abstract boolean hasNext();

  /**
   * Writes rows into a chunk.
   *
   * @param room how many rows the chunk may have
   * @param at how many it has
   * @return how many were written, 1 or more
   */
  abstract long write(ColumnWriter writer, MemorySegment into, long room, long at);

  final void keep(InternalRow row) {
    kept.add(projection.apply(row).copy());
  }

  /** {@return the first row that waits for its results} */
  final InternalRow takeKept() {
    return kept.remove();
  }

  static final class OfRows extends DatasetRows {
    private final Iterator<InternalRow> rows;

    OfRows(StructType schema, Iterator<InternalRow> rows) {
      super(schema);
      this.rows = rows;
    }

    @Override
    boolean hasNext() {
      return rows.hasNext();
    }

    @Override
    long write(ColumnWriter writer, MemorySegment into, long room, long at) {
      InternalRow row = rows.next();
      writer.write(row, into, room, at);
      keep(row);
      return 1;
    }
  }

  static final class OfBatches extends DatasetRows {
    private final Iterator<ColumnarBatch> batches;
    private @Nullable ColumnarBatch batch;
    private int done;

    OfBatches(StructType schema, Iterator<ColumnarBatch> batches) {
      super(schema);
      this.batches = batches;
    }

    @Override
    boolean hasNext() {
      while ((batch == null || done == batch.numRows()) && batches.hasNext()) {
        batch = batches.next();
        done = 0;
      }
      return batch != null && done < batch.numRows();
    }

    @Override
    long write(ColumnWriter writer, MemorySegment into, long room, long at) {
      ColumnarBatch from = Objects.requireNonNull(batch, "batch");
      int count = (int) Math.min(room - at, from.numRows() - done);
      writer.write(from, done, count, into, room, at);
      for (int row = done; row < done + count; row++) {
        keep(from.getRow(row));
      }
      done += count;
      return count;
    }
  }
}
