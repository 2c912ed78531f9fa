package dev.stretto.examples.kmeans.spark;

import java.util.List;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/**
 * The points in a column of rows, one element for each partition. A task can ask for the rows as
 * often as it has iterations: each time they are read again, as Spark has planned it.
 */
final class ColumnRdd extends RDD<TaskPoints> {
  private static final long serialVersionUID = 1;

  private final String column;
  private final int width;

  ColumnRdd(RDD<InternalRow> rows, String column, int width) {
    super(rows, ClassTag$.MODULE$.apply(TaskPoints.class));
    this.column = column;
    this.width = width;
  }

  @Override
  public Partition[] getPartitions() {
    return rows().partitions();
  }

  @Override
  public Iterator<TaskPoints> compute(Partition split, TaskContext context) {
    RDD<InternalRow> rows = rows();
    TaskPoints points =
        new ColumnPoints(
            () -> CollectionConverters.asJava(rows.iterator(split, context)), column, width);
    return CollectionConverters.asScala(List.of(points).iterator());
  }

  private RDD<InternalRow> rows() {
    return firstParent(ClassTag$.MODULE$.apply(InternalRow.class));
  }
}
