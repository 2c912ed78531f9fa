package dev.stretto.kernel.machine;

/**
 * Loads and stores of compiled kernels in shared memory, which is kept as ints. An element is
 * aligned to its size. One thread of the JVM runs all threads of a block; so it may set a part of
 * an int in two steps. The JVM compiles this faster than access to a segment, and to less code.
 */
public final class StepWords {
  private StepWords() {}

  private static int with(int word, int place, int mask, int value) {
    return (word & ~(mask << place)) | ((value & mask) << place);
  }

  /** {@return what is at an offset} */
  public static byte getByte(int[] memory, int at) {
    return (byte) (memory[at >>> 2] >>> (at << 3));
  }

  /** Sets what is at an offset. */
  public static void setByte(int[] memory, int at, byte value) {
    memory[at >>> 2] = with(memory[at >>> 2], at << 3, 0xFF, value);
  }

  /** {@return what is at an offset} */
  public static short getShort(int[] memory, int at) {
    return (short) (memory[at >>> 2] >>> (at << 3));
  }

  /** Sets what is at an offset. */
  public static void setShort(int[] memory, int at, short value) {
    memory[at >>> 2] = with(memory[at >>> 2], at << 3, 0xFFFF, value);
  }

  /** {@return what is at an offset} */
  public static char getChar(int[] memory, int at) {
    return (char) (memory[at >>> 2] >>> (at << 3));
  }

  /** Sets what is at an offset. */
  public static void setChar(int[] memory, int at, char value) {
    memory[at >>> 2] = with(memory[at >>> 2], at << 3, 0xFFFF, value);
  }

  /** {@return what is at an offset} */
  public static int getInt(int[] memory, int at) {
    return memory[at >>> 2];
  }

  /** Sets what is at an offset. */
  public static void setInt(int[] memory, int at, int value) {
    memory[at >>> 2] = value;
  }

  /** {@return what is at an offset} */
  public static long getLong(int[] memory, int at) {
    return (memory[at >>> 2] & 0xFFFF_FFFFL) | ((long) memory[(at >>> 2) + 1] << 32);
  }

  /** Sets what is at an offset. */
  public static void setLong(int[] memory, int at, long value) {
    memory[at >>> 2] = (int) value;
    memory[(at >>> 2) + 1] = (int) (value >>> 32);
  }

  /** {@return what is at an offset} */
  public static float getFloat(int[] memory, int at) {
    return Float.intBitsToFloat(memory[at >>> 2]);
  }

  /** Sets what is at an offset. */
  public static void setFloat(int[] memory, int at, float value) {
    memory[at >>> 2] = Float.floatToRawIntBits(value);
  }

  /** {@return what is at an offset} */
  public static double getDouble(int[] memory, int at) {
    return Double.longBitsToDouble(getLong(memory, at));
  }

  /** Sets what is at an offset. */
  public static void setDouble(int[] memory, int at, double value) {
    setLong(memory, at, Double.doubleToRawLongBits(value));
  }
}
