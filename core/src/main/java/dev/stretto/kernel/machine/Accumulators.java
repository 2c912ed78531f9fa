package dev.stretto.kernel.machine;

import java.util.Arrays;

/** The registers that hold a thread's part of the sum to which its warp group adds a product. */
public sealed interface Accumulators {
  /** Whether both are the same registers. */
  boolean is(Accumulators other);

  /** Whether both have registers in common. */
  boolean meets(Accumulators other);

  /** Whether an element of an array is one of the registers. */
  boolean has(Object array, int index);

  /** The contents of the registers: ints, or the bits of floats. */
  int[] bits();

  /** Fills the registers with poison, because a product in flight owns them. */
  void poison();

  /** Whether nothing has been written to the registers since {@link #poison}. */
  boolean isPoisoned();

  void set(int[] bits);

  /** Accumulators of floating-point numbers. */
  @SuppressWarnings({"ArrayRecordComponent", "ReferenceEquality"}) // the array's identity counts
  record Floats(float[] array, int at, int count) implements Accumulators {
    /** A NaN that no arithmetic produces. */
    private static final int POISON = 0x7fb5_7ab1;

    @Override
    public boolean is(Accumulators other) {
      return other instanceof Floats it && it.array == array && it.at == at && it.count == count;
    }

    @Override
    public boolean meets(Accumulators other) {
      return other instanceof Floats it
          && it.array == array
          && it.at < at + count
          && at < it.at + it.count;
    }

    @Override
    public boolean has(Object other, int index) {
      return other == array && index >= at && index < at + count;
    }

    @Override
    public int[] bits() {
      int[] bits = new int[count];
      for (int i = 0; i < count; i++) {
        bits[i] = Float.floatToRawIntBits(array[at + i]);
      }
      return bits;
    }

    @Override
    public void poison() {
      Arrays.fill(array, at, at + count, Float.intBitsToFloat(POISON));
    }

    @Override
    public boolean isPoisoned() {
      for (int i = 0; i < count; i++) {
        if (!Float.isNaN(array[at + i])) {
          return false;
        }
      }
      return true;
    }

    @Override
    public void set(int[] bits) {
      for (int i = 0; i < count; i++) {
        array[at + i] = Float.intBitsToFloat(bits[i]);
      }
    }
  }

  /** Accumulators of integers. */
  @SuppressWarnings({"ArrayRecordComponent", "ReferenceEquality"}) // the array's identity counts
  record Ints(int[] array, int at, int count) implements Accumulators {
    private static final int POISON = 0xdead_7ab1;

    @Override
    public boolean is(Accumulators other) {
      return other instanceof Ints it && it.array == array && it.at == at && it.count == count;
    }

    @Override
    public boolean meets(Accumulators other) {
      return other instanceof Ints it
          && it.array == array
          && it.at < at + count
          && at < it.at + it.count;
    }

    @Override
    public boolean has(Object other, int index) {
      return other == array && index >= at && index < at + count;
    }

    @Override
    public int[] bits() {
      return Arrays.copyOfRange(array, at, at + count);
    }

    @Override
    public void poison() {
      Arrays.fill(array, at, at + count, POISON);
    }

    @Override
    public boolean isPoisoned() {
      for (int i = 0; i < count; i++) {
        if (array[at + i] != POISON) {
          return false;
        }
      }
      return true;
    }

    @Override
    public void set(int[] bits) {
      System.arraycopy(bits, 0, array, at, count);
    }
  }
}
