package dev.stretto.bench.kernel.samples;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;

/** Filters of images whose pixels are bytes without a sign, row by row. */
public final class Bytes {
  public static final int THREADS = 256;
  public static final int THREADS_X = 32;
  public static final int THREADS_Y = 8;

  private Bytes() {}

  /** The brightness of pixels of three bytes: red, green, and blue. */
  @Kernel(maxThreads = THREADS)
  public static void grey(ThreadBlock block, GlobalBytes colors, GlobalBytes out) {
    long i = block.globalIndexX();
    if (i < out.length()) {
      int red = colors.get(3 * i) & 0xff;
      int green = colors.get(3 * i + 1) & 0xff;
      int blue = colors.get(3 * i + 2) & 0xff;
      out.set(i, (byte) ((77 * red + 150 * green + 29 * blue) >> 8));
    }
  }

  /** The steepness of the brightness, at most 255; the border is 0. */
  @Kernel(maxThreads = THREADS_X * THREADS_Y)
  public static void sobel(
      ThreadBlock block, GlobalBytes in, GlobalBytes out, int width, int height) {
    int x = block.blockIndexX() * block.blockSizeX() + block.threadIndexX();
    int y = block.blockIndexY() * block.blockSizeY() + block.threadIndexY();
    if (x >= width || y >= height) {
      return;
    }
    int result = 0;
    if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
      int upperLeft = pixel(in, x - 1, y - 1, width);
      int upper = pixel(in, x, y - 1, width);
      int upperRight = pixel(in, x + 1, y - 1, width);
      int left = pixel(in, x - 1, y, width);
      int right = pixel(in, x + 1, y, width);
      int lowerLeft = pixel(in, x - 1, y + 1, width);
      int lower = pixel(in, x, y + 1, width);
      int lowerRight = pixel(in, x + 1, y + 1, width);
      int across = upperRight + 2 * right + lowerRight - upperLeft - 2 * left - lowerLeft;
      int down = lowerLeft + 2 * lower + lowerRight - upperLeft - 2 * upper - upperRight;
      result = Math.min(255, Math.abs(across) + Math.abs(down));
    }
    out.set(y * width + x, (byte) result);
  }

  /** The median of nine pixels; outside of the image lies the nearest pixel within. */
  @Kernel(maxThreads = THREADS_X * THREADS_Y)
  public static void median(
      ThreadBlock block, GlobalBytes in, GlobalBytes out, int width, int height) {
    int x = block.blockIndexX() * block.blockSizeX() + block.threadIndexX();
    int y = block.blockIndexY() * block.blockSizeY() + block.threadIndexY();
    if (x >= width || y >= height) {
      return;
    }
    int[] nine = new int[9];
    for (int j = 0; j < 3; j++) {
      for (int i = 0; i < 3; i++) {
        int column = Math.max(0, Math.min(width - 1, x + i - 1));
        int row = Math.max(0, Math.min(height - 1, y + j - 1));
        nine[3 * j + i] = pixel(in, column, row, width);
      }
    }
    for (int i = 0; i <= 4; i++) {
      for (int j = i + 1; j < 9; j++) {
        int lesser = Math.min(nine[i], nine[j]);
        nine[j] = Math.max(nine[i], nine[j]);
        nine[i] = lesser;
      }
    }
    out.set(y * width + x, (byte) nine[4]);
  }

  private static int pixel(GlobalBytes image, int x, int y, int width) {
    return image.get(y * width + x) & 0xff;
  }
}
