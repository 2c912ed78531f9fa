package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.CopyEnds;
import dev.stretto.memory.GlobalArray;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Loads and stores of 16 bytes to and from registers, whatever the elements of the array are: one
 * method for each instruction of PTX. They are ordered with a thread's other loads and stores.
 *
 * <p>A register holds 4 bytes, the first one lowest: two 16-bit numbers, or four bytes.
 */
public final class PtxMemory {
  private static final int BYTES = 16;

  private PtxMemory() {}

  /**
   * {@code ld.global.v4.b32}: loads 16 bytes.
   *
   * @param d 4 elements that receive them
   * @param atD the index of the first of those
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @throws IndexOutOfBoundsException on a virtual device, if the array has no such bytes
   * @throws IllegalArgumentException on a virtual device, if their address is not a multiple of 16
   */
  @Instruction(value = "ld.global.v4.b32 {$w0.0, $w0.1, $w0.2, $w0.3}, [$2[3]];", writes = 0)
  public static void ldGlobalV4B32(int[] d, @Offset int atD, GlobalArray from, long fromByte) {
    MemorySegment bytes = CopyEnds.global("ldGlobalV4B32", from, fromByte, BYTES, BYTES);
    for (int i = 0; i < 4; i++) {
      d[atD + i] = bytes.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i);
    }
  }

  /**
   * {@code st.global.v4.b32}: stores 16 bytes.
   *
   * @param to the destination
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param a 4 elements that hold them
   * @param atA the index of the first of those
   * @throws IndexOutOfBoundsException on a virtual device, if the array has no such bytes
   * @throws IllegalArgumentException on a virtual device, if their address is not a multiple of 16
   */
  @Instruction("st.global.v4.b32 [$0[1]], {$2.0, $2.1, $2.2, $2.3};")
  public static void stGlobalV4B32(GlobalArray to, long toByte, int[] a, @Offset int atA) {
    MemorySegment bytes = CopyEnds.global("stGlobalV4B32", to, toByte, BYTES, BYTES);
    for (int i = 0; i < 4; i++) {
      bytes.set(ValueLayout.JAVA_INT_UNALIGNED, 4L * i, a[atA + i]);
    }
  }
}
