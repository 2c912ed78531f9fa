package dev.stretto.examples.kmeans.spark;

import dev.stretto.examples.kmeans.Centres;
import dev.stretto.examples.kmeans.FirstCentres;
import dev.stretto.examples.kmeans.Options;
import dev.stretto.examples.kmeans.PointFiles;
import dev.stretto.examples.kmeans.UsageException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The job's command line. */
public final class KMeansJob {
  private static final Set<String> OPTIONS =
      Set.of(
          "files",
          "parquet",
          "column",
          "width",
          "k",
          "iterations",
          "tolerance",
          "tasks",
          "centres",
          "checkpoints",
          "every",
          "output");

  private KMeansJob() {}

  /**
   * Runs the job. Exits with 2 if the command line cannot be followed, and with 1 after a failure.
   *
   * @param arguments options
   */
  public static void main(String... arguments) {
    int code =
        run(
            System.out,
            System.err,
            () -> SparkSession.builder().appName("k-means").getOrCreate(),
            arguments);
    if (SparkSession.getDefaultSession().isDefined()) {
      SparkSession.getDefaultSession().get().stop();
    }
    if (code != 0) {
      System.exit(code);
    }
  }

  static int run(
      PrintStream out, PrintStream err, Supplier<SparkSession> sessions, String... arguments) {
    try {
      Options options = new Options(OPTIONS, Arrays.asList(arguments));
      if (options.has("files") == options.has("parquet")) {
        throw new UsageException("give either --files, or --parquet and --column");
      }
      KMeansSettings settings =
          new KMeansSettings(
              options.number("width", 1),
              options.number("iterations", 0, 20),
              options.decimal("tolerance", 1e-4),
              options.number("tasks", 1),
              options.text("checkpoints", ""),
              options.number("every", 1, 1));
      int count = options.number("k", 1);
      SparkSession spark = sessions.get();
      KMeansResult result = run(spark, settings, options, count);
      out.printf(
          Locale.ROOT,
          "%d iterations, cost %s, %s%n",
          result.state().iteration(),
          result.state().cost(),
          result.state().isConverged() ? "converged" : "not converged");
      if (options.has("output")) {
        save(
            options.text("output"),
            spark.sparkContext().hadoopConfiguration(),
            result.state().centres());
      }
      return 0;
    } catch (UsageException e) {
      err.println(e.getMessage());
      return 2;
    } catch (IOException | RuntimeException e) {
      err.println(line(e));
      return 1;
    } catch (Exception e) {
      if (e instanceof SparkException) { // which Scala does not declare
        err.println(line(e));
        return 1;
      }
      throw e;
    }
  }

  private static String line(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString());
  }

  private static KMeansResult run(
      SparkSession spark, KMeansSettings settings, Options options, int count) {
    SparkKMeans job = new SparkKMeans(spark, settings);
    if (options.has("files")) {
      PointFiles files = job.files(options.texts("files"));
      return job.run(
          files,
          options.has("centres") ? centres(spark, options, count) : job.spread(files, count));
    }
    Dataset<Row> rows = spark.read().parquet(options.texts("parquet").toArray(String[]::new));
    String column = options.text("column");
    return job.run(
        rows,
        column,
        options.has("centres") ? centres(spark, options, count) : job.sample(rows, column, count));
  }

  /** {@return the first centres, which are a file of points} */
  private static Centres centres(SparkSession spark, Options options, int count) {
    int width = options.number("width", 1);
    HadoopFiles hadoop = new HadoopFiles(spark.sparkContext().hadoopConfiguration());
    PointFiles file = hadoop.list(width, List.of(options.text("centres")));
    if (file.points() != count) {
      throw new IllegalArgumentException(
          "%s has %d points of %d floats, but --k is %d"
              .formatted(options.text("centres"), file.points(), width, count));
    }
    return FirstCentres.of(width, file.share(0, 1), hadoop::open);
  }

  private static void save(String file, Configuration hadoop, Centres centres) throws IOException {
    double[] values = centres.values();
    ByteBuffer bytes =
        ByteBuffer.allocate(Double.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asDoubleBuffer().put(values);
    Path path = new Path(file);
    try (OutputStream out = path.getFileSystem(hadoop).create(path, true)) {
      out.write(bytes.array());
    }
  }
}
