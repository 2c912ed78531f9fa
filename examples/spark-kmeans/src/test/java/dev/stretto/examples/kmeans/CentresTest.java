package dev.stretto.examples.kmeans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CentresTest {
  private static final Centres CENTRES = new Centres(2, new double[] {1, 2, 3, 4});

  @Test
  void whatCannotBeCentresIsRefused() {
    assertThatThrownBy(() -> new Centres(0, new double[2])).hasMessageContaining("1 to 4096");
    assertThatThrownBy(() -> new Centres(2, new double[0])).hasMessageContaining("0 centres");
    assertThatThrownBy(() -> new Centres(2, new double[3])).hasMessageContaining("3 numbers");
    assertThatThrownBy(() -> new Centres(2, new double[] {1, 2, 3, Double.NaN}))
        .hasMessage("coordinate 1 of centre 1 is NaN: it must be a finite float");
  }

  @Test
  void aStateIsTheSameAfterItWasKept() {
    State state = new State(7, CENTRES, 12.5, true);
    assertThat(State.of(state.toBytes(), "it")).isEqualTo(state);
  }

  @Test
  void aDamagedStateIsRefused() {
    byte[] bytes = State.before(CENTRES).toBytes();
    byte[] part = Arrays.copyOf(bytes, bytes.length - 1);
    bytes[40]++;
    for (byte[] each : new byte[][] {bytes, part, new byte[0]}) {
      assertThatThrownBy(() -> State.of(each, "it"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is no whole checkpoint of k-means: delete it");
    }
  }

  @Test
  void aStepOfAnotherShapeIsRefused() {
    assertThatThrownBy(() -> KMeansStep.bytes(4097, 1, 1)).hasMessageContaining("1 to 4096");
    assertThatThrownBy(() -> KMeansStep.bytes(1, 65_537, 1)).hasMessageContaining("1 to 65536");
  }
}
