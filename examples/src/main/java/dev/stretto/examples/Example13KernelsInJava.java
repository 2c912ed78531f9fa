package dev.stretto.examples;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Kernels in Java: numbers and records in registers, shared memory and warps, constants, lambdas,
 * and what a kernel cannot be.
 */
final class Example13KernelsInJava {
  private static final int N = 100_000;
  private static final int THREADS = 256;
  private static final Grid GRID = Grid.covering(N, THREADS);

  private static final int COLUMNS = 64;
  private static final int ROWS = 20;

  private Example13KernelsInJava() {}

  // @start region="sum"
  @Kernel(maxThreads = THREADS)
  static void sum(ThreadBlock block, GlobalInts x, GlobalLongs total) {
    long mine = 0;
    long step = (long) block.gridSizeX() * block.blockSizeX();
    for (long i = block.globalIndexX(); i < x.length(); i += step) {
      mine += x.get(i);
    }
    Warp warp = block.warp();
    SharedLongs ofWarps = block.sharedLongs(THREADS / 32);
    long ofWarp = warp.reduceAdd(mine);
    if (warp.lane() == 0) {
      ofWarps.set(warp.index(), ofWarp);
    }
    block.sync();
    if (block.threadIndexX() == 0) {
      long ofBlock = 0;
      for (int i = 0; i < ofWarps.length(); i++) {
        ofBlock += ofWarps.get(i);
      }
      Atomics.add(total, 0, ofBlock);
    }
  }

  // @end

  // @start region="smooth"
  @Kernel
  static void smooth(ThreadBlock block, GlobalFloats in, GlobalFloats out, @Const int radius) {
    long i = block.globalIndexX();
    if (i >= radius && i < in.length() - radius) {
      float sum = 0;
      for (int k = -radius; k <= radius; k++) {
        sum += in.get(i + k);
      }
      out.set(i, sum / (2 * radius + 1));
    }
  }

  // @end

  // @start region="mandelbrot"
  record Complex(float re, float im) {
    Complex plus(Complex other) {
      return new Complex(re + other.re, im + other.im);
    }

    Complex squared() {
      return new Complex(re * re - im * im, 2 * re * im);
    }

    boolean isNear() {
      return re * re + im * im < 4;
    }
  }

  @Kernel
  static void mandelbrot(ThreadBlock block, GlobalBytes picture, int columns, int rows) {
    long at = block.globalIndexX();
    if (at < picture.length()) {
      int column = (int) (at % columns);
      int row = (int) (at / columns);
      Complex c = new Complex(-2.2f + 3.2f * column / columns, -1.2f + 2.4f * row / rows);
      Complex z = c;
      int rounds = 0;
      while (z.isNear() && rounds < 50) {
        z = z.squared().plus(c);
        rounds++;
      }
      picture.set(at, (byte) (rounds == 50 ? '#' : rounds > 5 ? '+' : ' '));
    }
  }

  // @end

  // @start region="refused"
  @Kernel
  static void refused(ThreadBlock block, GlobalInts x) {
    if (x.get(0) < 0) {
      throw new IllegalStateException("negative");
    }
  }

  // @end

  public static void main(String... arguments) {
    try (Device device = arguments.length == 0 ? Device.open() : Device.open(arguments[0]);
        Stream stream = device.stream()) {
      System.out.println(device + ", because " + device.reason() + "\n");
      saxpy(device, stream);
      sum(device, stream);
      smooth(device, stream);
      scale(device, stream);
      mandelbrot(device, stream);
      refuse(device, stream);
    }
  }

  private static void saxpy(Device device, Stream stream) {
    try (GlobalFloats x = device.allocateFloats(N);
        GlobalFloats y = device.allocateFloats(N)) {
      stream.fill(x, 3);
      stream.fill(y, 1);
      // @start region="saxpy"
      stream.launch(Grid.covering(N, 256), Kernels::saxpy, 2f, x, y, N);
      // @end
      float[] result = new float[N];
      stream.copy(y, result).await();
      System.out.println("2 * 3 + 1 = " + result[N - 1]);
    }
  }

  private static void sum(Device device, Stream stream) {
    try (GlobalInts x = device.allocateInts(N);
        GlobalLongs total = device.allocateLongs(1)) {
      stream.copy(IntStream.rangeClosed(1, N).toArray(), x);
      stream.fill(total, 0);
      stream.launch(Grid.of(8, THREADS), Example13KernelsInJava::sum, x, total);
      long[] result = new long[1];
      stream.copy(total, result).await();
      System.out.println("1 + 2 + ... + " + N + " = " + result[0]);
    }
  }

  private static void smooth(Device device, Stream stream) {
    try (GlobalFloats in = device.allocateFloats(N);
        GlobalFloats out = device.allocateFloats(N)) {
      float[] numbers = new float[N];
      numbers[5] = 105;
      stream.copy(numbers, in);
      for (int radius : new int[] {1, 2, 3}) {
        stream.fill(out, 0);
        stream.launch(GRID, Example13KernelsInJava::smooth, in, out, radius);
        stream.copy(out, numbers).await();
        System.out.println(
            "smooth, " + radius + " to each side: " + Arrays.toString(Arrays.copyOf(numbers, 10)));
      }
    }
  }

  private static void scale(Device device, Stream stream) {
    try (GlobalInts x = device.allocateInts(N)) {
      stream.fill(x, 14);
      // @start region="lambda"
      int factor = 3;
      stream.launch(
          GRID,
          (block, array) -> {
            long i = block.globalIndexX();
            if (i < array.length()) {
              array.set(i, factor * array.get(i));
            }
          },
          x);
      // @end
      int[] result = new int[N];
      stream.copy(x, result).await();
      System.out.println("3 * 14 = " + result[N - 1] + "\n");
    }
  }

  private static void mandelbrot(Device device, Stream stream) {
    try (GlobalBytes picture = device.allocateBytes(COLUMNS * ROWS)) {
      Grid grid = Grid.covering(picture.length(), THREADS);
      stream.launch(grid, Example13KernelsInJava::mandelbrot, picture, COLUMNS, ROWS);
      byte[] letters = new byte[COLUMNS * ROWS];
      stream.copy(picture, letters).await();
      for (int row = 0; row < ROWS; row++) {
        String line = new String(letters, row * COLUMNS, COLUMNS, StandardCharsets.US_ASCII);
        System.out.println(line.stripTrailing());
      }
    }
  }

  private static void refuse(Device device, Stream stream) {
    try (GlobalInts x = device.allocateInts(N)) {
      stream.launch(GRID, Example13KernelsInJava::refused, x);
    } catch (KernelRefusedException e) {
      System.out.println("\n" + e.getMessage());
    }
  }
}
