package dev.stretto.examples.hopper;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.examples.hopper.Attention.Shape;
import dev.stretto.memory.Bfloat;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalFloats;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * How fast the product and attention are on a GPU, and how far some of their numbers are off what
 * doubles give.
 */
final class Measure {
  private static final int ROUNDS = 7;
  private static final int LAUNCHES = 8;
  private static final int TOKENS = 16_384;
  private static final int WIDTH = 2048;

  private final Device device;
  private final Stream stream;
  private final int multiprocessors;
  private final PrintStream out;
  private final SplittableRandom random = new SplittableRandom(5);
  private final short[] q = numbers(TOKENS * WIDTH);
  private final short[] k = numbers(TOKENS * WIDTH);
  private final short[] v = numbers(TOKENS * WIDTH);

  private Measure(Device device, Stream stream, PrintStream out) {
    this.device = device;
    this.stream = stream;
    this.multiprocessors = device.properties().multiprocessors();
    this.out = out;
  }

  public static void main(String[] args) {
    try (Device device = Device.open();
        Stream stream = device.stream()) {
      Measure measure = new Measure(device, stream, System.out);
      for (int size : new int[] {4096, 8192}) {
        measure.product(size, 1, MatrixProduct.WIDE);
        for (int wide : new int[] {4, 8, 16}) {
          measure.product(size, MatrixProduct.BLOCKS, wide);
        }
      }
      for (String variant : args) {
        String[] numbers = variant.split(",", -1);
        for (int length : new int[] {4096, 8192, 16_384}) {
          measure.attention(
              Integer.parseInt(numbers[0]),
              length,
              numbers[1].equals("causal"),
              numbers.length > 2 ? Integer.parseInt(numbers[2]) : 0,
              numbers.length > 3 ? Integer.parseInt(numbers[3]) : 0);
        }
      }
    }
  }

  private short[] numbers(int count) {
    short[] numbers = new short[count];
    for (int i = 0; i < count; i++) {
      // As good as normal, and much faster.
      double sum = random.nextDouble() + random.nextDouble() + random.nextDouble() - 1.5;
      numbers[i] = Bfloat.of((float) (2 * sum));
    }
    return numbers;
  }

  /** The median of what one launch takes, in nanoseconds. */
  private double nanos(Runnable enqueue) {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < 100_000_000) {
      enqueue.run();
      stream.await();
    }
    double[] rounds = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      try (TimedEvent start = stream.recordTimed()) {
        for (int launch = 0; launch < LAUNCHES; launch++) {
          enqueue.run();
        }
        try (TimedEvent end = stream.recordTimed()) {
          end.await();
          rounds[i] = start.nanosTo(end) / LAUNCHES;
        }
      }
    }
    Arrays.sort(rounds);
    return rounds[ROUNDS / 2];
  }

  private void product(int size, int blocks, int wide) {
    int count = size * size;
    short[] left = numbers(count);
    short[] right = numbers(count);
    try (GlobalBfloats a = device.allocateBfloats(count);
        GlobalBfloats b = device.allocateBfloats(count);
        GlobalBfloats c = device.allocateBfloats(count)) {
      stream.copy(MemorySegment.ofArray(left), a);
      stream.copy(MemorySegment.ofArray(right), b);
      double nanos =
          nanos(
              () ->
                  MatrixProduct.enqueue(
                      stream, multiprocessors, a, b, c, size, size, size, blocks, wide));
      short[] found = new short[count];
      stream.copy(c, MemorySegment.ofArray(found)).await();
      double error = 0;
      for (int i = 0; i < 1000; i++) {
        int row = random.nextInt(size);
        int column = random.nextInt(size);
        double sum = 0;
        for (int k = 0; k < size; k++) {
          sum += value(left, row * size + k) * value(right, k * size + column);
        }
        error = Math.max(error, Math.abs(sum - value(found, row * size + column)));
      }
      out.printf(
          Locale.ROOT,
          "product %d, blocks by %d, %d wide: %.1f TFLOP/s, off by %.3f at most%n",
          size,
          blocks,
          wide,
          2.0 * size * size * size / nanos / 1000,
          error);
    }
  }

  private static double value(short[] numbers, int index) {
    return Bfloat.toFloat(numbers[index]);
  }

  private void attention(int dim, int length, boolean causal, int n, int options) {
    int heads = WIDTH / dim;
    int batch = TOKENS / length;
    Shape shape = new Shape(batch, heads, heads, length, length, dim, causal);
    int count = TOKENS * WIDTH;
    try (GlobalBfloats onQ = device.allocateBfloats(count);
        GlobalBfloats onK = device.allocateBfloats(count);
        GlobalBfloats onV = device.allocateBfloats(count);
        GlobalBfloats onO = device.allocateBfloats(count);
        GlobalFloats lse = device.allocateFloats((long) TOKENS * heads)) {
      stream.copy(MemorySegment.ofArray(q), onQ);
      stream.copy(MemorySegment.ofArray(k), onK);
      stream.copy(MemorySegment.ofArray(v), onV);
      Runnable enqueue =
          n == 0
              ? () -> Attention.enqueue(stream, multiprocessors, shape, onQ, onK, onV, onO, lse)
              : () ->
                  Attention.enqueue(
                      stream, multiprocessors, shape, n, options, onQ, onK, onV, onO, lse);
      double nanos = nanos(enqueue);
      short[] found = new short[count];
      float[] sums = new float[TOKENS * heads];
      stream.copy(onO, MemorySegment.ofArray(found));
      stream.copy(lse, sums).await();
      double error = 0;
      double errorOfSum = 0;
      for (int i = 0; i < 40; i++) {
        int head = random.nextInt(batch * heads);
        int row = random.nextInt(length);
        int at = head * length + row;
        double[] expected = new double[dim];
        double sum = 0;
        for (int key = 0; key < (causal ? row + 1 : length); key++) {
          int atKey = (head * length + key) * dim;
          double score = 0;
          for (int x = 0; x < dim; x++) {
            score += value(q, at * dim + x) * value(k, atKey + x);
          }
          double weight = Math.exp(score / Math.sqrt(dim));
          sum += weight;
          for (int x = 0; x < dim; x++) {
            expected[x] += weight * value(v, atKey + x);
          }
        }
        for (int x = 0; x < dim; x++) {
          error = Math.max(error, Math.abs(expected[x] / sum - value(found, at * dim + x)));
        }
        errorOfSum = Math.max(errorOfSum, Math.abs(Math.log(sum) - sums[at]));
      }
      out.printf(
          Locale.ROOT,
          "attention d%d %s %d keys of %d, options %d: %.1f TFLOP/s, off by %.5f, sums by %.6f%n",
          dim,
          causal ? "causal" : "whole ",
          length,
          n,
          options,
          shape.flops() / nanos / 1000,
          error,
          errorOfSum);
    }
  }
}
