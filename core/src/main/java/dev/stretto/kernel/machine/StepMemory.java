package dev.stretto.kernel.machine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Loads and stores of compiled kernels. The JVM has compiled these methods long before it has
 * compiled a new kernel, in which an access to a segment would take a hundred times longer until
 * then.
 */
public final class StepMemory {
  private StepMemory() {}

  /** {@return what is at an offset} */
  public static byte getByte(MemorySegment memory, long offset) {
    return memory.get(ValueLayout.JAVA_BYTE, offset);
  }

  /** Sets what is at an offset. */
  public static void setByte(MemorySegment memory, long offset, byte value) {
    memory.set(ValueLayout.JAVA_BYTE, offset, value);
  }

  /** {@return what is at an offset} */
  public static short getShort(MemorySegment memory, long offset) {
    return memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, offset);
  }

  /** Sets what is at an offset. */
  public static void setShort(MemorySegment memory, long offset, short value) {
    memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, offset, value);
  }

  /** {@return what is at an offset} */
  public static char getChar(MemorySegment memory, long offset) {
    return memory.get(ValueLayout.JAVA_CHAR_UNALIGNED, offset);
  }

  /** Sets what is at an offset. */
  public static void setChar(MemorySegment memory, long offset, char value) {
    memory.set(ValueLayout.JAVA_CHAR_UNALIGNED, offset, value);
  }

  /** {@return what is at an offset} */
  public static int getInt(MemorySegment memory, long offset) {
    return memory.get(ValueLayout.JAVA_INT_UNALIGNED, offset);
  }

  /** Sets what is at an offset. */
  public static void setInt(MemorySegment memory, long offset, int value) {
    memory.set(ValueLayout.JAVA_INT_UNALIGNED, offset, value);
  }

  /** {@return what is at an offset} */
  public static long getLong(MemorySegment memory, long offset) {
    return memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
  }

  /** Sets what is at an offset. */
  public static void setLong(MemorySegment memory, long offset, long value) {
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, value);
  }

  /** {@return what is at an offset} */
  public static float getFloat(MemorySegment memory, long offset) {
    return memory.get(ValueLayout.JAVA_FLOAT_UNALIGNED, offset);
  }

  /** Sets what is at an offset. */
  public static void setFloat(MemorySegment memory, long offset, float value) {
    memory.set(ValueLayout.JAVA_FLOAT_UNALIGNED, offset, value);
  }

  /** {@return what is at an offset} */
  public static double getDouble(MemorySegment memory, long offset) {
    return memory.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, offset);
  }

  /** Sets what is at an offset. */
  public static void setDouble(MemorySegment memory, long offset, double value) {
    memory.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, offset, value);
  }
}
