package dev.stretto.examples.kmeans;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * Writes a file of points around some places, on all cores. The same numbers give the same file.
 */
final class MadePoints {
  private static final int BLOCK_BYTES = 4 << 20;

  private final int width;
  private final int places;
  private final long seed;
  private final float[] around;

  MadePoints(int width, int places, long seed) {
    this.width = width;
    this.places = places;
    this.seed = seed;
    SplittableRandom random = new SplittableRandom(seed);
    around = new float[places * width];
    for (int i = 0; i < around.length; i++) {
      around[i] = (float) random.nextGaussian();
    }
  }

  /** {@return how many points a file of about so many bytes has; it is written} */
  long write(Path file, long bytes) throws IOException {
    int pointBytes = Float.BYTES * width;
    long points = Math.max(1, bytes / pointBytes);
    int blockPoints = Math.max(1, BLOCK_BYTES / pointBytes);
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      LongStream.range(0, Math.ceilDiv(points, blockPoints))
          .parallel()
          .forEach(
              block -> {
                long first = block * blockPoints;
                int count = (int) Math.min(blockPoints, points - first);
                write(channel, block(block, count), first * pointBytes);
              });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return points;
  }

  private ByteBuffer block(long number, int count) {
    ByteBuffer bytes =
        ByteBuffer.allocateDirect(Float.BYTES * width * count).order(ByteOrder.LITTLE_ENDIAN);
    FloatBuffer floats = bytes.asFloatBuffer();
    SplittableRandom random = new SplittableRandom(seed + 1 + number);
    for (int i = 0; i < count; i++) {
      int place = random.nextInt(places) * width;
      for (int j = 0; j < width; j += 2) {
        // Of four numbers two sums: nearly a bell, and much faster than one.
        long bits = random.nextLong();
        floats.put(around[place + j] + noise((int) bits));
        if (j + 1 < width) {
          floats.put(around[place + j + 1] + noise((int) (bits >>> 32)));
        }
      }
    }
    return bytes;
  }

  private static float noise(int bits) {
    return ((bits & 0xffff) + (bits >>> 16) - 65_535) * (1 / 26_755f); // deviation 1
  }

  private static void write(FileChannel channel, ByteBuffer bytes, long position) {
    try {
      while (bytes.hasRemaining()) {
        int _ = channel.write(bytes, position + bytes.position());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
