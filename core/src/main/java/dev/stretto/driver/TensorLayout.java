package dev.stretto.driver;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * The numbers of a tensor map, as {@code cuTensorMapEncodeTiled} or {@code cuTensorMapEncodeIm2col}
 * takes them.
 *
 * @param element {@code CUtensorMapDataType}
 * @param address the device address of the tensor's first element
 * @param extents the extents of the tensor in elements, the innermost dimension first
 * @param strides the strides of every dimension but the innermost, in bytes
 * @param box the extents of a box in elements; for im2col, the channels per pixel and the pixels
 *     per column
 * @param steps the step from one element of a box to the next, for each dimension
 * @param interleave {@code CUtensorMapInterleave}
 * @param swizzle {@code CUtensorMapSwizzle}
 * @param promotion {@code CUtensorMapL2promotion}
 * @param fill {@code CUtensorMapFloatOOBfill}
 * @param lowerCorner for im2col, the lower corner of the bounding box, the width first; else empty
 * @param upperCorner for im2col, its upper corner, the width first; else empty
 */
@SuppressWarnings("ArrayRecordComponent") // isSame compares them
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
    int fill,
    int[] lowerCorner,
    int[] upperCorner) {
  /** The size of an encoded tensor map in bytes, {@value}. */
  public static final int BYTES = 128;

  private static final int MOST = 5;
  private static final int AT_ADDRESS = 8;
  private static final int AT_EXTENTS = 16;
  private static final int AT_STRIDES = AT_EXTENTS + 8 * MOST;
  private static final int AT_BOX = AT_STRIDES + 8 * (MOST - 1);
  private static final int AT_STEPS = AT_BOX + 2 * MOST;
  private static final int AT_LOWER = AT_STEPS + MOST + 1;
  private static final int AT_UPPER = AT_LOWER + 2 * (MOST - 2);
  private static final int AT_CORNERS = 6;

  /**
   * {@return a layout of boxes, as {@code cuTensorMapEncodeTiled} takes them}
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
  public static TensorLayout tiled(
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
    return new TensorLayout(
        element,
        address,
        extents,
        strides,
        box,
        steps,
        interleave,
        swizzle,
        promotion,
        fill,
        new int[0],
        new int[0]);
  }

  /**
   * {@return whether a driver would encode both alike}
   *
   * @param other another layout
   */
  public boolean isSame(TensorLayout other) {
    return address == other.address
        && element == other.element
        && interleave == other.interleave
        && swizzle == other.swizzle
        && promotion == other.promotion
        && fill == other.fill
        && Arrays.equals(extents, other.extents)
        && Arrays.equals(strides, other.strides)
        && Arrays.equals(box, other.box)
        && Arrays.equals(steps, other.steps)
        && Arrays.equals(lowerCorner, other.lowerCorner)
        && Arrays.equals(upperCorner, other.upperCorner);
  }

  /** {@return whether it is for im2col} */
  public boolean isIm2col() {
    return lowerCorner.length > 0;
  }

  /** {@return the driver call that encodes it} */
  public String call() {
    return isIm2col() ? "cuTensorMapEncodeIm2col" : "cuTensorMapEncodeTiled";
  }

  @Override
  public String toString() {
    return ("boxes of %s%s with steps %s in a tensor of %s elements (type %d) at address %d with"
            + " strides of %s bytes, interleave %d, swizzle %d, promotion %d, fill %d")
        .formatted(
            Arrays.toString(box),
            isIm2col()
                ? " (channels, pixels) between corners %s and %s"
                    .formatted(Arrays.toString(lowerCorner), Arrays.toString(upperCorner))
                : "",
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
    put(into, AT_CORNERS, lowerCorner.length);
    into.set(ValueLayout.JAVA_LONG_UNALIGNED, AT_ADDRESS, address);
    for (int i = 0; i < extents.length; i++) {
      into.set(ValueLayout.JAVA_LONG_UNALIGNED, AT_EXTENTS + 8L * i, extents[i]);
      put(into, AT_STEPS + i, steps[i]);
    }
    putShorts(into, AT_BOX, box);
    putShorts(into, AT_LOWER, lowerCorner);
    putShorts(into, AT_UPPER, upperCorner);
    for (int i = 0; i < strides.length; i++) {
      into.set(ValueLayout.JAVA_LONG_UNALIGNED, AT_STRIDES + 8L * i, strides[i]);
    }
  }

  private static void put(MemorySegment into, int at, int value) {
    into.set(ValueLayout.JAVA_BYTE, at, (byte) value);
  }

  private static void putShorts(MemorySegment into, int at, int[] values) {
    for (int i = 0; i < values.length; i++) {
      into.set(ValueLayout.JAVA_SHORT_UNALIGNED, at + 2L * i, (short) values[i]);
    }
  }

  private static int[] shorts(MemorySegment from, int at, int count) {
    int[] values = new int[count];
    for (int i = 0; i < count; i++) {
      values[i] = from.get(ValueLayout.JAVA_SHORT_UNALIGNED, at + 2L * i);
    }
    return values;
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
    int corners = from.get(ValueLayout.JAVA_BYTE, AT_CORNERS);
    int[] steps = new int[rank];
    for (int i = 0; i < rank; i++) {
      extents[i] = from.get(ValueLayout.JAVA_LONG_UNALIGNED, AT_EXTENTS + 8L * i);
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
        shorts(from, AT_BOX, corners > 0 ? 2 : rank),
        steps,
        from.get(ValueLayout.JAVA_BYTE, 2),
        from.get(ValueLayout.JAVA_BYTE, 3),
        from.get(ValueLayout.JAVA_BYTE, 4),
        from.get(ValueLayout.JAVA_BYTE, 5),
        shorts(from, AT_LOWER, corners),
        shorts(from, AT_UPPER, corners));
  }
}
