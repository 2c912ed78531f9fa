package dev.stretto.examples.kmeans;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import java.util.SplittableRandom;

/** Compares a device's step with the host's, for points of a shape. */
record StepCheck(int width, int count, int points, double spread) {
  /** {@return how far the totals are off, relative to their size: the most} */
  double error(Device device) {
    SplittableRandom random = new SplittableRandom(width + 31L * count);
    float[] values = new float[points * width];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (5 + random.nextGaussian());
    }
    double[] first = new double[count * width];
    for (int i = 0; i < first.length; i++) {
      first[i] = 5 + spread * random.nextGaussian();
    }
    Centres centres = new Centres(width, first);
    double[] expected = HostStep.totals(values, centres);
    double[] actual = new double[expected.length];
    try (Stream stream = device.stream();
        GlobalBytes memory = device.allocateBytes(KMeansStep.bytes(width, count, points));
        GlobalFloats chunk = device.allocateFloats(values.length)) {
      KMeansStep step = new KMeansStep(memory, width, count, points);
      step.begin(stream, centres);
      stream.copy(values, chunk);
      step.add(stream, chunk, 0);
      stream.copy(step.totals(stream), actual).await();
    }
    double most = 0;
    for (int i = 0; i < actual.length; i++) {
      double error = Math.abs(actual[i] - expected[i]) / Math.max(1, Math.abs(expected[i]));
      most = Math.max(most, Double.isNaN(error) ? Double.POSITIVE_INFINITY : error);
    }
    return most;
  }
}
