package dev.stretto.examples.kmeans;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.CRC32;

/**
 * Where a run is.
 *
 * @param iteration how many iterations are done
 * @param centres as the last one has left them
 * @param cost the sum of squared distances to the centres before the last iteration, as MLlib's
 *     {@code trainingCost}; NaN before the first
 * @param isConverged whether the last iteration moved no centre farther than the tolerance
 */
public record State(int iteration, Centres centres, double cost, boolean isConverged) {
  private static final long MAGIC = 0x53544b4d45414e31L; // STKMEAN1

  /** Refuses nulls. */
  public State {
    Objects.requireNonNull(centres, "centres");
  }

  /** {@return the begin of a run} */
  public static State before(Centres centres) {
    return new State(0, centres, Double.NaN, false);
  }

  /** {@return the state as bytes, with a checksum} */
  public byte[] toBytes() {
    double[] values = centres.values();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(8 * values.length + 64);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeLong(MAGIC);
      out.writeInt(iteration);
      out.writeBoolean(isConverged);
      out.writeDouble(cost);
      out.writeInt(centres.width());
      out.writeInt(values.length);
      for (double value : values) {
        out.writeDouble(value);
      }
      out.writeLong(checksum(bytes.toByteArray()));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot be: it is memory
    }
    return bytes.toByteArray();
  }

  /**
   * {@return the state that bytes stand for}
   *
   * @param name of the bytes, for the message
   * @throws IllegalArgumentException if they are not those of a state, or incomplete
   */
  public static State of(byte[] bytes, String name) {
    int end = bytes.length - Long.BYTES;
    if (end < Long.BYTES
        || ByteBuffer.wrap(bytes).getLong() != MAGIC
        || ByteBuffer.wrap(bytes).getLong(end) != checksum(Arrays.copyOf(bytes, end))) {
      throw new IllegalArgumentException(
          "%s, of %d bytes, is no whole checkpoint of k-means: delete it to go on without"
              .formatted(name, bytes.length));
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      in.skipNBytes(Long.BYTES);
      int iteration = in.readInt();
      boolean isConverged = in.readBoolean();
      double cost = in.readDouble();
      int width = in.readInt();
      double[] values = new double[in.readInt()];
      for (int i = 0; i < values.length; i++) {
        values[i] = in.readDouble();
      }
      return new State(iteration, new Centres(width, values), cost, isConverged);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long checksum(byte[] bytes) {
    CRC32 sum = new CRC32();
    sum.update(bytes);
    return sum.getValue();
  }
}
