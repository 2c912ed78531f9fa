package dev.stretto.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * Files with faults, made of right ones.
 *
 * <p>{@code -Dstretto.fuzz.files=20000} has so many made of each kind, {@code
 * -Dstretto.fuzz.seed=7} the one with that seed, or begins there if both are given.
 */
public final class Mutations {
  private static final Long SEED = Long.getLong("stretto.fuzz.seed");
  private static final int FILES = 300;

  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long MOST_BYTES = 256L << 20;

  /** A second of a machine that has other things to do is measured again. */
  private static final int ATTEMPTS = 10;

  private static final long[] NUMBERS = {
    0,
    1,
    -1,
    2,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0xffff,
    0x7fffffffL,
    0x80000000L,
    0xffffffffL,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    1L << 40,
    1L << 32,
    64,
    4096
  };

  private Mutations() {}

  /** What a mutated file is given to. */
  public interface Taker {
    /**
     * Takes a file, and says whether it was taken or refused.
     *
     * @param file with faults
     * @param seed made it
     * @throws Exception if it was neither
     */
    boolean takes(byte[] file, long seed) throws Exception;
  }

  /** {@return the file with a seed} */
  public static byte[] of(byte[] right, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] file = right.clone();
    int times = 1 + random.nextInt(3);
    for (int i = 0; i < times && file.length > 0; i++) {
      file = once(file, random);
    }
    return file;
  }

  private static byte[] once(byte[] file, SplittableRandom random) {
    // Tables are at the beginning and at the end.
    int at =
        switch (random.nextInt(3)) {
          case 0 -> random.nextInt(Math.min(64, file.length));
          case 1 -> file.length - 1 - random.nextInt(Math.min(1500, file.length));
          default -> random.nextInt(file.length);
        };
    switch (random.nextInt(8)) {
      case 0 -> file[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> file[at] = (byte) random.nextInt();
      case 2 -> {
        return Arrays.copyOf(file, at);
      }
      case 3 -> {
        return Arrays.copyOf(file, file.length + random.nextInt(5_000));
      }
      case 4 -> number(file, at, 1 << random.nextInt(4), NUMBERS[random.nextInt(NUMBERS.length)]);
      case 5 -> number(file, at & -8, 8, file.length + random.nextInt(-2, 3));
      case 6 -> {
        int to = random.nextInt(file.length);
        int length = random.nextInt(Math.min(200, file.length - Math.max(at, to)) + 1);
        System.arraycopy(file, at, file, to, length);
      }
      default -> Arrays.fill(file, at, Math.min(file.length, at + random.nextInt(64)), (byte) 0);
    }
    return file;
  }

  private static void number(byte[] file, int at, int bytes, long value) {
    for (int i = 0; i < bytes && at + i < file.length; i++) {
      file[at + i] = (byte) (value >>> (8 * i));
    }
  }

  /** Gives a taker as many files as were asked for; all have to be taken or refused in time. */
  public static void each(String kind, byte[] right, Taker taker) {
    each(kind, FILES, seed -> of(right, seed), taker);
  }

  /**
   * The same for files that somebody else makes of seeds.
   *
   * @param unlessSaid how many, if nothing else was asked for
   */
  public static void each(String kind, int unlessSaid, LongFunction<byte[]> files, Taker taker) {
    long first = SEED == null ? 1 : SEED;
    int count = Integer.getInteger("stretto.fuzz.files", SEED == null ? unlessSaid : 1);
    List<String> wrong = new ArrayList<>();
    long start = System.nanoTime();
    long slowest = 0;
    long largest = 0;
    int taken = 0;
    for (long seed = first; seed < first + count && wrong.size() < 5; seed++) {
      byte[] file = files.apply(seed);
      try {
        long nanos = Long.MAX_VALUE;
        long bytes = 0;
        boolean takes = false;
        for (int i = 0; i < ATTEMPTS && nanos > MOST_NANOS; i++) {
          long before = allocated();
          long begin = System.nanoTime();
          takes = taker.takes(file.clone(), seed);
          nanos = System.nanoTime() - begin;
          bytes = allocated() - before;
        }
        taken += takes ? 1 : 0;
        slowest = Math.max(slowest, nanos);
        largest = Math.max(largest, bytes);
        if (nanos > MOST_NANOS || bytes > MOST_BYTES) {
          wrong.add("-Dstretto.fuzz.seed=%d: %d ns, %d bytes".formatted(seed, nanos, bytes));
        }
      } catch (Exception | Error e) {
        wrong.add("-Dstretto.fuzz.seed=%d: %s".formatted(seed, e));
      }
    }
    System.out.printf(
        "%d mutated %s: %d taken, the others refused; %.1f s in all, the slowest %d ms, the largest"
            + " %d KiB%n",
        count, kind, taken, (System.nanoTime() - start) / 1e9, slowest / 1_000_000, largest >> 10);
    assertThat(wrong).as("mutated %s", kind).isEmpty();
  }

  private static long allocated() {
    return ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads
        ? threads.getCurrentThreadAllocatedBytes()
        : 0;
  }

  /** {@return a cubin of two kernels, {@code add} and {@code idle}, made by nvcc for sm_80} */
  public static byte[] cubin() throws IOException {
    try (InputStream in = Mutations.class.getResourceAsStream("add.cubin")) {
      return in.readAllBytes();
    }
  }
}
