package dev.stretto.bench.kernel;

import dev.stretto.Grid;
import dev.stretto.bench.kernel.samples.Codes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32;

/** Transforms, checksums, hashes and lookups. */
final class CodeJobs {
  private static final long SEED = 0x123456789ABCDEFL;

  private CodeJobs() {}

  static Job cosines(Workbench bench) {
    int side = bench.size().side();
    GlobalFloats in = bench.floats(side * side, i -> Pattern.fineFloat(i, 53));
    GlobalFloats out = bench.floats(side * side);
    Grid grid = Workbench.grid(side / Codes.SIDE, side / Codes.SIDE, Codes.SIDE, Codes.SIDE);
    return Job.ofBytes(
        bench.device().prepare(grid, Codes::cosines, in, out, side),
        8.0 * side * side,
        () -> Expected.floats(bench.toHost(out), side * side, 1e-5, i -> cosine(i, side)));
  }

  private static float cosine(int at, int side) {
    int x = at % side % Codes.SIDE;
    int y = at / side % Codes.SIDE;
    int first = at - y * side - x;
    double sum = 0;
    for (int i = 0; i < Codes.SIDE; i++) {
      double ofRow = 0;
      for (int j = 0; j < Codes.SIDE; j++) {
        ofRow += Codes.cosine(x, j) * Pattern.fineFloat(first + i * side + j, 53);
      }
      sum += Codes.cosine(y, i) * ofRow;
    }
    return (float) sum;
  }

  static Job crc(Workbench bench) {
    int n = bench.size().elements();
    int messages = n / Codes.WORDS;
    GlobalInts words = bench.ints(n, i -> Pattern.hash(i, 54));
    GlobalInts sums = bench.ints(messages);
    return Job.ofBytes(
        bench.device().prepare(Grid.covering(messages, Codes.THREADS), Codes::crc, words, sums),
        4.0 * n,
        () -> Expected.ints(bench.toHost(sums), messages, CodeJobs::crc));
  }

  private static int crc(int message) {
    CRC32 crc = new CRC32();
    for (int i = 0; i < Codes.WORDS; i++) {
      int word = Pattern.hash(message * Codes.WORDS + i, 54);
      for (int shift = 0; shift < 32; shift += 8) {
        crc.update(word >>> shift);
      }
    }
    return (int) crc.getValue();
  }

  static Job hash(Workbench bench) {
    int n = bench.size().elements() / 2;
    GlobalLongs out = bench.longs(n);
    return Job.ofBytes(
        bench.device().prepare(Grid.covering(n, Codes.THREADS), Codes::hash, out, SEED),
        8.0 * n,
        () -> {
          MemorySegment found = bench.toHost(out);
          return Chunks.sum(n, i -> checkHash(found.getAtIndex(ValueLayout.JAVA_LONG, i), i));
        });
  }

  /** The highest 53 bits are exact in the checksum. */
  private static double checkHash(long found, int i) {
    long z = SEED + i;
    for (int round = 0; round < Codes.ROUNDS; round++) {
      z += 0x9E3779B97F4A7C15L;
      z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
      z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
      z ^= z >>> 31;
    }
    if (found != z) {
      throw new WrongResultException("element " + i + " is " + found + ", not " + z);
    }
    return Expected.weighed((double) (found >>> 11), i);
  }

  static Job gather(Workbench bench) {
    int n = bench.size().elements();
    GlobalFloats in = bench.floats(n, i -> Pattern.fineFloat(i, 55));
    GlobalInts indices = bench.ints(n, i -> index(i, n));
    GlobalFloats out = bench.floats(n);
    return Job.ofBytes(
        bench.device().prepare(Grid.covering(n, Codes.THREADS), Codes::gather, in, indices, out),
        12.0 * n,
        () -> Expected.floats(bench.toHost(out), n, i -> Pattern.fineFloat(index(i, n), 55)));
  }

  /** The number of elements is a power of two. */
  private static int index(int i, int n) {
    return Pattern.hash(i, 56) & (n - 1);
  }
}
