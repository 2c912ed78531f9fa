package dev.stretto.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.resource.ResourceProfile;
import org.apache.spark.resource.ResourceProfileBuilder;
import org.apache.spark.resource.TaskResourceRequests;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of the guide's page about Spark. */
@UsesCluster
class SparkPageTest {
  private static final int WIDTH = 128;

  @Kernel
  static void norms(
      ThreadBlock block, GlobalFloats vectors, GlobalFloats norms, int width, long n) {
    long i = block.globalIndexX();
    if (i < n) {
      float sum = 0;
      for (int j = 0; j < width; j++) {
        float x = vectors.get(i * width + j);
        sum += x * x;
      }
      norms.set(i, (float) Math.sqrt(sum));
    }
  }

  private static JavaRDD<float[]> vectors() {
    List<Integer> numbers = new ArrayList<>(IntStream.range(0, 500).boxed().toList());
    return Cluster.shared()
        .parallelize(numbers, 2)
        .map(
            number -> {
              float[] vector = new float[WIDTH];
              vector[number % WIDTH] = number;
              return vector;
            });
  }

  @Test
  void partitions() {
    JavaRDD<float[]> vectors = vectors();
    JavaRDD<float[]> norms =
        SparkFlows.mapPartitions(
            vectors,
            Rows.floats(WIDTH),
            Rows.floats(1),
            (stream, chunk) -> {
              long n = chunk.byteSize() / (WIDTH * Float.BYTES);
              stream.launch(
                  Grid.covering(n, 256),
                  SparkPageTest::norms,
                  chunk.in().asFloats(),
                  chunk.out().asFloats(),
                  WIDTH,
                  n);
            });
    List<float[]> all = norms.collect();
    assertThat(IntStream.range(0, 500)).allMatch(i -> all.get(i)[0] == i);
  }

  @Test
  void columns() {
    StructType schema =
        new StructType()
            .add("id", DataTypes.StringType)
            .add("embedding", DataTypes.createArrayType(DataTypes.FloatType));
    Float[] vector = new Float[WIDTH];
    java.util.Arrays.fill(vector, 2f);
    Dataset<Row> rows =
        Cluster.session().createDataFrame(List.of(RowFactory.create("a", vector)), schema);
    Dataset<Row> withNorms =
        SparkFlows.withColumns(
            rows,
            Columns.none().vectors("embedding", WIDTH),
            Columns.none().floats("norm"),
            (stream, chunk) ->
                stream.launch(
                    Grid.covering(chunk.rows(), 256),
                    SparkPageTest::norms,
                    chunk.in().floats("embedding"),
                    chunk.out().floats("norm"),
                    WIDTH,
                    chunk.rows()));
    assertThat(withNorms.select("id", "norm").collectAsList())
        .containsExactly(RowFactory.create("a", (float) Math.sqrt(4 * WIDTH)));
  }

  @Test
  void files(@TempDir Path folder) throws IOException {
    Path _ = Files.writeString(folder.resolve("log"), "one\ntwo\nthree\n");
    SparkSession spark = Cluster.session();
    String logs = folder.toString();
    JavaRDD<int[]> counts =
        SparkFlows.files(
            spark,
            List.of(logs),
            SparkSplitter.lines(),
            Rows.ints(1), // of each chunk
            Numbers::countLines);
    assertThat(counts.map(count -> count[0]).reduce(Integer::sum)).isEqualTo(3);
  }

  @Test
  void tasks() {
    JavaRDD<float[]> vectors = vectors();
    JavaRDD<Float> sums =
        vectors.mapPartitions(
            part -> {
              TaskDevice task = SparkDevices.ofTask();
              Stream stream = task.stream();
              GlobalFloats vector = stream.allocateFloats(task.memory(), WIDTH);
              GlobalFloats norm = stream.allocateFloats(task.memory(), 1);
              float[] back = new float[1];
              float sum = 0;
              while (part.hasNext()) {
                stream.copy(part.next(), vector);
                stream.launch(Grid.of(1, 32), SparkPageTest::norms, vector, norm, WIDTH, 1L);
                stream.copy(norm, back).await();
                sum += back[0];
              }
              return List.of(sum).iterator();
            });
    assertThat(sums.reduce(Float::sum)).isEqualTo(500 * 499 / 2f);
  }

  @Test
  void profiles() {
    JavaSparkContext spark = Cluster.shared();
    JavaRDD<float[]> vectors = vectors();
    ResourceProfile wholeGpu =
        new ResourceProfileBuilder()
            .require(new TaskResourceRequests().cpus(1).resource("gpu", 1))
            .build();
    spark.setLocalProperty("spark.stretto.taskAmount", "1");
    List<Double> amounts =
        vectors
            .withResources(wholeGpu)
            .mapPartitions(part -> List.of(SparkDevices.ofTask().amount()).iterator())
            .collect();
    spark.setLocalProperty("spark.stretto.taskAmount", null);
    assertThat(amounts).containsExactly(1.0, 1.0);
  }
}
