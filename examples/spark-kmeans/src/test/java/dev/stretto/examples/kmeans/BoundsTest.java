package dev.stretto.examples.kmeans;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scores as tensor cores compute them, beside exact ones. */
class BoundsTest {
  private static float tensorFloat(float value) {
    return Float.intBitsToFloat((Float.floatToRawIntBits(value) + 0x1000) & ~0x1fff);
  }

  /** Cuts each sum to 22 bits, which is worse than any tensor core. */
  private static float cut(double sum) {
    return Float.intBitsToFloat(Float.floatToRawIntBits((float) sum) & ~3);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 0",
    "3, 1e-10, 0",
    "16, 1, 1000",
    "128, 1, 0",
    "128, 1e8, 1e9",
    "512, 1, 5",
    "4096, 1, 0"
  })
  void theExactScoreIsWithinTheRange(int width, double spread, double middle) {
    SplittableRandom random = new SplittableRandom(width);
    int count = 5;
    double[] values = new double[count * width];
    for (int i = 0; i < values.length; i++) {
      values[i] = middle + spread * random.nextGaussian() * (1 + i / width);
    }
    Centres centres = new Centres(width, values);
    Bounds bounds = Bounds.of(centres);
    assertThat(bounds.isTrue()).isTrue();
    int stride = new Shape(0, width, count, true).paddedWidth();
    for (int round = 0; round < 50; round++) {
      float[] point = new float[width];
      float square = 0;
      for (int j = 0; j < width; j++) {
        point[j] = (float) (middle + spread * random.nextGaussian());
        float relative = point[j] - bounds.mean()[j];
        square = Math.fma(relative, relative, square);
      }
      float radius = (float) Math.sqrt(square);
      for (int c = 0; c < count; c++) {
        float dot = 0;
        double exact = 0;
        for (int j = 0; j < width; j++) {
          float own = tensorFloat(point[j] - bounds.mean()[j]);
          dot = cut(dot + (double) own * bounds.rounded()[c * stride + j]);
          double relative = centres.get(c, j) - bounds.mean()[j];
          exact += relative * relative - 2 * (point[j] - (double) bounds.mean()[j]) * relative;
        }
        float slope = bounds.ranges()[4 * c + 2];
        float begin = Math.fma(-slope, radius, -2 * dot + bounds.ranges()[4 * c]);
        float end = Math.fma(slope, radius, -2 * dot + bounds.ranges()[4 * c + 1]);
        assertThat((double) begin).isLessThanOrEqualTo(exact);
        assertThat((double) end).isGreaterThanOrEqualTo(exact);
      }
    }
  }

  @Test
  void aRangeIsNarrow() {
    Bounds bounds = Bounds.of(Samples.centres(128, 8, 1));
    double length = 2 * 10 * Math.sqrt(128); // at most, as deviations of ten are
    for (int c = 0; c < 8; c++) {
      assertThat(bounds.ranges()[4 * c + 2] / length).isLessThan(0.004f);
    }
  }

  @Test
  void whatNoFloatHoldsHasNoBounds() {
    assertThat(Bounds.of(new Centres(1, new double[] {1e19, -1e19})).isTrue()).isFalse();
  }
}
