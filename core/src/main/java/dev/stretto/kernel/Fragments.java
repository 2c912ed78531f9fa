package dev.stretto.kernel;

import dev.stretto.kernel.machine.CopyEnds;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.kernel.machine.PackedBytes;
import dev.stretto.kernel.machine.PackedNumbers;
import dev.stretto.kernel.machine.WarpMeetings.Meeting;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Matrices that are spread over the lanes of a warp, as {@code mma.sync} and {@code ldmatrix}
 * define it. The four lanes from {@code 4 * (r % 8)} on hold row {@code r} of the left matrix and
 * of the result. The four lanes from {@code 4 * c} on hold column {@code c} of the right matrix.
 */
final class Fragments {
  private static final ValueLayout.OfInt WORD =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final ValueLayout.OfShort HALF =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** A lane's registers of both factors. */
  private static final class Factors {
    private final int[] left;
    private final int[] right;

    Factors(int[] a, int atA, int[] b, int atB) {
      left = Arrays.copyOfRange(a, atA, atA + 4);
      right = Arrays.copyOfRange(b, atB, atB + 2);
    }
  }

  /** Adds the product of one register of each factor to a sum. */
  private interface FloatStep {
    float add(float sum, int left, int right);
  }

  private Fragments() {}

  static void multiply16(
      DeviceThread thread,
      PackedNumbers type,
      float[] d,
      int atD,
      int[] a,
      int atA,
      int[] b,
      int atB) {
    String what = "mma.m16n8k16 of " + type;
    FloatStep step =
        (sum, left, right) ->
            (sum + type.lower(left) * type.lower(right)) + type.upper(left) * type.upper(right);
    multiplyFloats(thread, meet(thread, what, a, atA, b, atB), step, d, atD);
  }

  static void multiplyTf32(
      DeviceThread thread, float[] d, int atD, int[] a, int atA, int[] b, int atB) {
    FloatStep step = (sum, left, right) -> sum + tf32(left) * tf32(right);
    multiplyFloats(thread, meet(thread, "mma.m16n8k8 of TF32", a, atA, b, atB), step, d, atD);
  }

  /** The TF32 number in a register, whose lowest 13 bits do not count. */
  private static float tf32(int bits) {
    return Float.intBitsToFloat(bits & ~0x1fff);
  }

  static void multiply8(
      DeviceThread thread,
      PackedBytes type,
      float[] d,
      int atD,
      int[] a,
      int atA,
      int[] b,
      int atB) {
    FloatStep step =
        (sum, left, right) -> {
          float added = sum;
          for (int i = 0; i < 4; i++) {
            added = added + type.number(left, i) * type.number(right, i);
          }
          return added;
        };
    String what = "mma.m16n8k32 of " + type;
    multiplyFloats(thread, meet(thread, what, a, atA, b, atB), step, d, atD);
  }

  static void multiplyBytes(
      DeviceThread thread, int[] d, int atD, int[] a, int atA, int[] b, int atB) {
    Meeting meeting = meet(thread, "mma.m16n8k32 of S8", a, atA, b, atB);
    if (thread.hasLeftOff()) {
      return;
    }
    for (int i = 0; i < 4; i++) {
      int sum = d[atD + i];
      for (int k = 0; k < 8; k++) {
        sum =
            PtxBits.dot(
                left(meeting, thread.lane(), i, k), right(meeting, thread.lane(), i, k), sum, true);
      }
      d[atD + i] = sum;
    }
  }

  private static Meeting meet(
      DeviceThread thread, String what, int[] a, int atA, int[] b, int atB) {
    return thread.meetings().meetAligned(what, new Factors(a, atA, b, atB), meeting -> meeting);
  }

  private static void multiplyFloats(
      DeviceThread thread, Meeting meeting, FloatStep step, float[] d, int atD) {
    if (thread.hasLeftOff()) {
      return;
    }
    int lane = thread.lane();
    for (int i = 0; i < 4; i++) {
      float sum = d[atD + i];
      for (int k = 0; k < 8; k++) {
        sum = step.add(sum, left(meeting, lane, i, k), right(meeting, lane, i, k));
      }
      d[atD + i] = sum;
    }
  }

  /**
   * Register {@code k}, of 8 along the inner dimension, of the row of the left matrix in which the
   * lane's element {@code i} of the result lies. For the first four, it is the first register of a
   * lane; for the others, the third. The second and the fourth register of a lane belong to the row
   * 8 below.
   */
  private static int left(Meeting meeting, int lane, int i, int k) {
    int owner = lane / 4 * 4 + k % 4;
    return meeting.from(owner, Factors.class).left[k / 4 * 2 + i / 2];
  }

  /**
   * Register {@code k} of the column of the right matrix in which the lane's element {@code i} of
   * the result lies.
   */
  private static int right(Meeting meeting, int lane, int i, int k) {
    int column = lane % 4 * 2 + i % 2;
    return meeting.from(column * 4 + k % 4, Factors.class).right[k / 4];
  }

  /**
   * Loads matrices of 8 rows of 16 bytes; lane {@code 8 * m + r} gives the place of row {@code r}
   * of matrix {@code m}.
   */
  static void load(
      DeviceThread thread,
      int matrices,
      boolean transposed,
      int[] d,
      int atD,
      SharedArray array,
      int index) {
    String what = "ldmatrix.x" + matrices + (transposed ? ".trans" : "");
    boolean reads = thread.lane() < 8 * matrices && !thread.isTakingUp();
    MemorySegment row = reads ? row(array, index) : MemorySegment.NULL;
    // All rows are read before any lane goes on and may write there.
    Meeting meeting = thread.meetings().meetAligned(what, row, all -> rows(all, 8 * matrices));
    if (thread.hasLeftOff()) {
      return;
    }
    int[][] rows = meeting.outcome(int[][].class);
    for (int matrix = 0; matrix < matrices; matrix++) {
      int first = 8 * matrix;
      int major = thread.lane() / 4;
      int minor = thread.lane() % 4 * 2;
      d[atD + matrix] =
          transposed
              ? Short.toUnsignedInt(half(rows[first + minor], major))
                  | half(rows[first + minor + 1], major) << 16
              : rows[first + major][minor / 2];
    }
  }

  private static int[][] rows(Meeting meeting, int count) {
    int[][] rows = new int[count][];
    for (int lane = 0; lane < count; lane++) {
      rows[lane] = meeting.from(lane, MemorySegment.class).toArray(WORD);
    }
    return rows;
  }

  private static short half(int[] row, int index) {
    return (short) (row[index / 2] >> (index % 2 * 16));
  }

  private static MemorySegment row(SharedArray array, int index) {
    int elements = 16 / array.elementBytes();
    if (index < 0 || index > array.length() - elements) {
      throw new IndexOutOfBoundsException(
          "a row of " + elements + " elements from " + index + " of " + array);
    }
    int at = index * array.elementBytes();
    if ((array.firstByte() + at) % 16 != 0) {
      throw new IllegalArgumentException(
          "a row from element " + index + " of " + array + " is not at a multiple of 16 bytes");
    }
    return array.read(index, elements).asSlice(at, 16);
  }

  /**
   * Stores matrices of 8 rows of 16 bytes; each lane that gives the place of a row stores that row.
   */
  static void store(
      DeviceThread thread,
      int matrices,
      boolean transposed,
      SharedArray array,
      int atByte,
      int[] s,
      int atS) {
    String what = "stmatrix.x" + matrices + (transposed ? ".trans" : "");
    int lane = thread.lane();
    int[] registers = Arrays.copyOfRange(s, atS, atS + matrices);
    Meeting meeting = thread.meetings().meetAligned(what, registers, all -> all);
    if (thread.hasLeftOff() || lane >= 8 * matrices) {
      return;
    }
    MemorySegment row = CopyEnds.shared(what, array.span(), atByte, 16, 16);
    array.span().writeBytes(atByte, 16);
    int matrix = lane / 8;
    for (int column = 0; column < 8; column++) {
      int owner = transposed ? column * 4 + lane % 8 / 2 : lane % 8 * 4 + column / 2;
      int half = (transposed ? lane : column) % 2;
      int pair = meeting.from(owner, int[].class)[matrix];
      row.set(HALF, 2L * column, (short) (pair >> (16 * half)));
    }
  }
}
