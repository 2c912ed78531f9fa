package dev.stretto.spark;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Flows over what Spark has: each task sends its part through its device, in chunks, with reading,
 * both copies and the stage at the same time.
 */
public final class SparkFlows {
  private SparkFlows() {}

  /**
   * {@return an RDD of what a stage makes of each element} Elements keep their order and their
   * partitions. As with other RDDs, nothing runs before an action asks for results.
   *
   * <p>The stage gets as many elements at a time as fit into a chunk, one after the other in {@code
   * chunk.in()}, and leaves as many results in {@code chunk.out()}. Chunks have up to 4 MiB, four
   * are in flight, and all have at most half of the task's part of the memory. Tasks that share a
   * device overlap as well.
   *
   * <p>An action throws what a flow throws: a lost device fails the task with its {@link
   * dev.stretto.fault.DeviceLostException}, and Spark runs it again. It fails with a {@link
   * TaskMemoryException} if the task gets no memory in time, and with a {@link
   * NoTaskDeviceException} as {@link SparkDevices#ofTask()} does. All of them are the cause of a
   * {@link org.apache.spark.SparkException}.
   *
   * @param elements what to send through the devices
   * @param in how an element lies in a chunk
   * @param out how a result lies in a chunk
   * @param stage enqueues the kernels that make the results of a chunk
   * @param <T> the elements
   * @param <R> the results
   */
  public static <T, R> JavaRDD<R> mapPartitions(
      JavaRDD<T> elements, Rows<T> in, Rows<R> out, SparkStage stage) {
    Objects.requireNonNull(elements, "elements");
    Objects.requireNonNull(in, "in");
    Objects.requireNonNull(out, "out");
    Objects.requireNonNull(stage, "stage");
    return elements.mapPartitions(part -> results(part, in, out, stage), true);
  }

  /**
   * {@return the rows with the columns that a stage makes of some of theirs} Rows keep their order
   * and their partitions. What the rows come from is planned by this call, which runs the stages
   * before a shuffle; the rest runs when an action asks for results.
   *
   * <p>If Spark has batches of columns at the end of its plan, as after reading Parquet or from a
   * cache, they are copied column by column; otherwise its rows are, value by value; neither is
   * boxed. Chunks are as in {@link #mapPartitions}. Rows wait on the host for their results, as
   * Spark's own compact rows, so select first what is needed. The results are rows: what follows
   * reads them as it reads those of an RDD.
   *
   * <p>An action fails as that of {@link #mapPartitions}; and if a value of {@code in} is null, or
   * a vector has another length, with an {@link IllegalArgumentException} that names the column.
   *
   * @param rows of the driver's own session
   * @param in the columns that the stage reads
   * @param out the columns that it makes, which are never null
   * @param stage enqueues the kernels that make them
   * @throws IllegalArgumentException if there are no columns in or out, the rows have no column of
   *     that name and type, or have one that is to be made, or it is a streaming {@code Dataset}
   * @throws UnsupportedOperationException if it is a {@code Dataset} of Spark Connect
   */
  public static Dataset<Row> withColumns(
      Dataset<Row> rows, Columns in, Columns out, ColumnStage stage) {
    Objects.requireNonNull(rows, "rows");
    Objects.requireNonNull(in, "in");
    Objects.requireNonNull(out, "out");
    Objects.requireNonNull(stage, "stage");
    return new DatasetColumns(rows, in, out).through(stage);
  }

  /**
   * {@return an RDD of what a stage makes of each chunk of files: the chunk's bytes, changed} Large
   * files are cut into splits of {@code spark.sql.files.maxPartitionBytes}, a task for each; the
   * flow of a task reads its split, where Spark runs it near to the file's blocks if it can. Chunks
   * end where records end, also between splits; they have up to 4 MiB and come in order.
   *
   * <p>Files of the machine and of mounted disks are read straight into pinned memory, and have to
   * be there on each worker; others by Hadoop's file systems. The splitter must find the last end
   * of a record from the begin of the file on; those of {@link SparkSplitter} look only near to
   * where it is.
   *
   * <p>An action fails as that of {@link #mapPartitions}, and with a {@link
   * dev.stretto.flow.FlowException} if a file cannot be read, or a record is longer than a chunk.
   *
   * @param spark the session
   * @param paths of files, or of folders, whose files are taken without hidden ones
   * @param records finds where they end
   * @param stage reads {@code chunk.in()} and writes as many bytes to {@code chunk.out()}
   * @throws dev.stretto.flow.FlowException if a path does not exist or cannot be read
   */
  public static JavaRDD<byte[]> files(
      SparkSession spark, List<String> paths, SparkSplitter records, SparkStage stage) {
    Objects.requireNonNull(stage, "stage");
    return new FilePartitions(spark, paths, records).through(FilePartitions.wholeChunks(), stage);
  }

  /**
   * {@return an RDD of a result of each chunk of files, such as a count} As {@link
   * #files(SparkSession, List, SparkSplitter, SparkStage)} otherwise.
   *
   * @param spark the session
   * @param paths of files, or of folders, whose files are taken without hidden ones
   * @param records finds where they end
   * @param result how a chunk's result lies in {@code chunk.out()}
   * @param stage reads {@code chunk.in()} and writes one result to {@code chunk.out()}, whose bytes
   *     are not set before
   * @param <R> the results
   * @throws dev.stretto.flow.FlowException if a path does not exist or cannot be read
   */
  public static <R> JavaRDD<R> files(
      SparkSession spark,
      List<String> paths,
      SparkSplitter records,
      Rows<R> result,
      SparkStage stage) {
    Objects.requireNonNull(result, "result");
    Objects.requireNonNull(stage, "stage");
    return new FilePartitions(spark, paths, records)
        .through(FilePartitions.oneResult(result), stage);
  }

  private static <T, R> Iterator<R> results(
      Iterator<T> part, Rows<T> in, Rows<R> out, SparkStage stage) {
    return part.hasNext()
        ? new PartitionFlow<>(new ElementEnds<>(part, in, out, stage))
        : Collections.emptyIterator();
  }
}
