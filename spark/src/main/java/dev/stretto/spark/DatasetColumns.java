package dev.stretto.spark;

import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.InputAdapter;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Adds a stage's columns to a {@code Dataset}. */
final class DatasetColumns {
  private final org.apache.spark.sql.classic.Dataset<Row> rows;
  private final StructType schema;
  private final Columns in;
  private final Columns out;

  DatasetColumns(Dataset<Row> rows, Columns in, Columns out) {
    if (!(rows instanceof org.apache.spark.sql.classic.Dataset<Row> own)) {
      throw new UnsupportedOperationException(
          "a Dataset of Spark Connect runs elsewhere: call this in the driver's own process");
    }
    if (rows.isStreaming()) {
      throw new IllegalArgumentException(
          "a streaming Dataset has no partitions yet: call this in foreachBatch");
    }
    this.rows = own;
    this.schema = rows.schema();
    this.in = in;
    this.out = out;
    if (in.all().isEmpty() || out.all().isEmpty()) {
      throw new IllegalArgumentException(
          "a stage from columns %s to columns %s: it needs one or more of both".formatted(in, out));
    }
  }

  Dataset<Row> through(ColumnStage stage) {
    int[] ordinals = in.all().stream().mapToInt(this::ordinal).toArray();
    StructType result = schema;
    for (DeviceColumn column : out.all()) {
      if (Arrays.asList(schema.fieldNames()).contains(column.name())) {
        throw new IllegalArgumentException(
            "the rows have a column '%s' already: %s".formatted(column.name(), names()));
      }
      result = result.add(column.field());
    }
    return rows.sparkSession()
        .internalCreateDataFrame(results(stage, ordinals).rdd(), result, false);
  }

  private int ordinal(DeviceColumn column) {
    StructField[] fields = schema.fields();
    for (int i = 0; i < fields.length; i++) {
      if (fields[i].name().equals(column.name()) && column.takes(fields[i].dataType())) {
        return i;
      }
    }
    throw new IllegalArgumentException(
        "the rows have no column '%s' of %s: %s"
            .formatted(column.name(), column.field().dataType().simpleString(), names()));
  }

  private String names() {
    return schema.simpleString();
  }

  private JavaRDD<InternalRow> results(ColumnStage stage, int[] ordinals) {
    StructType all = schema;
    Columns from = in;
    Columns to = out;
    SparkPlan plan = columnar(rows.queryExecution().executedPlan());
    if (plan.supportsColumnar()) {
      JavaRDD<ColumnarBatch> batches = plan.executeColumnar().toJavaRDD();
      return batches.mapPartitions(
          part -> results(new DatasetRows.OfBatches(all, part), from, ordinals, to, stage), true);
    }
    JavaRDD<InternalRow> single = rows.queryExecution().toRdd().toJavaRDD();
    return single.mapPartitions(
        part -> results(new DatasetRows.OfRows(all, part), from, ordinals, to, stage), true);
  }

  private static Iterator<InternalRow> results(
      DatasetRows rows, Columns in, int[] ordinals, Columns out, ColumnStage stage) {
    return rows.hasNext()
        ? new PartitionFlow<>(new ColumnEnds(rows, in, ordinals, out, stage))
        : Collections.emptyIterator();
  }

  /** {@return what makes the batches, if Spark only turns them into rows at the end} */
  private static SparkPlan columnar(SparkPlan plan) {
    return switch (plan) {
      case WholeStageCodegenExec code -> columnar(code.child());
      case ColumnarToRowExec end -> columnar(end.child());
      case InputAdapter input -> columnar(input.child());
      default -> plan;
    };
  }

  /** {@return whether the batches of a plan reach the devices as they are} */
  static boolean isColumnar(Dataset<Row> rows) {
    return rows instanceof org.apache.spark.sql.classic.Dataset<Row> own
        && columnar(own.queryExecution().executedPlan()).supportsColumnar();
  }
}
