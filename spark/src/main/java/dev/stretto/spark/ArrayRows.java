package dev.stretto.spark;

import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Arrays of one length as the rows of a chunk. */
final class ArrayRows {
  private ArrayRows() {}

  /** {@return the length, if it is possible} */
  static int length(int length, int elementBytes) {
    if (length < 1 || (long) length * elementBytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "rows of %d elements: they may have 1 to %d"
              .formatted(length, Integer.MAX_VALUE / elementBytes));
    }
    return length;
  }

  private static void require(int length, int found) {
    if (found != length) {
      throw new IllegalArgumentException(
          "an array of %d elements among rows of %d: all have to have as many"
              .formatted(found, length));
    }
  }

  record Bytes(int length) implements Rows<byte[]>, Serializable {
    @Override
    public int byteSize() {
      return length * Byte.BYTES;
    }

    @Override
    public void write(byte[] element, MemorySegment to, long offset) {
      require(length, element.length);
      MemorySegment.copy(element, 0, to, ValueLayout.JAVA_BYTE, offset, length);
    }

    @Override
    public byte[] read(MemorySegment from, long offset) {
      byte[] element = new byte[length];
      MemorySegment.copy(from, ValueLayout.JAVA_BYTE, offset, element, 0, length);
      return element;
    }
  }

  record Ints(int length) implements Rows<int[]>, Serializable {
    @Override
    public int byteSize() {
      return length * Integer.BYTES;
    }

    @Override
    public void write(int[] element, MemorySegment to, long offset) {
      require(length, element.length);
      MemorySegment.copy(element, 0, to, ValueLayout.JAVA_INT_UNALIGNED, offset, length);
    }

    @Override
    public int[] read(MemorySegment from, long offset) {
      int[] element = new int[length];
      MemorySegment.copy(from, ValueLayout.JAVA_INT_UNALIGNED, offset, element, 0, length);
      return element;
    }
  }

  record Longs(int length) implements Rows<long[]>, Serializable {
    @Override
    public int byteSize() {
      return length * Long.BYTES;
    }

    @Override
    public void write(long[] element, MemorySegment to, long offset) {
      require(length, element.length);
      MemorySegment.copy(element, 0, to, ValueLayout.JAVA_LONG_UNALIGNED, offset, length);
    }

    @Override
    public long[] read(MemorySegment from, long offset) {
      long[] element = new long[length];
      MemorySegment.copy(from, ValueLayout.JAVA_LONG_UNALIGNED, offset, element, 0, length);
      return element;
    }
  }

  record Floats(int length) implements Rows<float[]>, Serializable {
    @Override
    public int byteSize() {
      return length * Float.BYTES;
    }

    @Override
    public void write(float[] element, MemorySegment to, long offset) {
      require(length, element.length);
      MemorySegment.copy(element, 0, to, ValueLayout.JAVA_FLOAT_UNALIGNED, offset, length);
    }

    @Override
    public float[] read(MemorySegment from, long offset) {
      float[] element = new float[length];
      MemorySegment.copy(from, ValueLayout.JAVA_FLOAT_UNALIGNED, offset, element, 0, length);
      return element;
    }
  }

  record Doubles(int length) implements Rows<double[]>, Serializable {
    @Override
    public int byteSize() {
      return length * Double.BYTES;
    }

    @Override
    public void write(double[] element, MemorySegment to, long offset) {
      require(length, element.length);
      MemorySegment.copy(element, 0, to, ValueLayout.JAVA_DOUBLE_UNALIGNED, offset, length);
    }

    @Override
    public double[] read(MemorySegment from, long offset) {
      double[] element = new double[length];
      MemorySegment.copy(from, ValueLayout.JAVA_DOUBLE_UNALIGNED, offset, element, 0, length);
      return element;
    }
  }
}
