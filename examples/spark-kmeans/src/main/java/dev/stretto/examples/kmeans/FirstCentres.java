package dev.stretto.examples.kmeans;

import dev.stretto.flow.Source;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/** Points of files as centres to begin with. */
public final class FirstCentres {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private FirstCentres() {}

  /**
   * {@return the points of some parts}
   *
   * @param width the coordinates of a point
   * @param parts of files
   * @param files opens them
   * @throws IllegalArgumentException if one has NaN or an infinite coordinate
   */
  public static Centres of(int width, List<PointPart> parts, Opener files) {
    int count = (int) (parts.stream().mapToLong(PointPart::bytes).sum() / Float.BYTES / width);
    double[] values = new double[count * width];
    int at = 0;
    for (PointPart part : parts) {
      byte[] bytes = new byte[Math.toIntExact(part.bytes())];
      MemorySegment memory = MemorySegment.ofArray(bytes);
      try (Source source = files.open(part)) {
        long _ = source.read(0, memory);
      }
      for (int i = 0; i < bytes.length; i += Float.BYTES) {
        values[at++] = memory.get(FLOAT, i);
      }
    }
    return new Centres(width, values);
  }
}
