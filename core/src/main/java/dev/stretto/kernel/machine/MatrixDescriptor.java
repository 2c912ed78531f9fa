package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import dev.stretto.memory.TensorMap;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A matrix in shared memory as a warp group's product reads it on a virtual device. A descriptor
 * has the same bits as on a GPU. Bits that a GPU does not use say which array of the block is
 * meant.
 */
public final class MatrixDescriptor {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int UNIT = 16;
  private static final int STORAGE = 52;
  private static final int MOST_STORAGES = 1 << 10;
  private static final int FIELD = 0x3fff;

  private final SharedStorage storage;
  private final int begin;
  private final int leading;
  private final int stride;
  private final TensorMap.Swizzle swizzle;
  private final boolean transposed;
  private final ProductType type;

  MatrixDescriptor(BlockMemory memory, long bits, boolean transposed, ProductType type) {
    this.storage = memory.storage((int) (bits >>> STORAGE) & MOST_STORAGES - 1);
    this.begin = ((int) bits & FIELD) * UNIT;
    this.leading = ((int) (bits >>> 16) & FIELD) * UNIT;
    this.stride = ((int) (bits >>> 32) & FIELD) * UNIT;
    this.swizzle =
        switch ((int) (bits >>> 62)) {
          case 1 -> TensorMap.Swizzle.BYTES_128;
          case 2 -> TensorMap.Swizzle.BYTES_64;
          case 3 -> TensorMap.Swizzle.BYTES_32;
          default -> TensorMap.Swizzle.NONE;
        };
    this.transposed = transposed;
    this.type = type;
  }

  /**
   * The place of a byte in an array: the lower bits of a descriptor, and the bits that name the
   * array.
   */
  public static long place(SharedSpan array, int atByte) {
    int at = array.firstByte() + atByte;
    if (at % UNIT != 0) {
      throw new IllegalArgumentException(
          CopyRule.MISALIGNED.title()
              + ": a matrix at byte "
              + atByte
              + " of "
              + array
              + ": has to be a multiple of "
              + UNIT);
    }
    java.util.Objects.checkIndex(atByte, array.bytes());
    long number = Coroutine.current("wgmma").memory().number(array.storage());
    if (number >= MOST_STORAGES) {
      throw new IllegalStateException("a block of more than " + MOST_STORAGES + " shared arrays");
    }
    return number << STORAGE | at / UNIT;
  }

  /**
   * The byte at which a number begins. {@code row} is a row of A or a column of B; {@code k} counts
   * along K.
   */
  int at(int row, int k) {
    int span = swizzle.span();
    int bytes = type.bytes();
    int at;
    if (!transposed) {
      int along = k * bytes;
      at =
          span == 0
              ? row % 8 * UNIT + row / 8 * stride + along / UNIT * leading + along % UNIT
              : row % 8 * span + row / 8 * stride + along;
    } else {
      int along = row * bytes;
      at =
          span == 0
              ? along / UNIT * stride + along % UNIT + k % 8 * UNIT + k / 8 * leading
              : along % span + along / span * leading + k % 8 * span + k / 8 * stride;
    }
    return swizzle.place(begin + at);
  }

  /** Receives each 16-byte piece of the matrix. */
  interface Piece {
    void at(int from);
  }

  void pieces(int rows, Piece piece) {
    int each = UNIT / type.bytes();
    if (transposed) {
      for (int row = 0; row < rows; row += each) {
        for (int k = 0; k < type.depth(); k++) {
          piece.at(inside(at(row, k)));
        }
      }
    } else {
      for (int row = 0; row < rows; row++) {
        for (int k = 0; k < type.depth(); k += each) {
          piece.at(inside(at(row, k)));
        }
      }
    }
  }

  private int inside(int at) {
    if (at < 0 || at + UNIT > storage.bytes()) {
      throw new IndexOutOfBoundsException(
          "a matrix takes bytes " + at + " to " + (at + UNIT) + " of " + storage.bytes());
    }
    return at;
  }

  SharedStorage storage() {
    return storage;
  }

  /** All numbers, row by row along K. */
  float[] numbers(int rows) {
    int depth = type.depth();
    float[] numbers = new float[rows * depth];
    MemorySegment memory = storage.memory();
    for (int row = 0; row < rows; row++) {
      for (int k = 0; k < depth; k++) {
        int at = at(row, k);
        int bits =
            switch (type.bytes()) {
              case 1 -> memory.get(ValueLayout.JAVA_BYTE, at);
              case 2 -> memory.get(SHORT, at);
              default -> memory.get(INT, at);
            };
        numbers[row * depth + k] = type.number(bits);
      }
    }
    return numbers;
  }
}
