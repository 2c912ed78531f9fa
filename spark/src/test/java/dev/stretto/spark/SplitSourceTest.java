package dev.stretto.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.flow.FlowException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SplitSourceTest {
  /** Files of this machine that Hadoop alone can read. */
  static final class Elsewhere extends RawLocalFileSystem {
    @Override
    public URI getUri() {
      return URI.create("elsewhere:///");
    }
  }

  private static Configuration hadoop() {
    Configuration hadoop = new Configuration(false);
    hadoop.set("fs.elsewhere.impl", Elsewhere.class.getName());
    return hadoop;
  }

  private static List<FileSplit> splits(String path, long splitBytes) {
    FileSplits splits = new FileSplits(hadoop(), splitBytes);
    splits.add(path);
    return splits.all();
  }

  private static byte[] read(FileSplit split, SparkSplitter records) {
    try (SplitSource source = SplitSource.of(split, records, hadoop())) {
      byte[] all = new byte[(int) source.size()];
      assertThat(source.read(0, MemorySegment.ofArray(all))).isEqualTo(all.length);
      return all;
    }
  }

  private static byte[] randomLines(Random random, int bytes) {
    StringBuilder lines = new StringBuilder();
    while (lines.length() < bytes) {
      lines.append("x".repeat(random.nextInt(300))).append('\n');
    }
    return lines.append("the last line has no end").toString().getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void splitsHaveWholeLinesAndTogetherAllOfThem(@TempDir Path folder) throws IOException {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      byte[] content = randomLines(random, random.nextInt(200_000));
      Path file = Files.write(folder.resolve("lines" + seed), content);
      for (String path : List.of(file.toString(), "elsewhere://" + file)) {
        List<FileSplit> splits = splits(path, 1 + random.nextInt(content.length));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (FileSplit split : splits) {
          byte[] part = read(split, SparkSplitter.lines());
          assertThat(
                  part.length == 0 || split.end() == split.size() || part[part.length - 1] == '\n')
              .as("seed %d, %s", seed, split)
              .isTrue();
          all.write(part);
        }
        assertThat(all.toByteArray()).as("seed %d", seed).isEqualTo(content);
      }
    }
  }

  @Test
  void splitsHaveWholeRecordsOfOneSize(@TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("records"), new byte[100_000]);
    long all = 0;
    for (FileSplit split : splits(file.toString(), 12_345)) {
      byte[] part = read(split, SparkSplitter.ofSize(32));
      assertThat(part.length % 32).isZero();
      all += part.length;
    }
    assertThat(all).isEqualTo(100_000);
  }

  @Test
  void filesOfAFolderAreTakenByNameAndHiddenOnesLeftOut(@TempDir Path folder) throws IOException {
    for (String name : List.of("b", "a", ".hidden", "_SUCCESS")) {
      Path _ = Files.writeString(folder.resolve(name), name);
    }
    Path _ = Files.createDirectory(folder.resolve("sub"));
    assertThat(splits(folder.toString(), 100))
        .extracting(split -> split.path().substring(split.path().lastIndexOf('/') + 1))
        .containsExactly("a", "b");
  }

  @Test
  void aMissingFileIsRefusedAtOnce(@TempDir Path folder) {
    assertThatThrownBy(() -> splits(folder.resolve("none").toString(), 100))
        .isInstanceOf(FlowException.class)
        .hasMessageContaining("none cannot be read");
  }

  @Test
  void aSplitterThatPointsBeyondItsLimitIsRefused(@TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("bytes"), new byte[100]);
    FileSplit second = splits(file.toString(), 50).getLast();
    assertThatThrownBy(() -> read(second, (_, _, limit) -> limit + 1))
        .isInstanceOf(FlowException.class)
        .hasMessage("the splitter says that a record ends at byte 51, of bytes 0 to 50");
  }
}
