package dev.stretto.examples.kmeans.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.examples.kmeans.Centres;
import dev.stretto.examples.kmeans.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointsTest {
  private static final Centres CENTRES = new Centres(1, new double[] {1, 2});

  @TempDir private Path folder;

  @Test
  void theLastTwoStay() throws IOException {
    Checkpoints checkpoints =
        new Checkpoints(folder.resolve("new").toString(), new Configuration());
    assertThat(checkpoints.newest()).isEmpty();
    for (int i = 1; i <= 4; i++) {
      checkpoints.write(new State(i, CENTRES, i, false));
    }
    checkpoints.write(new State(4, CENTRES, 4, false)); // again, as after a failure
    assertThat(checkpoints.newest()).hasValue(4);
    assertThat(checkpoints.read(3)).isEqualTo(new State(3, CENTRES, 3, false));
    try (Stream<Path> files = Files.list(folder.resolve("new"))) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .filteredOn(each -> !each.startsWith("."))
          .containsExactlyInAnyOrder("iteration-000000003", "iteration-000000004");
    }
  }
}
