package dev.stretto.spark;

import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.SerializableConfiguration;

/** Files in splits, each of which a task sends through its device. */
final class FilePartitions {
  private static final String SPLIT_BYTES = "spark.sql.files.maxPartitionBytes";

  /** What comes back of a chunk, as a value that Spark sends to executors. */
  interface Result<R> extends FileEnds.ChunkOfFile<R>, Serializable {}

  private final SparkSession spark;
  private final SparkSplitter records;
  private final SerializableConfiguration hadoop;
  private final FileSplits splits;

  FilePartitions(SparkSession spark, List<String> paths, SparkSplitter records) {
    this.spark = Objects.requireNonNull(spark, "spark");
    this.records = Objects.requireNonNull(records, "records");
    this.hadoop = new SerializableConfiguration(spark.sparkContext().hadoopConfiguration());
    this.splits =
        new FileSplits(hadoop.value(), JavaUtils.byteStringAsBytes(spark.conf().get(SPLIT_BYTES)));
    for (String path : Objects.requireNonNull(paths, "paths")) {
      splits.add(Objects.requireNonNull(path, "a path"));
    }
  }

  <R> JavaRDD<R> through(Result<R> result, SparkStage stage) {
    SparkSplitter ends = records;
    SerializableConfiguration conf = hadoop;
    return splits
        .rdd(spark.sparkContext())
        .toJavaRDD()
        .mapPartitions(part -> results(part.next(), result, ends, stage, conf));
  }

  private static <R> Iterator<R> results(
      FileSplit split,
      Result<R> result,
      SparkSplitter records,
      SparkStage stage,
      SerializableConfiguration hadoop) {
    return new PartitionFlow<>(
        new FileEnds<>(
            result, () -> SplitSource.of(split, records, hadoop.value()), records, stage));
  }

  static Result<byte[]> wholeChunks() {
    return new WholeChunk();
  }

  static <R> Result<R> oneResult(Rows<R> rows) {
    return new OneResult<>(rows);
  }

  private record WholeChunk() implements Result<byte[]> {
    @Override
    public long bytes(long chunkBytes) {
      return chunkBytes;
    }

    @Override
    public boolean keepsSize() {
      return true;
    }

    @Override
    public byte[] read(MemorySegment from) {
      return from.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  private record OneResult<R>(Rows<R> rows) implements Result<R> {
    @Override
    public long bytes(long chunkBytes) {
      return rows.byteSize();
    }

    @Override
    public boolean keepsSize() {
      return false;
    }

    @Override
    public R read(MemorySegment from) {
      return rows.read(from, 0);
    }
  }
}
