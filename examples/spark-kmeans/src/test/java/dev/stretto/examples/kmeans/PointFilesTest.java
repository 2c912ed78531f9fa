package dev.stretto.examples.kmeans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PointFilesTest {
  /** Ten points of 12 bytes in three files, one of which is empty. */
  private static final PointFiles FILES =
      new PointFiles(
          3, List.of(new PointFile("a", 48), new PointFile("b", 0), new PointFile("c", 72)));

  @Test
  void sharesAreWholePointsAndNearlyEqual() {
    assertThat(FILES.points()).isEqualTo(10);
    assertThat(FILES.share(0, 3)).containsExactly(new PointPart("a", 0, 48, 0));
    assertThat(FILES.share(1, 3)).containsExactly(new PointPart("c", 0, 36, 4));
    assertThat(FILES.share(2, 3)).containsExactly(new PointPart("c", 36, 36, 7));
    assertThat(FILES.share(0, 2))
        .containsExactly(new PointPart("a", 0, 48, 0), new PointPart("c", 0, 12, 4));
  }

  @Test
  void allSharesTogetherAreAllPoints() {
    for (int size : new int[] {1, 4, 10, 13}) {
      List<PointPart> all = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        all.addAll(FILES.share(rank, size));
      }
      assertThat(all.stream().mapToLong(PointPart::bytes).sum()).isEqualTo(FILES.bytes());
    }
  }

  @Test
  void spreadPointsAreAtTheSameDistance() {
    assertThat(FILES.spread(5).stream().map(PointPart::first)).containsExactly(0L, 2L, 4L, 6L, 8L);
    assertThat(FILES.spread(10)).hasSize(10).doesNotHaveDuplicates();
    assertThatThrownBy(() -> FILES.spread(11)).hasMessageContaining("11 centres of 10 points");
  }

  @Test
  void aPlaceIsARecordOfAFile() {
    assertThat(FILES.place(3)).isEqualTo("record 3 of a");
    assertThat(FILES.place(4)).isEqualTo("record 0 of c");
  }

  @Test
  void whatIsNoWholePointIsRefused() {
    assertThatThrownBy(() -> new PointFiles(3, List.of(new PointFile("a", 40))))
        .hasMessage("a has 40 bytes, which are no whole points of 3 floats");
    assertThatThrownBy(() -> new PointFiles(3, List.of(new PointFile("a", 0))))
        .hasMessage("there are no points in 1 files");
    assertThatThrownBy(() -> PointFiles.local(2, List.of("/none")))
        .hasMessage("/none does not exist");
  }
}
