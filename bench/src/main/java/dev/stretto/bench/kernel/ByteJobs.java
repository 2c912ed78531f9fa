package dev.stretto.bench.kernel;

import dev.stretto.Grid;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

/** Jobs on bytes. */
final class ByteJobs {
  private static final long[] KEY = {
    0x0706050403020100L, 0x0f0e0d0c0b0a0908L, 0x1716151413121110L, 0x1f1e1d1c1b1a1918L
  };
  private static final int[] NONCE = {0, 0x4a000000, 0};

  private ByteJobs() {}

  static Job histogram(Workbench bench) {
    int n = bench.size().elements();
    GlobalInts words = bench.ints(n, i -> Pattern.hash(i, 9));
    GlobalInts bins = bench.ints(Histogram.BINS);
    Grid grid = Grid.of(bench.size().sumBlocks(), Histogram.THREADS);
    return new Job(
        List.of(bench.device().prepare(grid, Histogram::histogram, words, bins, n)),
        Job.Unit.BYTES,
        4.0 * n,
        () -> checkHistogram(bench.toHost(bins), n, bench.size().allLaunches()));
  }

  private static double checkHistogram(MemorySegment bins, int n, int launches) {
    int shares = 64;
    AtomicIntegerArray expected = new AtomicIntegerArray(Histogram.BINS);
    IntStream.range(0, shares)
        .parallel()
        .forEach(
            share -> {
              int[] counts = new int[Histogram.BINS];
              for (int i = share; i < n; i += shares) {
                int word = Pattern.hash(i, 9);
                for (int shift = 0; shift < 32; shift += 8) {
                  counts[word >> shift & 0xff]++;
                }
              }
              for (int bin = 0; bin < counts.length; bin++) {
                expected.addAndGet(bin, counts[bin]);
              }
            });
    double sum = 0;
    for (int bin = 0; bin < Histogram.BINS; bin++) {
      int found = bins.getAtIndex(ValueLayout.JAVA_INT, bin);
      int right = expected.get(bin) * launches;
      if (found != right) {
        throw new WrongResultException("bin " + bin + " is " + found + ", not " + right);
      }
      sum += (double) bin * found;
    }
    return sum;
  }

  static Job chacha20(Workbench bench) {
    int n = bench.size().cipherWords();
    GlobalInts src = bench.ints(n, i -> Pattern.hash(i, 10));
    GlobalInts dst = bench.ints(n);
    Grid grid = Grid.covering((n + ChaCha20.WORDS - 1) / ChaCha20.WORDS, ChaCha20.THREADS);
    return new Job(
        List.of(
            bench
                .device()
                .prepare(
                    grid,
                    ChaCha20::chacha20,
                    src,
                    dst,
                    (long) n,
                    KEY[0],
                    KEY[1],
                    KEY[2],
                    KEY[3],
                    1,
                    NONCE[0],
                    NONCE[1],
                    NONCE[2])),
        Job.Unit.BYTES,
        8.0 * n,
        () -> checkCipher(bench.toHost(dst), n));
  }

  private static double checkCipher(MemorySegment found, int n) {
    return Chunks.sum(
        (n + ChaCha20.WORDS - 1) / ChaCha20.WORDS,
        number -> {
          int[] keyStream = keyStream(1 + number);
          double sum = 0;
          for (int j = 0; j < ChaCha20.WORDS && number * ChaCha20.WORDS + j < n; j++) {
            int i = number * ChaCha20.WORDS + j;
            int word = found.getAtIndex(ValueLayout.JAVA_INT, i);
            int right = Pattern.hash(i, 10) ^ keyStream[j];
            if (word != right) {
              throw new WrongResultException("word " + i + " is " + word + ", not " + right);
            }
            sum += Integer.toUnsignedLong(word);
          }
          return sum;
        });
  }

  private static int[] keyStream(int counter) {
    int[] state = new int[ChaCha20.WORDS];
    state[0] = 0x61707865;
    state[1] = 0x3320646e;
    state[2] = 0x79622d32;
    state[3] = 0x6b206574;
    for (int i = 0; i < KEY.length; i++) {
      state[4 + 2 * i] = (int) KEY[i];
      state[5 + 2 * i] = (int) (KEY[i] >>> 32);
    }
    state[12] = counter;
    System.arraycopy(NONCE, 0, state, 13, NONCE.length);
    ChaCha20.encipher(state);
    return state;
  }
}
