package dev.stretto.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Stream;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import org.junit.jupiter.api.Test;

/** What the guide says of grids with two dimensions, of records and of arrays of constants. */
class GuideParametersTest {
  private static final int WIDTH = 100;
  private static final int HEIGHT = 70;

  // @start region="plane"
  @Kernel
  static void gradient(ThreadBlock block, GlobalFloats image, int width, int height) {
    long x = block.globalIndexX();
    long y = block.globalIndexY();
    if (x < width && y < height) {
      image.set(y * width + x, (float) x / width + (float) y / height);
    }
  }

  // @end

  @Test
  void aPlaneIsCovered() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalFloats image = device.allocateFloats(WIDTH * HEIGHT)) {
      // @start region="covering"
      Grid grid = Grid.covering(WIDTH, HEIGHT, 32, 8); // 4 × 9 blocks of 32 × 8 threads
      stream.launch(grid, GuideParametersTest::gradient, image, WIDTH, HEIGHT);
      // @end
      assertThat(grid).isEqualTo(Grid.of(4, 9, 32, 8));
      float[] result = new float[WIDTH * HEIGHT];
      stream.copy(image, result).await();
      assertThat(result[69 * WIDTH + 99]).isCloseTo(0.99f + 69f / 70, within(1e-6f));
    }
  }

  // @start region="record"
  record Vector(float x, float y, float z) {
    Vector plus(Vector other, float factor) {
      return new Vector(x + factor * other.x, y + factor * other.y, z + factor * other.z);
    }

    float length() {
      return (float) Math.sqrt(x * x + y * y + z * z);
    }
  }

  record Camera(Vector eye, Vector forward, Vector right, Vector up, int width, int height) {}

  @Kernel
  static void distances(ThreadBlock block, Camera camera, GlobalFloats out) {
    int column = (int) block.globalIndexX();
    int row = (int) block.globalIndexY();
    if (column < camera.width() && row < camera.height()) {
      Vector ray =
          camera
              .forward()
              .plus(camera.right(), 2f * column / camera.width() - 1)
              .plus(camera.up(), 2f * row / camera.height() - 1);
      float most = camera.eye().length();
      out.set((long) row * camera.width() + column, most / ray.length());
    }
  }

  // @end

  private static Camera camera(float distance) {
    return new Camera(
        new Vector(0, 0, distance),
        new Vector(0, 0, -1),
        new Vector(1, 0, 0),
        new Vector(0, 1, 0),
        WIDTH,
        HEIGHT);
  }

  @Test
  void aRecordIsPassed() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalFloats out = device.allocateFloats(WIDTH * HEIGHT)) {
      Camera first = camera(1);
      Camera second = camera(2);
      // @start region="record launch"
      Grid grid = Grid.covering(first.width(), first.height(), 32, 8);
      Launch launch = device.prepare(grid, GuideParametersTest::distances, first, out);
      stream.launch(launch);
      stream.launch(launch.set(0, second));
      // @end
      float[] result = new float[WIDTH * HEIGHT];
      stream.copy(out, result).await();
      assertThat(result[35 * WIDTH + 50]).isEqualTo(2);
    }
  }

  // @start region="weights"
  @Const static final float[] WEIGHTS = {0.25f, 0.5f, 0.25f};

  @Kernel
  static void weigh(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    long i = block.globalIndexX();
    if (i < out.length()) {
      float sum = 0;
      for (int k = 0; k < WEIGHTS.length; k++) {
        sum += WEIGHTS[k] * in.get(i + k);
      }
      out.set(i, sum);
    }
  }

  // @end

  @Test
  void weightsAreCompiledIn() {
    try (Device device = Device.open("virtual");
        Stream stream = device.stream();
        GlobalFloats in = device.allocateFloats(10);
        GlobalFloats out = device.allocateFloats(8)) {
      stream.fill(in, 3);
      stream.launch(Grid.of(1, 8), GuideParametersTest::weigh, in, out);
      float[] result = new float[8];
      stream.copy(out, result).await();
      assertThat(result).containsOnly(3);
    }
  }
}
