package dev.stretto.collective;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.collective.mesh.Introduction;
import dev.stretto.collective.mesh.Invitation;
import dev.stretto.collective.nccl.NcclLibrary;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which transport ranks choose, and when that is worth a warning. */
class ChoiceTest {
  private static Introduction rank(int rank, String gpu, int library, String why) {
    Invitation reached = new Invitation(1, "machine", List.of("10.0.0." + rank), 7);
    return new Introduction(rank, 2, 100 + rank, "cuda:" + rank, gpu, library, why, "", reached);
  }

  @Test
  void ncclIsChosenIfAllHaveTheSameLibraryAndAGpuOfTheirOwn() {
    Choice choice = Choice.of(List.of(rank(0, "a", 22_705, ""), rank(1, "b", 22_705, "")));
    assertThat(choice.transport()).isEqualTo(Transport.NCCL);
    assertThat(choice.isFallback()).isFalse();
  }

  @Test
  void gpusWithoutNcclAreWorthAWarning() {
    for (Introduction other :
        List.of(
            rank(1, "b", 0, "libnccl.so.2 is not there"),
            rank(1, "a", 22_705, ""),
            rank(1, "b", 22_803, ""))) {
      Choice choice = Choice.of(List.of(rank(0, "a", 22_705, ""), other));
      assertThat(choice.transport()).isEqualTo(Transport.TCP);
      assertThat(choice.isFallback()).as(choice.reason()).isTrue();
    }
  }

  @Test
  void devicesThatAreNoGpusAndNcclThatIsSwitchedOffAreNot() {
    Introduction off = rank(1, "b", 0, NcclLibrary.SWITCHED_OFF);
    Choice chosen = Choice.of(List.of(rank(0, "a", 22_705, ""), off));
    assertThat(chosen.transport()).isEqualTo(Transport.TCP);
    assertThat(chosen.reason()).contains("cuda:1", "dev.stretto.nccl=off");
    assertThat(chosen.isFallback()).isFalse();
    Introduction virtual = rank(1, "", 0, "virtual:0 is no GPU");
    assertThat(Choice.of(List.of(rank(0, "a", 22_705, ""), virtual)).isFallback()).isFalse();
  }
}
