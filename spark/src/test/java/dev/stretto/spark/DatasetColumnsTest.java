package dev.stretto.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@UsesCluster
class DatasetColumnsTest {
  private static final int ROWS = 20_001;
  private static final int WIDTH = 16;

  private static final Columns IN = Columns.none().ints("i").longs("l").floats("f").doubles("d");
  private static final Columns OUT = Columns.none().ints("i1").longs("l1").doubles("sum");

  private static final StructType SCHEMA =
      new StructType()
          .add("name", DataTypes.StringType)
          .add("i", DataTypes.IntegerType)
          .add("l", DataTypes.LongType)
          .add("f", DataTypes.FloatType)
          .add("d", DataTypes.DoubleType)
          .add("v", DataTypes.createArrayType(DataTypes.FloatType));

  private static Row row(int i) {
    Float[] vector = new Float[WIDTH];
    Arrays.fill(vector, 0f);
    vector[i % WIDTH] = (float) i;
    return RowFactory.create("row " + i, i, 1L << 40 | i, i / 2f, i / 4d, vector);
  }

  private static Dataset<Row> inMemory(int rows) {
    List<Row> all = new ArrayList<>(IntStream.range(0, rows).mapToObj(i -> row(i)).toList());
    return Cluster.session().createDataFrame(Cluster.shared().parallelize(all, 2), SCHEMA);
  }

  private static Dataset<Row> parquet(Path folder) {
    String file = folder.resolve("rows").toString();
    inMemory(ROWS).write().parquet(file);
    return Cluster.session().read().parquet(file);
  }

  private static void requireMixed(Dataset<Row> mixed) {
    List<Row> all = mixed.orderBy("i").collectAsList();
    assertThat(all).hasSize(ROWS);
    for (int i = 0; i < ROWS; i++) {
      Row row = all.get(i);
      assertThat(row.getString(0)).isEqualTo("row " + i);
      assertThat(row.<Integer>getAs("i1")).isEqualTo(i + 1);
      assertThat(row.<Long>getAs("l1")).isEqualTo((1L << 40 | i) + 1);
      assertThat(row.<Double>getAs("sum")).isEqualTo(i / 4d + i / 2f + (1L << 40 | i) + i);
      assertThat(row.<Float>getAs("f")).isEqualTo(i / 2f);
    }
  }

  @Test
  void rowsOfEveryTypeGetTheStagesColumns() {
    Dataset<Row> rows = inMemory(ROWS);
    assertThat(DatasetColumns.isColumnar(rows)).isFalse();
    requireMixed(SparkFlows.withColumns(rows, IN, OUT, Numbers::mix));
  }

  @Test
  void batchesOfParquetGetTheStagesColumns(@TempDir Path folder) {
    Dataset<Row> rows = parquet(folder);
    assertThat(DatasetColumns.isColumnar(rows)).isTrue();
    requireMixed(SparkFlows.withColumns(rows, IN, OUT, Numbers::mix));
    requireTwice(twice(rows));
  }

  @Test
  void batchesOfACacheGetTheStagesColumns() {
    Dataset<Row> rows = inMemory(ROWS).drop("v", "name").cache();
    try {
      assertThat(DatasetColumns.isColumnar(rows)).isTrue();
      Dataset<Row> mixed = SparkFlows.withColumns(rows, IN, OUT, Numbers::mix);
      assertThat(mixed.where("i1 = i + 1 and l1 = l + 1").count()).isEqualTo(ROWS);
    } finally {
      rows.unpersist();
    }
  }

  private static Dataset<Row> twice(Dataset<Row> rows) {
    return SparkFlows.withColumns(
        rows,
        Columns.none().vectors("v", WIDTH),
        Columns.none().vectors("v2", WIDTH),
        Numbers::twiceVectors);
  }

  private static void requireTwice(Dataset<Row> twice) {
    List<Row> all = twice.orderBy("i").select("v2").collectAsList();
    assertThat(all).hasSize(ROWS);
    for (int i = 0; i < ROWS; i++) {
      List<Float> vector = all.get(i).getList(0);
      assertThat(vector).hasSize(WIDTH);
      assertThat(vector.get(i % WIDTH)).isEqualTo(2f * i);
    }
  }

  @Test
  void vectorsAreRowsOfOneArray() {
    requireTwice(twice(inMemory(ROWS)));
  }

  @Test
  void theResultIsADatasetAsOthers() {
    Dataset<Row> mixed = SparkFlows.withColumns(inMemory(100), IN, OUT, Numbers::mix);
    assertThat(mixed.schema().simpleString()).endsWith(",i1:int,l1:bigint,sum:double>");
    assertThat(mixed.groupBy("name").agg(org.apache.spark.sql.functions.sum("i1")).count())
        .isEqualTo(100);
    assertThat(SparkFlows.withColumns(inMemory(0), IN, OUT, Numbers::mix).collectAsList())
        .isEmpty();
  }

  @Test
  void aNullIsRefusedByTheNameOfItsColumn(@TempDir Path folder) {
    StructType schema = new StructType().add("x", DataTypes.FloatType);
    List<Row> all = List.of(RowFactory.create(1f), RowFactory.create((Object) null));
    Dataset<Row> rows = Cluster.session().createDataFrame(all, schema);
    Columns in = Columns.none().floats("x");
    Columns out = Columns.none().floats("y");
    ColumnStage stage =
        (stream, chunk) ->
            stream.launch(
                dev.stretto.Grid.covering(chunk.rows(), 256),
                Numbers::doubles,
                chunk.in().floats("x"),
                chunk.out().floats("y"),
                chunk.rows());
    assertThatThrownBy(() -> SparkFlows.withColumns(rows, in, out, stage).collectAsList())
        .hasStackTraceContaining("the column 'x' has a null");
    String file = folder.resolve("nulls").toString();
    rows.write().parquet(file);
    Dataset<Row> batches = Cluster.session().read().parquet(file);
    assertThatThrownBy(() -> SparkFlows.withColumns(batches, in, out, stage).collectAsList())
        .hasStackTraceContaining("the column 'x' has a null");
    assertThat(SparkFlows.withColumns(batches.na().drop(), in, out, stage).collectAsList())
        .containsExactly(RowFactory.create(1f, 2f));
  }

  @Test
  void aColumnThatIsNotThereOrOfAnotherTypeIsRefusedAtOnce() {
    Dataset<Row> rows = inMemory(3);
    assertThatThrownBy(
            () -> SparkFlows.withColumns(rows, Columns.none().ints("f"), OUT, Numbers::mix))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no column 'f' of int: struct<name:string,i:int");
    assertThatThrownBy(
            () -> SparkFlows.withColumns(rows, IN, Columns.none().floats("d"), Numbers::mix))
        .hasMessageContaining("the rows have a column 'd' already");
    assertThatThrownBy(() -> SparkFlows.withColumns(rows, Columns.none(), OUT, Numbers::mix))
        .hasMessageContaining("it needs one or more of both");
    Dataset<Row> stream = Cluster.session().readStream().format("rate").load();
    assertThatThrownBy(() -> SparkFlows.withColumns(stream, IN, OUT, Numbers::mix))
        .hasMessageContaining("call this in foreachBatch");
    assertThatThrownBy(() -> IN.floats("i")).hasMessage("there is a column 'i' already");
  }

  @Test
  void aVectorOfAnotherLengthIsRefusedWithBothLengths() {
    assertThatThrownBy(
            () ->
                SparkFlows.withColumns(
                        inMemory(3),
                        Columns.none().vectors("v", 8),
                        Columns.none().vectors("v2", 8),
                        Numbers::twiceVectors)
                    .collectAsList())
        .hasStackTraceContaining("a vector of 16 floats in the column 'v', whose vectors have 8");
  }

  @Test
  void columnsOfLargerElementsLieFirst() {
    assertThat(IN.inPlaces()).extracting(DeviceColumn::name).containsExactly("l", "d", "i", "f");
    assertThat(IN.bytesBefore(IN.all().get(2))).isEqualTo(20);
    assertThat(IN.rowBytes()).isEqualTo(24);
  }
}
