package dev.stretto.examples.kmeans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A step on a virtual device beside one in doubles on the host. */
class KMeansStepTest {
  private static Device device;

  @BeforeAll
  static void open() {
    device = Device.open("virtual:h200,memory=268435456");
  }

  @AfterAll
  static void close() {
    device.close();
  }

  /** {@return the totals that the device makes of points in chunks} */
  private static double[] totals(float[] points, Centres centres, int chunk) {
    return totals(device, points, centres, chunk);
  }

  private static double[] totals(Device device, float[] points, Centres centres, int chunk) {
    int width = centres.width();
    int count = centres.count();
    try (Stream stream = device.stream();
        GlobalBytes memory =
            device.allocateBytes(KMeansStep.bytes(width, count, Math.max(1, chunk)));
        GlobalFloats part = device.allocateFloats(Math.max(1, chunk) * (long) width)) {
      KMeansStep step = new KMeansStep(memory, width, count, Math.max(1, chunk));
      step.begin(stream, centres);
      int n = points.length / width;
      for (int first = 0; first < n; first += chunk) {
        int length = Math.min(chunk, n - first);
        stream.copy(points, first * width, length * width, part.slice(0, (long) length * width));
        step.add(stream, part.slice(0, (long) length * width), first);
      }
      double[] totals = new double[KMeansStep.totals(width, count)];
      stream.copy(step.totals(stream), totals).await();
      assertThat(step.strangePoint(stream)).isEqualTo(Long.MAX_VALUE);
      return totals;
    }
  }

  private static void requireEqual(float[] points, Centres centres, int chunk) {
    double[] expected = HostStep.totals(points, centres);
    double[] actual = totals(points, centres, chunk);
    int sums = centres.count() * centres.width();
    assertThat(Arrays.copyOfRange(actual, sums, sums + centres.count()))
        .as("counts of %s", centres)
        .isEqualTo(Arrays.copyOfRange(expected, sums, sums + centres.count()));
    for (int i = 0; i < actual.length; i++) {
      double most = 1e-9 * (1 + Math.abs(expected[i]));
      assertThat(actual[i]).as("total %d of %s", i, centres).isCloseTo(expected[i], within(most));
    }
  }

  private static final int[] WIDTHS = {1, 3, 7, 16, 33, 100};
  private static final int[] COUNTS = {1, 2, 5, 8, 17, 64};
  private static final int[] LENGTHS = {0, 1, 31, 1000};

  /** All lengths for each width and count in a thorough build; one of them otherwise. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void aStepIsThatOfTheHost(int number) {
    int width = WIDTHS[number];
    for (int i = 0; i < COUNTS.length; i++) {
      for (int j = 0; j < LENGTHS.length; j++) {
        if (Boolean.getBoolean("stretto.thorough") || j == (number + i) % LENGTHS.length) {
          int n = LENGTHS[j];
          requireEqual(
              Samples.clustered(n, width, COUNTS[i], n + width),
              Samples.centres(width, COUNTS[i], 1),
              400);
        }
      }
    }
  }

  @Test
  void widePointsAndManyCentresTakeSeveralTiles() {
    requireEqual(Samples.clustered(40, 516, 3, 1), Samples.centres(516, 3, 1), 40);
    requireEqual(Samples.clustered(150, 2, 130, 1), Samples.centres(2, 130, 1), 150);
  }

  @Test
  void allPointsMayHaveOneCentre() {
    Centres centres = new Centres(2, new double[] {5, 5, 1e5, 0, 0, 1e5});
    requireEqual(Samples.clustered(700, 2, 1, 3), centres, 700);
  }

  @Test
  void aStepHasTheSameBitsEachTime() {
    float[] points = Samples.clustered(500, 5, 4, 7);
    Centres centres = Samples.centres(5, 4, 7);
    assertThat(totals(points, centres, 300)).isEqualTo(totals(points, centres, 300));
  }

  /** A seed has threads and streams take turns in another order; a missing wait would be found. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void theOrderOfThreadsDoesNotMatter(int seed) {
    float[] points = Samples.clustered(300, 19, 3, 5);
    Centres centres = Samples.centres(19, 3, 5);
    try (Device seeded = Device.open("virtual:h200,memory=268435456,seed=" + seed)) {
      assertThat(totals(seeded, points, centres, 200)).isEqualTo(totals(points, centres, 200));
    }
  }

  @Test
  void pointsBetweenCentresAreDecidedExactly() {
    int width = 9;
    SplittableRandom random = new SplittableRandom(3);
    double[] near = new double[6 * width];
    Arrays.setAll(near, i -> 1000 + random.nextDouble() + (i / width) * 1e-6);
    float[] points = new float[200 * width];
    for (int i = 0; i < points.length; i++) {
      points[i] = (float) (1000 + random.nextDouble());
    }
    requireEqual(points, new Centres(width, near), 200);
  }

  @Test
  void ofEqualCentresTheFirstHasThePoints() {
    double[] equal = {1, 1, 5, 5, 1, 1, 5, 5, 1, 1, 1, 1};
    float[] points = {1, 1, 5, 5, 1, 0, 6, 5, 3, 3};
    requireEqual(points, new Centres(2, equal), 10);
    double[] totals = totals(points, new Centres(2, equal), 10);
    assertThat(Arrays.copyOfRange(totals, 12, 18)).containsExactly(3, 2, 0, 0, 0, 0);
  }

  @Test
  void aCentreWithoutPointsStays() {
    Centres centres = new Centres(1, new double[] {0, 1e6});
    Centres moved = centres.moved(totals(new float[] {1, 2, 3}, centres, 3));
    assertThat(moved.values()).containsExactly(2, 1e6);
    assertThat(moved.isWithin(centres, 2)).isTrue();
    assertThat(moved.isWithin(centres, 1.9)).isFalse();
  }

  @Test
  void numbersWhoseSquaresNoFloatHoldsAreDecidedExactly() {
    double[] huge = {1e30, -1e30, 3e38, 0};
    requireEqual(new float[] {2e30f, 3e30f, -1e20f, 2.9e38f, 1}, new Centres(1, huge), 5);
    double[] tiny = {1e-30, -1e-30, 3e-38, 0};
    requireEqual(new float[] {2e-30f, 3e-38f, -1e-30f, 1e-40f, 2e-38f}, new Centres(1, tiny), 5);
  }

  @ParameterizedTest
  @CsvSource({"NaN", "Infinity", "-Infinity"})
  void aStrangePointIsNamed(float strange) {
    float[] points = new float[40];
    points[25] = strange;
    points[39] = strange;
    Centres centres = new Centres(2, new double[] {0, 0, 1, 1});
    try (Stream stream = device.stream();
        GlobalBytes memory = device.allocateBytes(KMeansStep.bytes(2, 2, 20));
        GlobalFloats chunk = device.allocateFloats(40)) {
      KMeansStep step = new KMeansStep(memory, 2, 2, 20);
      step.begin(stream, centres);
      stream.copy(points, chunk);
      step.add(stream, chunk, 100);
      double[] totals = new double[KMeansStep.totals(2, 2)];
      stream.copy(step.totals(stream), totals).await();
      assertThat(step.strangePoint(stream)).isEqualTo(112);
      assertThat(Double.isFinite(totals[6])).isFalse();
    }
  }

  @Test
  void devicesWithoutTensorCoresForFloatsAreRefused() {
    try (Device old = Device.open("virtual:t4")) {
      assertThatThrownBy(() -> KMeansStep.requireTensorCores(old))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("compute capability 7.5")
          .hasMessageContaining("from 8.0 on");
    }
    KMeansStep.requireTensorCores(device);
  }
}
