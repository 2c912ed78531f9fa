package dev.stretto.bench.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What is swept. The C++ program computes the same numbers from the same options.
 *
 * <p>A sample of a rate moves about {@link #HOST_BYTES} or {@link #DEVICE_BYTES}, in at most {@link
 * #operations} operations and at least two. The operations go round over the streams and over
 * pieces of memory; the pieces of a direction are different memory, as far as {@link #footprint}
 * reaches. A piece belongs to one stream, so that no two streams write the same memory; a number of
 * streams for which there are too few pieces is left out.
 *
 * @param sizes of an operation, in bytes
 * @param operations of a sample, at most
 * @param footprint bytes of memory for a direction, at most
 */
record Plan(List<Long> sizes, int operations, long footprint) {
  static final String SIZES = "4K,16K,64K,256K,1M,4M,16M,64M,256M,1G";
  static final long HOST_BYTES = 256L << 20;
  static final long DEVICE_BYTES = 4L << 30;
  static final int[] STREAMS = {1, 4, 16};
  static final int[] THREADS = {1, 2, 4, 8, 16};
  private static final int MOST_STREAMS = 16;

  Plan {
    sizes = List.copyOf(sizes);
    if (sizes.isEmpty() || operations < 2) {
      throw new IllegalArgumentException("there must be a size and two operations at least");
    }
  }

  /** Sizes such as {@code 4K,1M,1G}: multiples of 1 KiB. */
  static List<Long> sizes(String text) {
    List<Long> sizes = new ArrayList<>();
    for (String word : text.toUpperCase(Locale.ROOT).split(",", -1)) {
      sizes.add(size(word.strip()));
    }
    return sizes;
  }

  static long size(String text) {
    int shift =
        switch (text.isEmpty() ? ' ' : text.charAt(text.length() - 1)) {
          case 'K' -> 10;
          case 'M' -> 20;
          case 'G' -> 30;
          default -> throw new IllegalArgumentException("no such size: " + text);
        };
    long count = Long.parseLong(text.substring(0, text.length() - 1));
    if (count <= 0) {
      throw new IllegalArgumentException("no such size: " + text);
    }
    return count << shift;
  }

  /** How many operations a sample has. */
  int operations(long size, int streams, long bytes) {
    long wanted = Math.max(2, Math.min(operations, bytes / size));
    return round(Math.max(streams, wanted));
  }

  /** How many pieces of memory the operations of one direction use. */
  int pieces(long size, long bytes) {
    long fitting = Math.max(1, footprint / size);
    return round(Math.min(fitting, operations(size, MOST_STREAMS, bytes)));
  }

  /** How much memory the pieces of the largest of all sizes take. */
  long bytes(long bytes) {
    return sizes.stream().mapToLong(size -> size * pieces(size, bytes)).max().orElseThrow();
  }

  /** A multiple of every number of streams, or a power of two. */
  private static int round(long count) {
    int number = Math.toIntExact(count);
    return number >= MOST_STREAMS
        ? number / MOST_STREAMS * MOST_STREAMS
        : Integer.highestOneBit(number);
  }
}
