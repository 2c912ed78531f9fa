package dev.stretto.kernel.machine;

import java.util.Arrays;

/** A thread's part of the sum to which a product of its warp group is added. */
public sealed interface Accumulators {
  /** Whether both are the same registers. */
  boolean is(Accumulators other);

  /** Whether both have registers in common. */
  boolean meets(Accumulators other);

  /** What is in them, as floats or as ints in floats' bits. */
  int[] bits();

  /** They belong to a product in flight. */
  void poison();

  /** Whether nobody has written to them since. */
  boolean isPoisoned();

  void set(int[] bits);

  /** Of floating-point numbers. */
  @SuppressWarnings({"ArrayRecordComponent", "ReferenceEquality"}) // the array itself is meant
  record Floats(float[] array, int at, int count) implements Accumulators {
    /** A NaN that no arithmetic gives. */
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
    public int[] bits() {
      int[] bits = new int[count];
      Arrays.setAll(bits, i -> Float.floatToRawIntBits(array[at + i]));
      return bits;
    }

    @Override
    public void poison() {
      Arrays.fill(array, at, at + count, Float.intBitsToFloat(POISON));
    }

    @Override
    public boolean isPoisoned() {
      return Arrays.stream(bits()).allMatch(it -> Float.isNaN(Float.intBitsToFloat(it)));
    }

    @Override
    public void set(int[] bits) {
      for (int i = 0; i < count; i++) {
        array[at + i] = Float.intBitsToFloat(bits[i]);
      }
    }
  }

  /** Of integers. */
  @SuppressWarnings({"ArrayRecordComponent", "ReferenceEquality"}) // the array itself is meant
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
    public int[] bits() {
      return Arrays.copyOfRange(array, at, at + count);
    }

    @Override
    public void poison() {
      Arrays.fill(array, at, at + count, POISON);
    }

    @Override
    public boolean isPoisoned() {
      return Arrays.stream(bits()).allMatch(it -> it == POISON);
    }

    @Override
    public void set(int[] bits) {
      System.arraycopy(bits, 0, array, at, count);
    }
  }
}
