package dev.stretto.examples.kmeans.spark;

import dev.stretto.examples.kmeans.Centres;
import dev.stretto.examples.kmeans.FirstCentres;
import dev.stretto.examples.kmeans.PointFiles;
import dev.stretto.examples.kmeans.State;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;
import org.apache.spark.util.SerializableConfiguration;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * k-means of points that a cluster's GPUs together need not hold: each task sends its points
 * through its GPU in each iteration. The tasks run at the same time, in a barrier stage.
 */
public final class SparkKMeans {
  private static final long SEED = 1;
  private static final String INTERRUPT = "spark.job.interruptOnCancel";

  private final SparkSession spark;
  private final KMeansSettings settings;
  private final SerializableConfiguration hadoop;

  /**
   * @param spark the session
   * @param settings what to do
   */
  public SparkKMeans(SparkSession spark, KMeansSettings settings) {
    this.spark = spark;
    this.settings = settings;
    this.hadoop = new SerializableConfiguration(spark.sparkContext().hadoopConfiguration());
  }

  /**
   * {@return files of points, each of floats in little-endian order}
   *
   * @param paths of files and folders
   * @throws IllegalArgumentException if one cannot be read, or ends within a point
   */
  public PointFiles files(List<String> paths) {
    return new HadoopFiles(hadoop.value()).list(settings.width(), paths);
  }

  /**
   * {@return points of files at the same distance from each other, to begin with}
   *
   * @param files of points
   * @param count how many
   * @throws IllegalArgumentException if there are fewer points
   */
  public Centres spread(PointFiles files, int count) {
    return FirstCentres.of(
        settings.width(), files.spread(count), new HadoopFiles(hadoop.value())::open);
  }

  /**
   * {@return random points of a column, to begin with}
   *
   * @param rows with the column
   * @param column of arrays of floats
   * @param count how many
   * @throws IllegalArgumentException if there are fewer points
   */
  public Centres sample(Dataset<Row> rows, String column, int count) {
    List<Row> sample = rows.select(column).toJavaRDD().takeSample(false, count, SEED);
    if (sample.size() < count) {
      throw new IllegalArgumentException(
          "%d centres of %d points: there must be as many points".formatted(count, sample.size()));
    }
    double[] values =
        sample.stream()
            .flatMap(row -> row.<Float>getList(0).stream())
            .mapToDouble(Float::doubleValue)
            .toArray();
    return new Centres(settings.width(), values);
  }

  /**
   * {@return what k-means finds of files} Each task has as many points as the others, or one less.
   *
   * @param files of points
   * @param first the centres to begin with
   * @throws IllegalArgumentException if a point has NaN or an infinite coordinate
   */
  public KMeansResult run(PointFiles files, Centres first) {
    int tasks = settings.tasks();
    List<TaskPoints> points =
        IntStream.range(0, tasks)
            .<TaskPoints>mapToObj(rank -> new FilePoints(files, rank, tasks, hadoop))
            .toList();
    return run(
        JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(points, tasks).rdd(),
        first);
  }

  /**
   * {@return what k-means finds of a column} If there are not as many partitions as tasks, the
   * column is distributed anew, once.
   *
   * @param rows with the column
   * @param column of arrays of floats
   * @param first the centres to begin with
   * @throws IllegalArgumentException if a point has NaN or an infinite coordinate
   */
  public KMeansResult run(Dataset<Row> rows, String column, Centres first) {
    Dataset<Row> points = rows.select(functions.col(column).cast("array<float>"));
    RDD<InternalRow> internal = points.queryExecution().toRdd();
    if (internal.getNumPartitions() != settings.tasks()) {
      internal = points.repartition(settings.tasks()).queryExecution().toRdd();
    }
    return run(new ColumnRdd(internal, column, settings.width()), first);
  }

  private KMeansResult run(RDD<TaskPoints> points, Centres first) {
    if (first.width() != settings.width()) {
      throw new IllegalArgumentException(
          "%s, but points have %d".formatted(first, settings.width()));
    }
    requireFitting(first);
    List<TaskOutcome> outcomes = outcomes(points, first);
    for (TaskOutcome outcome : outcomes) {
      if (!outcome.refusal().isEmpty()) {
        throw new IllegalArgumentException(outcome.refusal());
      }
    }
    TaskOutcome outcome =
        outcomes.stream().filter(each -> each.state().length > 0).findFirst().orElseThrow();
    return new KMeansResult(State.of(outcome.state(), "the result"), outcome.resumed());
  }

  private List<TaskOutcome> outcomes(RDD<TaskPoints> points, Centres first) {
    ClassTag<TaskOutcome> tag = ClassTag$.MODULE$.apply(TaskOutcome.class);
    // If one task is lost, the others end at once instead of reading on.
    String before = spark.sparkContext().getLocalProperty(INTERRUPT);
    spark.sparkContext().setLocalProperty(INTERRUPT, "true");
    try {
      // Spark begins a barrier stage again only if the results go on to another stage.
      return points
          .barrier()
          .mapPartitions(new BarrierIterations(settings, first, hadoop), false, tag)
          .toJavaRDD()
          .repartition(1)
          .collect();
    } finally {
      spark.sparkContext().setLocalProperty(INTERRUPT, before);
    }
  }

  /** Requires that the newest checkpoint, if there is one, is of as many centres. */
  private void requireFitting(Centres first) {
    if (settings.checkpoints().isEmpty()) {
      return;
    }
    Checkpoints checkpoints = new Checkpoints(settings.checkpoints(), hadoop.value());
    checkpoints
        .newest()
        .ifPresent(
            iteration -> {
              Centres kept = checkpoints.read(iteration).centres();
              if (kept.width() != first.width() || kept.count() != first.count()) {
                throw new IllegalArgumentException(
                    "%s holds %s, but the job has %s: name another folder"
                        .formatted(settings.checkpoints(), kept, first));
              }
            });
  }
}
