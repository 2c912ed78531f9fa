package dev.stretto.spark;

import dev.stretto.Stream;
import dev.stretto.flow.Chunk;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The rows of a {@code Dataset}: each chunk has one column after the other. */
final class ColumnEnds implements ChunkEnds<InternalRow> {
  private final DatasetRows rows;
  private final Columns in;
  private final Columns out;
  private final ColumnWriter writer;
  private final ColumnStage stage;
  private final SpecificInternalRow results;
  private final JoinedRow joined = new JoinedRow();

  ColumnEnds(DatasetRows rows, Columns in, int[] ordinals, Columns out, ColumnStage stage) {
    this.rows = rows;
    this.in = in;
    this.out = out;
    this.writer = new ColumnWriter(in, ordinals);
    this.stage = stage;
    this.results =
        new SpecificInternalRow(
            new StructType(
                out.all().stream().map(DeviceColumn::field).toArray(StructField[]::new)));
  }

  @Override
  public int bytesIn() {
    return in.rowBytes();
  }

  @Override
  public int bytesOut() {
    return out.rowBytes();
  }

  @Override
  public long fill(MemorySegment into) {
    long room = into.byteSize() / bytesIn();
    long count = 0;
    while (count < room && rows.hasNext()) {
      count += rows.write(writer, into, room, count);
    }
    writer.close(into, room, count);
    return count * bytesIn();
  }

  @Override
  public void enqueue(Stream stream, Chunk chunk) {
    long count = chunk.byteSize() / bytesIn();
    stage.enqueue(
        stream,
        new ColumnChunk(
            count,
            new ColumnArrays(in, chunk.in(), count),
            new ColumnArrays(out, chunk.out(), count)));
  }

  /** The row is Spark's until the next one is asked for, as its own operators have it. */
  @Override
  public InternalRow take(MemorySegment from, long row) {
    long count = from.byteSize() / bytesOut();
    int i = 0;
    for (DeviceColumn column : out.all()) {
      read(column, from, count * out.bytesBefore(column) + row * column.rowBytes(), i);
      i++;
    }
    return joined.apply(rows.takeKept(), results);
  }

  private void read(DeviceColumn column, MemorySegment from, long offset, int i) {
    if (column.isVector()) {
      float[] vector = new float[column.length()];
      MemorySegment.copy(from, ValueLayout.JAVA_FLOAT_UNALIGNED, offset, vector, 0, vector.length);
      results.update(i, UnsafeArrayData.fromPrimitiveArray(vector));
      return;
    }
    switch (column.kind()) {
      case INT -> results.setInt(i, from.get(ValueLayout.JAVA_INT_UNALIGNED, offset));
      case LONG -> results.setLong(i, from.get(ValueLayout.JAVA_LONG_UNALIGNED, offset));
      case FLOAT -> results.setFloat(i, from.get(ValueLayout.JAVA_FLOAT_UNALIGNED, offset));
      case DOUBLE -> results.setDouble(i, from.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, offset));
    }
  }
}
