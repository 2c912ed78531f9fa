package dev.stretto.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@UsesCluster
class FilesTest {
  private static final int LINES = 200_000;

  private static SparkSession smallSplits() {
    SparkSession session = Cluster.session().newSession();
    session.conf().set("spark.sql.files.maxPartitionBytes", "3m");
    return session;
  }

  private static String lines() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < LINES; i++) {
      lines.append("this is line ").append(i).append(" of a file, and no other one\n");
    }
    return lines.toString();
  }

  @Test
  void splitsOfALargeFilePassTheStageInTheirOrder(@TempDir Path folder) throws IOException {
    String lines = lines();
    Path file = Files.writeString(folder.resolve("lines"), lines);
    JavaRDD<byte[]> upper =
        SparkFlows.files(
            smallSplits(), List.of(file.toString()), SparkSplitter.lines(), Numbers::upper);
    assertThat(upper.getNumPartitions()).isEqualTo(Math.ceilDiv(lines.length(), 3 << 20));
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] chunk : upper.collect()) {
      assertThat(chunk[chunk.length - 1]).isEqualTo((byte) '\n');
      all.writeBytes(chunk);
    }
    assertThat(all.toString(StandardCharsets.UTF_8).equals(lines.toUpperCase(Locale.ROOT)))
        .isTrue();
  }

  @Test
  void chunksOfSeveralFilesBecomeOneResultEach(@TempDir Path folder) throws IOException {
    String lines = lines();
    Path _ = Files.writeString(folder.resolve("first"), lines);
    Path _ = Files.writeString(folder.resolve("second"), lines);
    Path _ = Files.writeString(folder.resolve("empty"), "");
    List<int[]> counts =
        SparkFlows.files(
                smallSplits(),
                List.of(folder.toString()),
                SparkSplitter.lines(),
                Rows.ints(1),
                Numbers::countLines)
            .collect();
    assertThat(counts.size()).isGreaterThanOrEqualTo(2 * Math.ceilDiv(lines.length(), 3 << 20));
    assertThat(counts.stream().mapToInt(each -> each[0]).sum()).isEqualTo(2 * LINES);
  }

  @Test
  void aRecordThatIsLongerThanAChunkFailsTheTask(@TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("long"), new byte[10 << 20]);
    assertThatThrownBy(
            () ->
                SparkFlows.files(
                        Cluster.session(),
                        List.of(file.toString()),
                        SparkSplitter.lines(),
                        Numbers::upper)
                    .collect())
        .hasMessageContaining("the record at byte 0 does not end within a chunk");
  }
}
