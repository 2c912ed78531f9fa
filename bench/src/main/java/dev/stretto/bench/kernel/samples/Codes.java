package dev.stretto.bench.kernel.samples;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;

/** Codes of data: transforms, checksums, hashes and lookups. */
public final class Codes {
  public static final int THREADS = 256;

  /** Rows and columns of a square that {@link #cosines} transforms. */
  public static final int SIDE = 8;

  /** Words of a message of {@link #crc}. */
  public static final int WORDS = 16;

  /** Of {@link #hash}. */
  public static final int ROUNDS = 16;

  /** Of {@link #cosines}: row k has the values of the cosine of frequency k. */
  @Const private static final float[] COSINES = cosineTable();

  /** Of {@link #crc}: the remainder of each byte. */
  @Const private static final int[] REMAINDERS = remainderTable();

  private Codes() {}

  private static float[] cosineTable() {
    float[] table = new float[SIDE * SIDE];
    for (int i = 0; i < table.length; i++) {
      int frequency = i / SIDE;
      double scale = frequency == 0 ? Math.sqrt(0.125) : 0.5;
      table[i] = (float) (scale * Math.cos((2 * (i % SIDE) + 1) * frequency * Math.PI / 16));
    }
    return table;
  }

  /** {@return the scaled cosine of a frequency at a place, both from 0 to 7} */
  public static float cosine(int frequency, int place) {
    return COSINES[frequency * SIDE + place];
  }

  private static int[] remainderTable() {
    int[] table = new int[256];
    for (int i = 0; i < table.length; i++) {
      int remainder = i;
      for (int bit = 0; bit < 8; bit++) {
        remainder = (remainder & 1) != 0 ? remainder >>> 1 ^ 0xEDB88320 : remainder >>> 1;
      }
      table[i] = remainder;
    }
    return table;
  }

  /** The cosine transform of squares of 8 times 8 pixels; a block for each one. */
  @Kernel(maxThreads = SIDE * SIDE, contract = true)
  public static void cosines(ThreadBlock block, GlobalFloats in, GlobalFloats out, int width) {
    SharedFloats pixels = block.sharedFloats(SIDE * SIDE);
    SharedFloats half = block.sharedFloats(SIDE * SIDE);
    int tx = block.threadIndexX();
    int ty = block.threadIndexY();
    int at = (block.blockIndexY() * SIDE + ty) * width + block.blockIndexX() * SIDE + tx;
    pixels.set(ty * SIDE + tx, in.get(at));
    block.sync();
    float sum = 0;
    for (int i = 0; i < SIDE; i++) {
      sum += COSINES[ty * SIDE + i] * pixels.get(i * SIDE + tx);
    }
    half.set(ty * SIDE + tx, sum);
    block.sync();
    sum = 0;
    for (int i = 0; i < SIDE; i++) {
      sum += half.get(ty * SIDE + i) * COSINES[tx * SIDE + i];
    }
    out.set(at, sum);
  }

  /** The CRC-32 of messages of {@link #WORDS} words; a thread for each one. */
  @Kernel(maxThreads = THREADS)
  public static void crc(ThreadBlock block, GlobalInts words, GlobalInts sums) {
    long message = block.globalIndexX();
    if (message < sums.length()) {
      int crc = ~0;
      for (int i = 0; i < WORDS; i++) {
        int word = words.get(message * WORDS + i);
        for (int shift = 0; shift < 32; shift += 8) {
          crc = crc >>> 8 ^ REMAINDERS[(crc ^ word >>> shift) & 0xff];
        }
      }
      sums.set(message, ~crc);
    }
  }

  /** Numbers mixed by products of 64 bits. */
  @Kernel(maxThreads = THREADS)
  public static void hash(ThreadBlock block, GlobalLongs out, long seed) {
    long i = block.globalIndexX();
    if (i < out.length()) {
      long z = seed + i;
      for (int round = 0; round < ROUNDS; round++) {
        z += 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        z ^= z >>> 31;
      }
      out.set(i, z);
    }
  }

  /** Elements in the order that the indices tell. */
  @Kernel(maxThreads = THREADS)
  public static void gather(
      ThreadBlock block, GlobalFloats in, GlobalInts indices, GlobalFloats out) {
    long i = block.globalIndexX();
    if (i < out.length()) {
      out.set(i, in.get(indices.get(i)));
    }
  }
}
