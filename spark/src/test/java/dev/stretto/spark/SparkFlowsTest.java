package dev.stretto.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.junit.jupiter.api.Test;

@UsesCluster
class SparkFlowsTest {
  private static final int WIDTH = 1000;

  private static JavaRDD<float[]> vectors(int count, int partitions) {
    List<Integer> numbers = IntStream.range(0, count).boxed().toList();
    return Cluster.shared()
        .parallelize(new ArrayList<>(numbers), partitions)
        .map(
            number -> {
              float[] vector = new float[WIDTH];
              vector[number % WIDTH] = number;
              return vector;
            });
  }

  @Test
  void eachElementPassesTheStageInItsOrderAndPartition() {
    JavaRDD<float[]> twice =
        SparkFlows.mapPartitions(
            vectors(5000, 3), Rows.floats(WIDTH), Rows.floats(WIDTH), Numbers::twice);
    List<Float> found =
        twice
            .mapPartitionsWithIndex(
                (partition, part) -> {
                  List<Float> values = new ArrayList<>();
                  int number = 0;
                  for (; part.hasNext(); number++) {
                    values.add(part.next()[(number + first(partition)) % WIDTH]);
                  }
                  return values.iterator();
                },
                true)
            .collect();
    assertThat(found).hasSize(5000);
    assertThat(IntStream.range(0, 5000)).allMatch(i -> found.get(i) == 2f * i);
  }

  /** How parallelize cuts 5,000 elements into three. */
  private static int first(int partition) {
    return (int) (partition * 5000L / 3);
  }

  @Test
  void resultsMayHaveAnotherSize() {
    List<float[]> sums =
        SparkFlows.mapPartitions(
                vectors(3000, 2),
                Rows.floats(WIDTH),
                Rows.floats(1),
                (stream, chunk) -> Numbers.sum(stream, chunk, WIDTH))
            .collect();
    assertThat(sums).hasSize(3000);
    assertThat(IntStream.range(0, 3000)).allMatch(i -> sums.get(i)[0] == i);
  }

  @Test
  void emptyPartitionsAndConsumersThatStopEarlyLeaveNothing() {
    JavaRDD<float[]> few =
        SparkFlows.mapPartitions(
            vectors(2, 4), Rows.floats(WIDTH), Rows.floats(WIDTH), Numbers::twice);
    assertThat(few.count()).isEqualTo(2);
    JavaRDD<float[]> many =
        SparkFlows.mapPartitions(
            vectors(20_000, 2), Rows.floats(WIDTH), Rows.floats(WIDTH), Numbers::twice);
    assertThat(many.take(3)).hasSize(3);
    List<String> left =
        vectors(8, 8)
            .map(
                each -> {
                  Thread.sleep(50);
                  return SparkEnv.get().executorId()
                      + " uses "
                      + SparkEnv.get().memoryManager().offHeapExecutionMemoryUsed();
                })
            .collect();
    assertThat(left).allMatch(line -> line.endsWith(" uses 0"));
  }

  @Test
  void flowsFollowEachOtherInOneTask() {
    Rows<float[]> rows = Rows.floats(WIDTH);
    JavaRDD<float[]> fourTimes =
        SparkFlows.mapPartitions(
            SparkFlows.mapPartitions(vectors(2500, 2), rows, rows, Numbers::twice),
            rows,
            rows,
            Numbers::twice);
    List<float[]> all = fourTimes.collect();
    assertThat(IntStream.range(0, 2500)).allMatch(i -> all.get(i)[i % WIDTH] == 4f * i);
  }

  @Test
  void aTaskWithManyPartitionsHasTheMemoryOfOneFlowAtATime() {
    Rows<float[]> rows = Rows.floats(WIDTH);
    List<Long> used =
        SparkFlows.mapPartitions(vectors(320, 32), rows, rows, Numbers::twice)
            .coalesce(1)
            .mapPartitions(
                part -> {
                  long most = 0;
                  while (part.hasNext()) {
                    float[] _ = part.next();
                    long now = SparkEnv.get().memoryManager().offHeapExecutionMemoryUsed();
                    most = Math.max(most, now);
                  }
                  return List.of(most).iterator();
                })
            .collect();
    assertThat(used.getFirst()).isBetween(1L << 20, 4L << 20); // half of 8 MiB for each
  }

  @Test
  void anArrayOfAnotherLengthIsRefusedWithTheNumbers() {
    assertThatThrownBy(
            () ->
                SparkFlows.mapPartitions(
                        vectors(2, 1), Rows.floats(3), Rows.floats(3), Numbers::twice)
                    .collect())
        .hasMessageContaining("an array of 1000 elements among rows of 3");
    assertThatThrownBy(() -> Rows.longs(1 << 28))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rows of 268435456 elements: they may have 1 to 268435455");
  }

  @Test
  void aRowThatDoesNotFitIsRefusedWithTheNumbers() {
    assertThatThrownBy(() -> ChunkSize.of(1 << 20, 1 << 20, 1 << 16, 1 << 17))
        .isInstanceOf(TaskMemoryException.class)
        .hasMessageContaining("rows of 65536 bytes that become 131072");
    assertThat(ChunkSize.of(1 << 30, 1 << 23, 4000, 4000))
        .isEqualTo(new ChunkSize(131 * 4000, 4, 131 * 8000 * 4));
  }
}
