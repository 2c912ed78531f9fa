package dev.stretto.examples.kmeans.spark;

import dev.stretto.Copy;
import dev.stretto.Stream;
import dev.stretto.examples.kmeans.KMeansStep;
import dev.stretto.examples.kmeans.Pass;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.spark.TaskDevice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Iterator;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/**
 * The points in a column of a partition.
 *
 * @param rows reads them anew
 * @param column its name
 * @param width the coordinates of a point
 */
record ColumnPoints(Supplier<Iterator<InternalRow>> rows, String column, int width)
    implements TaskPoints {
  /** One is filled while the other one is copied and added. */
  private static final int BUFFERS = 2;

  @Override
  public Pass through(TaskDevice device, int chunkPoints) {
    long bytes = (long) Float.BYTES * width * chunkPoints;
    MemorySegment[] host = new MemorySegment[BUFFERS];
    GlobalFloats[] chunks = new GlobalFloats[BUFFERS];
    for (int i = 0; i < BUFFERS; i++) {
      host[i] = device.pinned().allocate(bytes, 64);
      chunks[i] =
          device.allocate(
              () -> device.stream().allocateFloats(device.memory(), (long) width * chunkPoints));
    }
    return step -> new Sending(device.stream(), step, host, chunks, chunkPoints).send();
  }

  /** One pass over the rows. */
  private final class Sending {
    private final Stream stream;
    private final KMeansStep step;
    private final MemorySegment[] host;
    private final GlobalFloats[] chunks;
    private final int chunkPoints;
    private final @Nullable Copy[] copies = new Copy[BUFFERS];

    Sending(
        Stream stream,
        KMeansStep step,
        MemorySegment[] host,
        GlobalFloats[] chunks,
        int chunkPoints) {
      this.stream = stream;
      this.step = step;
      this.host = host;
      this.chunks = chunks;
      this.chunkPoints = chunkPoints;
    }

    void send() {
      Iterator<InternalRow> all = rows.get();
      long first = 0;
      for (int turn = 0; all.hasNext(); turn = (turn + 1) % BUFFERS) {
        Copy before = copies[turn];
        if (before != null) {
          before.await();
        }
        int points = 0;
        while (points < chunkPoints && all.hasNext()) {
          put(all.next(), host[turn], points, first + points);
          points++;
        }
        long length = (long) points * width;
        GlobalFloats chunk = chunks[turn].slice(0, length);
        copies[turn] = stream.copy(host[turn].asSlice(0, Float.BYTES * length), chunk);
        step.add(stream, chunk, first);
        first += points;
      }
      stream.await();
    }

    private void put(InternalRow row, MemorySegment into, int place, long number) {
      if (row.isNullAt(0)) {
        throw new IllegalArgumentException(
            "column %s is null in row %d of a partition: use na().drop() before"
                .formatted(column, number));
      }
      float[] point = row.getArray(0).toFloatArray();
      if (point.length != width) {
        throw new IllegalArgumentException(
            "column %s has %d numbers in row %d of a partition: points have %d coordinates"
                .formatted(column, point.length, number, width));
      }
      MemorySegment.copy(
          point, 0, into, ValueLayout.JAVA_FLOAT, (long) place * width * Float.BYTES, width);
    }
  }
}
