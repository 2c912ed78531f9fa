package dev.stretto.driver;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * The numbers of a tensor map, as {@code cuTensorMapEncodeTiled} takes them.
 *
 * @param element {@code CUtensorMapDataType}
 * @param address the device address of the tensor's first element
 * @param extents the extents of the tensor in elements, the innermost dimension first
 * @param strides the strides of every dimension but the innermost, in bytes
 * @param box the extents of a box in elements
 * @param steps the step from one element of a box to the next, for each dimension
 * @param interleave {@code CUtensorMapInterleave}
 * @param swizzle {@code CUtensorMapSwizzle}
 * @param promotion {@code CUtensorMapL2promotion}
 * @param fill {@code CUtensorMapFloatOOBfill}
 */
@SuppressWarnings("ArrayRecordComponent") // layouts are not compared
public record TensorLayout(
    int element,
    long address,
    long[] extents,
    long[] strides,
    int[] box,
    int[] steps,
    int interleave,
    int swizzle,
    int promotion,
    int fill) {
  /** The size of an encoded tensor map in bytes, {@value}. */
  public static final int BYTES = 128;

  private static final int MOST = 5;
  private static final int AT_ADDRESS = 8;
  private static final int AT_EXTENTS = 16;
  private static final int AT_STRIDES = AT_EXTENTS + 8 * MOST;
  private static final int AT_BOX = AT_STRIDES + 8 * (MOST - 1);
  private static final int AT_STEPS = AT_BOX + 2 * MOST;

  @Override
  public String toString() {
    return ("boxes of %s with steps %s in a tensor of %s elements (type %d) at address %d with"
            + " strides of %s bytes, interleave %d, swizzle %d, promotion %d, fill %d")
        .formatted(
            Arrays.toString(box),
            Arrays.toString(steps),
            Arrays.toString(extents),
            element,
            address,
            Arrays.toString(strides),
            interleave,
            swizzle,
            promotion,
            fill);
  }

  /**
   * Writes the numbers in the format of virtual devices. A GPU's driver has its own format.
   *
   * @param into receives {@link #BYTES} bytes
   */
  public void write(MemorySegment into) {
    into.asSlice(0, BYTES).fill((byte) 0);
    put(into, 0, extents.length);
    put(into, 1, element);
    put(into, 2, interleave);
    put(into, 3, swizzle);
    put(into, 4, promotion);
    put(into, 5, fill);
    into.set(ValueLayout.JAVA_LONG_UNALIGNED, AT_ADDRESS, address);
    for (int i = 0; i < extents.length; i++) {
      into.set(ValueLayout.JAVA_LONG_UNALIGNED, AT_EXTENTS + 8L * i, extents[i]);
      into.set(ValueLayout.JAVA_SHORT_UNALIGNED, AT_BOX + 2L * i, (short) box[i]);
      put(into, AT_STEPS + i, steps[i]);
    }
    for (int i = 0; i < strides.length; i++) {
      into.set(ValueLayout.JAVA_LONG_UNALIGNED, AT_STRIDES + 8L * i, strides[i]);
    }
  }

  private static void put(MemorySegment into, int at, int value) {
    into.set(ValueLayout.JAVA_BYTE, at, (byte) value);
  }

  /**
   * {@return the layout that {@link #write} has written}
   *
   * @param from has {@link #BYTES} bytes
   */
  public static TensorLayout read(MemorySegment from) {
    int rank = from.get(ValueLayout.JAVA_BYTE, 0);
    long[] extents = new long[rank];
    long[] strides = new long[rank - 1];
    int[] box = new int[rank];
    int[] steps = new int[rank];
    for (int i = 0; i < rank; i++) {
      extents[i] = from.get(ValueLayout.JAVA_LONG_UNALIGNED, AT_EXTENTS + 8L * i);
      box[i] = from.get(ValueLayout.JAVA_SHORT_UNALIGNED, AT_BOX + 2L * i);
      steps[i] = from.get(ValueLayout.JAVA_BYTE, AT_STEPS + i);
    }
    for (int i = 0; i < rank - 1; i++) {
      strides[i] = from.get(ValueLayout.JAVA_LONG_UNALIGNED, AT_STRIDES + 8L * i);
    }
    return new TensorLayout(
        from.get(ValueLayout.JAVA_BYTE, 1),
        from.get(ValueLayout.JAVA_LONG_UNALIGNED, AT_ADDRESS),
        extents,
        strides,
        box,
        steps,
        from.get(ValueLayout.JAVA_BYTE, 2),
        from.get(ValueLayout.JAVA_BYTE, 3),
        from.get(ValueLayout.JAVA_BYTE, 4),
        from.get(ValueLayout.JAVA_BYTE, 5));
  }
}
