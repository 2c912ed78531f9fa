package dev.stretto.bench.kernel;

import dev.stretto.Grid;
import dev.stretto.bench.kernel.samples.Bytes;
import dev.stretto.memory.GlobalBytes;
import java.util.Arrays;

/** Filters of square images of bytes. */
final class ImageJobs {
  private static final int SEED = 32;

  private ImageJobs() {}

  static Job grey(Workbench bench) {
    int n = bench.size().elements();
    GlobalBytes colors = bench.bytes(3 * n, ImageJobs::pixel);
    GlobalBytes out = bench.bytes(n);
    return Job.ofBytes(
        bench.device().prepare(Grid.covering(n, Bytes.THREADS), Bytes::grey, colors, out),
        4.0 * n,
        () ->
            Expected.bytes(
                bench.toHost(out),
                n,
                i -> (77 * pixel(3 * i) + 150 * pixel(3 * i + 1) + 29 * pixel(3 * i + 2)) >> 8));
  }

  static Job sobel(Workbench bench) {
    int side = bench.size().side();
    GlobalBytes in = bench.bytes(side * side, ImageJobs::pixel);
    GlobalBytes out = bench.bytes(side * side);
    return Job.ofBytes(
        bench.device().prepare(grid(side), Bytes::sobel, in, out, side, side),
        2.0 * side * side,
        () -> Expected.bytes(bench.toHost(out), side * side, i -> sobel(i, side)));
  }

  static Job median(Workbench bench) {
    int side = bench.size().side();
    GlobalBytes in = bench.bytes(side * side, ImageJobs::pixel);
    GlobalBytes out = bench.bytes(side * side);
    return Job.ofBytes(
        bench.device().prepare(grid(side), Bytes::median, in, out, side, side),
        2.0 * side * side,
        () -> Expected.bytes(bench.toHost(out), side * side, i -> median(i, side)));
  }

  private static Grid grid(int side) {
    return Grid.covering(side, side, Bytes.THREADS_X, Bytes.THREADS_Y);
  }

  private static int pixel(int i) {
    return Pattern.hash(i, SEED) & 0xff;
  }

  private static int sobel(int i, int side) {
    int x = i % side;
    int y = i / side;
    if (x == 0 || x == side - 1 || y == 0 || y == side - 1) {
      return 0;
    }
    int across = 0;
    int down = 0;
    for (int k = -1; k <= 1; k++) {
      int weight = k == 0 ? 2 : 1;
      across += weight * (pixel(i + k * side + 1) - pixel(i + k * side - 1));
      down += weight * (pixel(i + side + k) - pixel(i - side + k));
    }
    return Math.min(255, Math.abs(across) + Math.abs(down));
  }

  private static int median(int i, int side) {
    int[] nine = new int[9];
    for (int k = 0; k < 9; k++) {
      int x = Math.clamp(i % side + k % 3 - 1, 0, side - 1);
      int y = Math.clamp(i / side + k / 3 - 1, 0, side - 1);
      nine[k] = pixel(y * side + x);
    }
    Arrays.sort(nine);
    return nine[4];
  }
}
