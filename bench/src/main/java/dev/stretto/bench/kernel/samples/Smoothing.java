package dev.stretto.bench.kernel.samples;

import dev.stretto.kernel.FastMath;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;

/** Filters of images of {@code width} times {@code height} floats, row by row. */
public final class Smoothing {
  public static final int THREADS = 128;
  public static final int THREADS_X = 32;
  public static final int THREADS_Y = 8;

  /** Of {@link #box}. */
  public static final int BOX_RADIUS = 7;

  /** The rows that one thread of {@link #box} computes. */
  public static final int STRIP = 64;

  /** Of {@link #bilateral}. */
  public static final int RADIUS = 3;

  private Smoothing() {}

  /**
   * The mean of the pixels in a column, by a sum that follows the column down. A thread computes
   * {@link #STRIP} rows; outside of the image lies the nearest pixel within.
   */
  @Kernel(maxThreads = THREADS)
  public static void box(
      ThreadBlock block, GlobalFloats in, GlobalFloats out, int width, int height) {
    int x = block.blockIndexX() * block.blockSizeX() + block.threadIndexX();
    int first = block.blockIndexY() * STRIP;
    if (x >= width) {
      return;
    }
    float scale = 1.0f / (2 * BOX_RADIUS + 1);
    float sum = 0;
    for (int k = -BOX_RADIUS; k <= BOX_RADIUS; k++) {
      sum += in.get(Math.max(0, Math.min(height - 1, first + k)) * width + x);
    }
    out.set(first * width + x, sum * scale);
    for (int y = first + 1; y < first + STRIP && y < height; y++) {
      sum += in.get(Math.min(height - 1, y + BOX_RADIUS) * width + x);
      sum -= in.get(Math.max(0, y - BOX_RADIUS - 1) * width + x);
      out.set(y * width + x, sum * scale);
    }
  }

  /**
   * The mean of a square of pixels, weighted by their distance and by the likeness of their values;
   * outside of the image lies the nearest pixel within.
   *
   * @param near how fast the weight decreases with the square of the distance
   * @param like how fast it decreases with the square of the difference
   */
  @Kernel(maxThreads = THREADS_X * THREADS_Y, contract = true)
  public static void bilateral(
      ThreadBlock block,
      GlobalFloats in,
      GlobalFloats out,
      float near,
      float like,
      int width,
      int height) {
    int x = (int) block.globalIndexX();
    int y = (int) block.globalIndexY();
    if (x >= width || y >= height) {
      return;
    }
    float center = in.get(y * width + x);
    float sum = 0;
    float weights = 0;
    for (int j = -RADIUS; j <= RADIUS; j++) {
      for (int i = -RADIUS; i <= RADIUS; i++) {
        int column = Math.max(0, Math.min(width - 1, x + i));
        int row = Math.max(0, Math.min(height - 1, y + j));
        float pixel = in.get(row * width + column);
        float difference = pixel - center;
        float weight = FastMath.exp(-near * (i * i + j * j) - like * difference * difference);
        weights += weight;
        sum += weight * pixel;
      }
    }
    out.set(y * width + x, sum / weights);
  }

  /**
   * The image turned about its middle, each pixel between four; outside of the image lies 0.
   *
   * @param cosine of the angle
   * @param sine of the angle
   */
  @Kernel(maxThreads = THREADS_X * THREADS_Y, contract = true)
  public static void rotate(
      ThreadBlock block,
      GlobalFloats in,
      GlobalFloats out,
      float cosine,
      float sine,
      int width,
      int height) {
    int column = block.blockIndexX() * block.blockSizeX() + block.threadIndexX();
    int row = block.blockIndexY() * block.blockSizeY() + block.threadIndexY();
    if (column >= width || row >= height) {
      return;
    }
    float dx = column - 0.5f * width;
    float dy = row - 0.5f * height;
    float x = cosine * dx - sine * dy + 0.5f * width;
    float y = sine * dx + cosine * dy + 0.5f * height;
    int left = (int) Math.floor(x);
    int upper = (int) Math.floor(y);
    float right = x - left;
    float lower = y - upper;
    float above =
        (1 - right) * pixel(in, left, upper, width, height)
            + right * pixel(in, left + 1, upper, width, height);
    float below =
        (1 - right) * pixel(in, left, upper + 1, width, height)
            + right * pixel(in, left + 1, upper + 1, width, height);
    out.set(row * width + column, (1 - lower) * above + lower * below);
  }

  private static float pixel(GlobalFloats image, int x, int y, int width, int height) {
    return x >= 0 && x < width && y >= 0 && y < height ? image.get(y * width + x) : 0;
  }
}
