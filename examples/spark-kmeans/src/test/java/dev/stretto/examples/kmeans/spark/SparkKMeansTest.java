package dev.stretto.examples.kmeans.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.stretto.examples.kmeans.Centres;
import dev.stretto.examples.kmeans.HostRun;
import dev.stretto.examples.kmeans.State;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.mllib.clustering.KMeans;
import org.apache.spark.mllib.clustering.KMeansModel;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The job in a cluster of two executors with two virtual devices each, beside MLlib's. */
@Timeout(90)
@UsesCluster
class SparkKMeansTest {
  private static final int WIDTH = 6;
  private static final int COUNT = 5;
  private static final int POINTS = 1501;
  private static final int TASKS = 4;

  @TempDir private Path folder;

  private static KMeansSettings settings(int iterations, double tolerance, String checkpoints) {
    return new KMeansSettings(WIDTH, iterations, tolerance, TASKS, checkpoints, 1);
  }

  /** {@return points that take some iterations: their places overlap} */
  private static float[] points() {
    SplittableRandom random = new SplittableRandom(11);
    float[] points = new float[POINTS * WIDTH];
    for (int i = 0; i < points.length; i++) {
      points[i] = (float) (random.nextGaussian() + i / WIDTH % COUNT * 0.7 + 20);
    }
    return points;
  }

  private static Centres first(float[] points) {
    double[] values = new double[COUNT * WIDTH];
    Arrays.setAll(values, i -> points[i]);
    return new Centres(WIDTH, values);
  }

  /** {@return what MLlib finds} */
  private static KMeansModel mllib(float[] points, Centres first, int iterations, double epsilon) {
    List<Vector> vectors = new ArrayList<>();
    for (int i = 0; i < POINTS; i++) {
      double[] vector = new double[WIDTH];
      for (int j = 0; j < WIDTH; j++) {
        vector[j] = points[i * WIDTH + j];
      }
      vectors.add(Vectors.dense(vector));
    }
    Vector[] begin = new Vector[COUNT];
    for (int i = 0; i < COUNT; i++) {
      begin[i] = Vectors.dense(Arrays.copyOfRange(first.values(), i * WIDTH, (i + 1) * WIDTH));
    }
    JavaRDD<Vector> rdd = Cluster.shared().parallelize(vectors, 2).cache();
    return new KMeans()
        .setK(COUNT)
        .setMaxIterations(iterations)
        .setEpsilon(epsilon)
        .setInitialModel(new KMeansModel(begin))
        .run(rdd.rdd());
  }

  private static void requireEqual(State state, KMeansModel model) {
    assertThat(state.iteration()).isEqualTo(model.numIter());
    assertThat(state.cost()).isCloseTo(model.trainingCost(), within(1e-6 * model.trainingCost()));
    for (int i = 0; i < COUNT; i++) {
      double[] wanted = model.clusterCenters()[i].toArray();
      for (int j = 0; j < WIDTH; j++) {
        assertThat(state.centres().get(i, j)).isCloseTo(wanted[j], within(1e-6));
      }
    }
  }

  private List<String> written(float[] points) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(Float.BYTES * points.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(points);
    int cut = Float.BYTES * WIDTH * 503;
    Path first = folder.resolve("a");
    Path second = folder.resolve("b");
    Path _ = Files.write(first, Arrays.copyOf(bytes.array(), cut));
    Path _ = Files.write(second, Arrays.copyOfRange(bytes.array(), cut, bytes.capacity()));
    return List.of(first.toString(), second.toString());
  }

  @Test
  void theCentresOfFilesAreThoseOfMllib() throws IOException {
    float[] points = points();
    KMeansModel model = mllib(points, first(points), 20, 0.2);
    assertThat(model.numIter()).isBetween(3, 19);
    SparkKMeans job = new SparkKMeans(Cluster.session(), settings(20, 0.2, ""));
    KMeansResult result = job.run(job.files(written(points)), first(points));
    requireEqual(result.state(), model);
    assertThat(result.state().isConverged()).isTrue();
    assertThat(result.resumed()).isZero();
  }

  @Test
  void theCommandLineDoesTheSame() throws IOException {
    float[] points = points();
    List<String> files = written(points);
    Path first = folder.resolve("first");
    ByteBuffer bytes = ByteBuffer.allocate(Float.BYTES * COUNT * WIDTH);
    bytes.order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(points, 0, COUNT * WIDTH);
    Path _ = Files.write(first, bytes.array());
    Path output = folder.resolve("output");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String line =
        "--files %s --width %d --k %d --iterations 2 --tolerance 0 --tasks 2 --centres %s --output %s"
            .formatted(String.join(",", files), WIDTH, COUNT, first, output);
    int code =
        KMeansJob.run(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Cluster::session,
            line.split(" ", -1));
    assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("2 iterations, cost ");
    ByteBuffer found = ByteBuffer.wrap(Files.readAllBytes(output)).order(ByteOrder.LITTLE_ENDIAN);
    double[] wanted = HostRun.of(points, first(points), 2).centres().values();
    assertThat(found.remaining()).isEqualTo(Double.BYTES * wanted.length);
    for (double each : wanted) {
      assertThat(found.getDouble()).isCloseTo(each, within(1e-6));
    }
  }

  @Test
  void theCentresOfAColumnAreThoseOfMllib() {
    float[] points = points();
    String parquet = folder.resolve("parquet").toString();
    List<Row> rows =
        IntStream.range(0, POINTS)
            .mapToObj(
                i ->
                    RowFactory.create(
                        i,
                        (Object)
                            IntStream.range(0, WIDTH)
                                .mapToObj(j -> points[i * WIDTH + j])
                                .toArray(Float[]::new)))
            .toList();
    Cluster.session()
        .createDataFrame(
            rows,
            new StructType()
                .add("number", DataTypes.IntegerType)
                .add("place", DataTypes.createArrayType(DataTypes.FloatType)))
        .write()
        .parquet(parquet);
    Dataset<Row> read = Cluster.session().read().parquet(parquet);
    SparkKMeans job = new SparkKMeans(Cluster.session(), settings(3, 0, ""));
    KMeansResult result = job.run(read, "place", first(points));
    requireEqual(result.state(), mllib(points, first(points), 3, 0));
    assertThat(job.sample(read, "place", 3).count()).isEqualTo(3);
  }

  @Test
  void aStageGoesOnFromItsCheckpointAfterAnExecutorWasKilled() throws Exception {
    float[] points = points();
    Path checkpoints = folder.resolve("checkpoints");
    int iterations = 10;
    SparkKMeans job =
        new SparkKMeans(Cluster.session(), settings(iterations, 0, checkpoints.toString()));
    List<String> files = written(points);
    CompletableFuture<KMeansResult> running =
        CompletableFuture.supplyAsync(() -> job.run(job.files(files), first(points)));
    while (!running.isDone() && kept(checkpoints) < 2) {
      Thread.sleep(5);
    }
    // Workers of such a cluster are threads of this process; their executors are its children.
    ProcessHandle executor = ProcessHandle.current().children().findFirst().orElseThrow();
    assertThat(executor.destroyForcibly()).isTrue();
    KMeansResult result = running.get();
    assertThat(result.resumed()).isBetween(2, iterations - 1);
    State wanted = HostRun.of(points, first(points), result.state().iteration());
    assertThat(result.state().cost()).isCloseTo(wanted.cost(), within(1e-6 * wanted.cost()));
    for (int i = 0; i < COUNT * WIDTH; i++) {
      assertThat(result.state().centres().values()[i])
          .isCloseTo(wanted.centres().values()[i], within(1e-6));
    }
    KMeansResult again = job.run(job.files(files), first(points));
    assertThat(again.resumed()).isEqualTo(result.state().iteration());
    assertThat(again.state()).isEqualTo(result.state());
  }

  private static int kept(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(each -> each.getFileName().toString())
          .filter(each -> each.startsWith("iteration-"))
          .mapToInt(each -> Integer.parseInt(each.substring("iteration-".length())))
          .max()
          .orElse(0);
    }
  }

  @Test
  void aStrangePointIsRefusedAtOnce() throws IOException {
    float[] points = points();
    points[WIDTH * 1000 + 3] = Float.NaN;
    SparkKMeans job = new SparkKMeans(Cluster.session(), settings(3, 0, ""));
    List<String> files = written(points);
    assertThatThrownBy(() -> job.run(job.files(files), first(points)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("task 2: point 1000 has NaN or an infinite coordinate: leave it out");
  }

  @Test
  void aCheckpointOfAnotherShapeIsRefused() throws IOException {
    float[] points = points();
    Path checkpoints = Files.createDirectory(folder.resolve("checkpoints"));
    State other = new State(2, new Centres(2, new double[4]), 1, false);
    Path _ = Files.write(checkpoints.resolve("iteration-000000002"), other.toBytes());
    SparkKMeans job = new SparkKMeans(Cluster.session(), settings(3, 0, checkpoints.toString()));
    List<String> files = written(points);
    assertThatThrownBy(() -> job.run(job.files(files), first(points)))
        .hasMessageContaining("holds 2 centres of 2 coordinates, but the job has 5 centres of 6");
  }
}
