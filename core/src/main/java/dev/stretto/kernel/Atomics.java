// Generated from tools/families/Atomics.template by tools/Families.java. Do not edit.
package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.lang.invoke.VarHandle;

/**
 * Atomic operations on elements of global and shared arrays: each reads, computes and writes in one
 * step, whatever other threads do.
 *
 * <p>Each returns the element's old value. The operations are relaxed: they order only accesses to
 * their own element. Earlier writes of a thread become visible to another one through {@link
 * #storeRelease storeRelease} and {@link #loadAcquire loadAcquire}, or through {@link #fence(Scope)
 * fences} around relaxed operations.
 *
 * <p>On global arrays an operation is atomic among the threads of the device, or of a given {@link
 * Scope}. On shared arrays it is atomic among the threads that can access them: those of the block,
 * or of its cluster, if the kernel calls {@link Cluster#shared cluster.shared}.
 *
 * <p>All methods throw {@link IndexOutOfBoundsException} on a virtual device if the array has no
 * such element.
 */
public final class Atomics {
  private Atomics() {}

  // --- add
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@return the old value} Adds; wraps around.
   *
   * @param array the array
   * @param index of the element
   * @param value the summand
   */
  public static int add(GlobalInts array, long index, int value) {
    return add(array, index, value, Scope.DEVICE);
  }

  /**
   * {@return the old value} Adds; wraps around.
   *
   * @param array the array
   * @param index of the element
   * @param value the summand
   * @param scope the threads among which it is atomic
   */
  @Instruction("atom.relaxed.$3.global.add.u32 $r, [$0[1]], $2;")
  public static int add(GlobalInts array, long index, int value, @Const Scope scope) {
    return AtomicCell.of(array, index, scope).addInt(value);
  }

  /**
   * {@return the old value} Adds; wraps around.
   *
   * @param array the array
   * @param index of the element
   * @param value the summand
   */
  public static long add(GlobalLongs array, long index, long value) {
    return add(array, index, value, Scope.DEVICE);
  }

  /**
   * {@return the old value} Adds; wraps around.
   *
   * @param array the array
   * @param index of the element
   * @param value the summand
   * @param scope the threads among which it is atomic
   */
  @Instruction("atom.relaxed.$3.global.add.u64 $r, [$0[1]], $2;")
  public static long add(GlobalLongs array, long index, long value, @Const Scope scope) {
    return AtomicCell.of(array, index, scope).addLong(value);
  }

  /**
   * {@return the old value} Adds; wraps around.
   *
   * @param array the array
   * @param index of the element
   * @param value the summand
   */
  @Instruction("atom.relaxed.$@0[1].add.u32 $r, [$0[1]], $2;")
  public static int add(SharedInts array, int index, int value) {
    return AtomicCell.of(array, index).addInt(value);
  }

  /**
   * {@return the old value} Adds; wraps around.
   *
   * @param array the array
   * @param index of the element
   * @param value the summand
   */
  @Instruction("atom.relaxed.$@0[1].add.u64 $r, [$0[1]], $2;")
  public static long add(SharedLongs array, int index, long value) {
    return AtomicCell.of(array, index).addLong(value);
  }

  /**
   * {@return the old value} Adds; subnormal numbers count as zero.
   *
   * @param array the array
   * @param index of the element
   * @param value the summand
   */
  public static float add(GlobalFloats array, long index, float value) {
    return add(array, index, value, Scope.DEVICE);
  }

  /**
   * {@return the old value} Adds; subnormal numbers count as zero.
   *
   * @param array the array
   * @param index of the element
   * @param value the summand
   * @param scope the threads among which it is atomic
   */
  @Instruction("atom.relaxed.$3.global.add.f32 $r, [$0[1]], $2;")
  public static float add(GlobalFloats array, long index, float value, @Const Scope scope) {
    AtomicCell cell = AtomicCell.of(array, index, scope);
    int bits;
    float old;
    do {
      bits = cell.getInt();
      old = Float.intBitsToFloat(bits);
    } while (!cell.replaceInt(bits, Float.floatToRawIntBits(AtomicCell.flushedSum(old, value))));
    return old;
  }

  /**
   * {@return the old value} Adds.
   *
   * @param array the array
   * @param index of the element
   * @param value the summand
   */
  public static double add(GlobalDoubles array, long index, double value) {
    return add(array, index, value, Scope.DEVICE);
  }

  /**
   * {@return the old value} Adds.
   *
   * @param array the array
   * @param index of the element
   * @param value the summand
   * @param scope the threads among which it is atomic
   */
  @Instruction("atom.relaxed.$3.global.add.f64 $r, [$0[1]], $2;")
  public static double add(GlobalDoubles array, long index, double value, @Const Scope scope) {
    AtomicCell cell = AtomicCell.of(array, index, scope);
    long bits;
    double old;
    do {
      bits = cell.getLong();
      old = Double.longBitsToDouble(bits);
    } while (!cell.replaceLong(bits, Double.doubleToRawLongBits(old + value)));
    return old;
  }

  /**
   * {@return the old value} Adds.
   *
   * @param array the array
   * @param index of the element
   * @param value the summand
   */
  @Instruction("atom.relaxed.$@0[1].add.f32 $r, [$0[1]], $2;")
  public static float add(SharedFloats array, int index, float value) {
    AtomicCell cell = AtomicCell.of(array, index);
    int bits;
    float old;
    do {
      bits = cell.getInt();
      old = Float.intBitsToFloat(bits);
    } while (!cell.replaceInt(bits, Float.floatToRawIntBits(old + value)));
    return old;
  }

  /**
   * {@return the old value} Adds.
   *
   * @param array the array
   * @param index of the element
   * @param value the summand
   */
  @Instruction("atom.relaxed.$@0[1].add.f64 $r, [$0[1]], $2;")
  public static double add(SharedDoubles array, int index, double value) {
    AtomicCell cell = AtomicCell.of(array, index);
    long bits;
    double old;
    do {
      bits = cell.getLong();
      old = Double.longBitsToDouble(bits);
    } while (!cell.replaceLong(bits, Double.doubleToRawLongBits(old + value)));
    return old;
  }

  // --- min
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@return the old value} Sets the element to the smaller one.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value if it is smaller
   */
  public static int min(GlobalInts array, long index, int value) {
    return min(array, index, value, Scope.DEVICE);
  }

  /**
   * {@return the old value} Sets the element to the smaller one.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value if it is smaller
   * @param scope the threads among which it is atomic
   */
  @Instruction("atom.relaxed.$3.global.min.s32 $r, [$0[1]], $2;")
  public static int min(GlobalInts array, long index, int value, @Const Scope scope) {
    AtomicCell cell = AtomicCell.of(array, index, scope);
    int old;
    do {
      old = cell.getInt();
    } while (!cell.replaceInt(old, Math.min(old, value)));
    return old;
  }

  /**
   * {@return the old value} Sets the element to the smaller one.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value if it is smaller
   */
  public static long min(GlobalLongs array, long index, long value) {
    return min(array, index, value, Scope.DEVICE);
  }

  /**
   * {@return the old value} Sets the element to the smaller one.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value if it is smaller
   * @param scope the threads among which it is atomic
   */
  @Instruction("atom.relaxed.$3.global.min.s64 $r, [$0[1]], $2;")
  public static long min(GlobalLongs array, long index, long value, @Const Scope scope) {
    AtomicCell cell = AtomicCell.of(array, index, scope);
    long old;
    do {
      old = cell.getLong();
    } while (!cell.replaceLong(old, Math.min(old, value)));
    return old;
  }

  /**
   * {@return the old value} Sets the element to the smaller one.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value if it is smaller
   */
  @Instruction("atom.relaxed.$@0[1].min.s32 $r, [$0[1]], $2;")
  public static int min(SharedInts array, int index, int value) {
    AtomicCell cell = AtomicCell.of(array, index);
    int old;
    do {
      old = cell.getInt();
    } while (!cell.replaceInt(old, Math.min(old, value)));
    return old;
  }

  /**
   * {@return the old value} Sets the element to the smaller one.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value if it is smaller
   */
  @Instruction("atom.relaxed.$@0[1].min.s64 $r, [$0[1]], $2;")
  public static long min(SharedLongs array, int index, long value) {
    AtomicCell cell = AtomicCell.of(array, index);
    long old;
    do {
      old = cell.getLong();
    } while (!cell.replaceLong(old, Math.min(old, value)));
    return old;
  }

  // --- max
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@return the old value} Sets the element to the larger one.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value if it is larger
   */
  public static int max(GlobalInts array, long index, int value) {
    return max(array, index, value, Scope.DEVICE);
  }

  /**
   * {@return the old value} Sets the element to the larger one.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value if it is larger
   * @param scope the threads among which it is atomic
   */
  @Instruction("atom.relaxed.$3.global.max.s32 $r, [$0[1]], $2;")
  public static int max(GlobalInts array, long index, int value, @Const Scope scope) {
    AtomicCell cell = AtomicCell.of(array, index, scope);
    int old;
    do {
      old = cell.getInt();
    } while (!cell.replaceInt(old, Math.max(old, value)));
    return old;
  }

  /**
   * {@return the old value} Sets the element to the larger one.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value if it is larger
   */
  public static long max(GlobalLongs array, long index, long value) {
    return max(array, index, value, Scope.DEVICE);
  }

  /**
   * {@return the old value} Sets the element to the larger one.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value if it is larger
   * @param scope the threads among which it is atomic
   */
  @Instruction("atom.relaxed.$3.global.max.s64 $r, [$0[1]], $2;")
  public static long max(GlobalLongs array, long index, long value, @Const Scope scope) {
    AtomicCell cell = AtomicCell.of(array, index, scope);
    long old;
    do {
      old = cell.getLong();
    } while (!cell.replaceLong(old, Math.max(old, value)));
    return old;
  }

  /**
   * {@return the old value} Sets the element to the larger one.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value if it is larger
   */
  @Instruction("atom.relaxed.$@0[1].max.s32 $r, [$0[1]], $2;")
  public static int max(SharedInts array, int index, int value) {
    AtomicCell cell = AtomicCell.of(array, index);
    int old;
    do {
      old = cell.getInt();
    } while (!cell.replaceInt(old, Math.max(old, value)));
    return old;
  }

  /**
   * {@return the old value} Sets the element to the larger one.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value if it is larger
   */
  @Instruction("atom.relaxed.$@0[1].max.s64 $r, [$0[1]], $2;")
  public static long max(SharedLongs array, int index, long value) {
    AtomicCell cell = AtomicCell.of(array, index);
    long old;
    do {
      old = cell.getLong();
    } while (!cell.replaceLong(old, Math.max(old, value)));
    return old;
  }

  // --- and
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@return the old value} Clears the bits that are not set in the mask.
   *
   * @param array the array
   * @param index of the element
   * @param mask the bits to keep
   */
  public static int and(GlobalInts array, long index, int mask) {
    return and(array, index, mask, Scope.DEVICE);
  }

  /**
   * {@return the old value} Clears the bits that are not set in the mask.
   *
   * @param array the array
   * @param index of the element
   * @param mask the bits to keep
   * @param scope the threads among which it is atomic
   */
  @Instruction("atom.relaxed.$3.global.and.b32 $r, [$0[1]], $2;")
  public static int and(GlobalInts array, long index, int mask, @Const Scope scope) {
    return AtomicCell.of(array, index, scope).andInt(mask);
  }

  /**
   * {@return the old value} Clears the bits that are not set in the mask.
   *
   * @param array the array
   * @param index of the element
   * @param mask the bits to keep
   */
  public static long and(GlobalLongs array, long index, long mask) {
    return and(array, index, mask, Scope.DEVICE);
  }

  /**
   * {@return the old value} Clears the bits that are not set in the mask.
   *
   * @param array the array
   * @param index of the element
   * @param mask the bits to keep
   * @param scope the threads among which it is atomic
   */
  @Instruction("atom.relaxed.$3.global.and.b64 $r, [$0[1]], $2;")
  public static long and(GlobalLongs array, long index, long mask, @Const Scope scope) {
    return AtomicCell.of(array, index, scope).andLong(mask);
  }

  /**
   * {@return the old value} Clears the bits that are not set in the mask.
   *
   * @param array the array
   * @param index of the element
   * @param mask the bits to keep
   */
  @Instruction("atom.relaxed.$@0[1].and.b32 $r, [$0[1]], $2;")
  public static int and(SharedInts array, int index, int mask) {
    return AtomicCell.of(array, index).andInt(mask);
  }

  /**
   * {@return the old value} Clears the bits that are not set in the mask.
   *
   * @param array the array
   * @param index of the element
   * @param mask the bits to keep
   */
  @Instruction("atom.relaxed.$@0[1].and.b64 $r, [$0[1]], $2;")
  public static long and(SharedLongs array, int index, long mask) {
    return AtomicCell.of(array, index).andLong(mask);
  }

  // --- or
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@return the old value} Sets the bits that are set in the mask.
   *
   * @param array the array
   * @param index of the element
   * @param mask the bits to set
   */
  public static int or(GlobalInts array, long index, int mask) {
    return or(array, index, mask, Scope.DEVICE);
  }

  /**
   * {@return the old value} Sets the bits that are set in the mask.
   *
   * @param array the array
   * @param index of the element
   * @param mask the bits to set
   * @param scope the threads among which it is atomic
   */
  @Instruction("atom.relaxed.$3.global.or.b32 $r, [$0[1]], $2;")
  public static int or(GlobalInts array, long index, int mask, @Const Scope scope) {
    return AtomicCell.of(array, index, scope).orInt(mask);
  }

  /**
   * {@return the old value} Sets the bits that are set in the mask.
   *
   * @param array the array
   * @param index of the element
   * @param mask the bits to set
   */
  public static long or(GlobalLongs array, long index, long mask) {
    return or(array, index, mask, Scope.DEVICE);
  }

  /**
   * {@return the old value} Sets the bits that are set in the mask.
   *
   * @param array the array
   * @param index of the element
   * @param mask the bits to set
   * @param scope the threads among which it is atomic
   */
  @Instruction("atom.relaxed.$3.global.or.b64 $r, [$0[1]], $2;")
  public static long or(GlobalLongs array, long index, long mask, @Const Scope scope) {
    return AtomicCell.of(array, index, scope).orLong(mask);
  }

  /**
   * {@return the old value} Sets the bits that are set in the mask.
   *
   * @param array the array
   * @param index of the element
   * @param mask the bits to set
   */
  @Instruction("atom.relaxed.$@0[1].or.b32 $r, [$0[1]], $2;")
  public static int or(SharedInts array, int index, int mask) {
    return AtomicCell.of(array, index).orInt(mask);
  }

  /**
   * {@return the old value} Sets the bits that are set in the mask.
   *
   * @param array the array
   * @param index of the element
   * @param mask the bits to set
   */
  @Instruction("atom.relaxed.$@0[1].or.b64 $r, [$0[1]], $2;")
  public static long or(SharedLongs array, int index, long mask) {
    return AtomicCell.of(array, index).orLong(mask);
  }

  // --- xor
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@return the old value} Flips the bits that are set in the mask.
   *
   * @param array the array
   * @param index of the element
   * @param mask the bits to flip
   */
  public static int xor(GlobalInts array, long index, int mask) {
    return xor(array, index, mask, Scope.DEVICE);
  }

  /**
   * {@return the old value} Flips the bits that are set in the mask.
   *
   * @param array the array
   * @param index of the element
   * @param mask the bits to flip
   * @param scope the threads among which it is atomic
   */
  @Instruction("atom.relaxed.$3.global.xor.b32 $r, [$0[1]], $2;")
  public static int xor(GlobalInts array, long index, int mask, @Const Scope scope) {
    return AtomicCell.of(array, index, scope).xorInt(mask);
  }

  /**
   * {@return the old value} Flips the bits that are set in the mask.
   *
   * @param array the array
   * @param index of the element
   * @param mask the bits to flip
   */
  public static long xor(GlobalLongs array, long index, long mask) {
    return xor(array, index, mask, Scope.DEVICE);
  }

  /**
   * {@return the old value} Flips the bits that are set in the mask.
   *
   * @param array the array
   * @param index of the element
   * @param mask the bits to flip
   * @param scope the threads among which it is atomic
   */
  @Instruction("atom.relaxed.$3.global.xor.b64 $r, [$0[1]], $2;")
  public static long xor(GlobalLongs array, long index, long mask, @Const Scope scope) {
    return AtomicCell.of(array, index, scope).xorLong(mask);
  }

  /**
   * {@return the old value} Flips the bits that are set in the mask.
   *
   * @param array the array
   * @param index of the element
   * @param mask the bits to flip
   */
  @Instruction("atom.relaxed.$@0[1].xor.b32 $r, [$0[1]], $2;")
  public static int xor(SharedInts array, int index, int mask) {
    return AtomicCell.of(array, index).xorInt(mask);
  }

  /**
   * {@return the old value} Flips the bits that are set in the mask.
   *
   * @param array the array
   * @param index of the element
   * @param mask the bits to flip
   */
  @Instruction("atom.relaxed.$@0[1].xor.b64 $r, [$0[1]], $2;")
  public static long xor(SharedLongs array, int index, long mask) {
    return AtomicCell.of(array, index).xorLong(mask);
  }

  // --- exchange
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@return the old value} Sets the element.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value
   */
  public static int exchange(GlobalInts array, long index, int value) {
    return exchange(array, index, value, Scope.DEVICE);
  }

  /**
   * {@return the old value} Sets the element.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value
   * @param scope the threads among which it is atomic
   */
  @Instruction("atom.relaxed.$3.global.exch.b32 $r, [$0[1]], $2;")
  public static int exchange(GlobalInts array, long index, int value, @Const Scope scope) {
    return AtomicCell.of(array, index, scope).exchangeInt(value);
  }

  /**
   * {@return the old value} Sets the element.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value
   */
  public static long exchange(GlobalLongs array, long index, long value) {
    return exchange(array, index, value, Scope.DEVICE);
  }

  /**
   * {@return the old value} Sets the element.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value
   * @param scope the threads among which it is atomic
   */
  @Instruction("atom.relaxed.$3.global.exch.b64 $r, [$0[1]], $2;")
  public static long exchange(GlobalLongs array, long index, long value, @Const Scope scope) {
    return AtomicCell.of(array, index, scope).exchangeLong(value);
  }

  /**
   * {@return the old value} Sets the element.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value
   */
  @Instruction("atom.relaxed.$@0[1].exch.b32 $r, [$0[1]], $2;")
  public static int exchange(SharedInts array, int index, int value) {
    return AtomicCell.of(array, index).exchangeInt(value);
  }

  /**
   * {@return the old value} Sets the element.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value
   */
  @Instruction("atom.relaxed.$@0[1].exch.b64 $r, [$0[1]], $2;")
  public static long exchange(SharedLongs array, int index, long value) {
    return AtomicCell.of(array, index).exchangeLong(value);
  }

  /**
   * {@return the old value} Sets the element.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value
   */
  public static float exchange(GlobalFloats array, long index, float value) {
    return exchange(array, index, value, Scope.DEVICE);
  }

  /**
   * {@return the old value} Sets the element.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value
   * @param scope the threads among which it is atomic
   */
  @Instruction("atom.relaxed.$3.global.exch.b32 $r, [$0[1]], $2;")
  public static float exchange(GlobalFloats array, long index, float value, @Const Scope scope) {
    return Float.intBitsToFloat(
        AtomicCell.of(array, index, scope).exchangeInt(Float.floatToRawIntBits(value)));
  }

  /**
   * {@return the old value} Sets the element.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value
   */
  public static double exchange(GlobalDoubles array, long index, double value) {
    return exchange(array, index, value, Scope.DEVICE);
  }

  /**
   * {@return the old value} Sets the element.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value
   * @param scope the threads among which it is atomic
   */
  @Instruction("atom.relaxed.$3.global.exch.b64 $r, [$0[1]], $2;")
  public static double exchange(GlobalDoubles array, long index, double value, @Const Scope scope) {
    return Double.longBitsToDouble(
        AtomicCell.of(array, index, scope).exchangeLong(Double.doubleToRawLongBits(value)));
  }

  /**
   * {@return the old value} Sets the element.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value
   */
  @Instruction("atom.relaxed.$@0[1].exch.b32 $r, [$0[1]], $2;")
  public static float exchange(SharedFloats array, int index, float value) {
    return Float.intBitsToFloat(
        AtomicCell.of(array, index).exchangeInt(Float.floatToRawIntBits(value)));
  }

  /**
   * {@return the old value} Sets the element.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value
   */
  @Instruction("atom.relaxed.$@0[1].exch.b64 $r, [$0[1]], $2;")
  public static double exchange(SharedDoubles array, int index, double value) {
    return Double.longBitsToDouble(
        AtomicCell.of(array, index).exchangeLong(Double.doubleToRawLongBits(value)));
  }

  // --- compareAndExchange
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@return the old value} Sets the element if it has the expected value; so it was set if the
   * returned value is the expected one.
   *
   * @param array the array
   * @param index of the element
   * @param expected the value that the element must have
   * @param value the new value
   */
  public static int compareAndExchange(GlobalInts array, long index, int expected, int value) {
    return compareAndExchange(array, index, expected, value, Scope.DEVICE);
  }

  /**
   * {@return the old value} Sets the element if it has the expected value; so it was set if the
   * returned value is the expected one.
   *
   * @param array the array
   * @param index of the element
   * @param expected the value that the element must have
   * @param value the new value
   * @param scope the threads among which it is atomic
   */
  @Instruction("atom.relaxed.$4.global.cas.b32 $r, [$0[1]], $2, $3;")
  public static int compareAndExchange(
      GlobalInts array, long index, int expected, int value, @Const Scope scope) {
    return AtomicCell.of(array, index, scope).compareAndExchangeInt(expected, value);
  }

  /**
   * {@return the old value} Sets the element if it has the expected value; so it was set if the
   * returned value is the expected one.
   *
   * @param array the array
   * @param index of the element
   * @param expected the value that the element must have
   * @param value the new value
   */
  public static long compareAndExchange(GlobalLongs array, long index, long expected, long value) {
    return compareAndExchange(array, index, expected, value, Scope.DEVICE);
  }

  /**
   * {@return the old value} Sets the element if it has the expected value; so it was set if the
   * returned value is the expected one.
   *
   * @param array the array
   * @param index of the element
   * @param expected the value that the element must have
   * @param value the new value
   * @param scope the threads among which it is atomic
   */
  @Instruction("atom.relaxed.$4.global.cas.b64 $r, [$0[1]], $2, $3;")
  public static long compareAndExchange(
      GlobalLongs array, long index, long expected, long value, @Const Scope scope) {
    return AtomicCell.of(array, index, scope).compareAndExchangeLong(expected, value);
  }

  /**
   * {@return the old value} Sets the element if it has the expected value; so it was set if the
   * returned value is the expected one.
   *
   * @param array the array
   * @param index of the element
   * @param expected the value that the element must have
   * @param value the new value
   */
  @Instruction("atom.relaxed.$@0[1].cas.b32 $r, [$0[1]], $2, $3;")
  public static int compareAndExchange(SharedInts array, int index, int expected, int value) {
    return AtomicCell.of(array, index).compareAndExchangeInt(expected, value);
  }

  /**
   * {@return the old value} Sets the element if it has the expected value; so it was set if the
   * returned value is the expected one.
   *
   * @param array the array
   * @param index of the element
   * @param expected the value that the element must have
   * @param value the new value
   */
  @Instruction("atom.relaxed.$@0[1].cas.b64 $r, [$0[1]], $2, $3;")
  public static long compareAndExchange(SharedLongs array, int index, long expected, long value) {
    return AtomicCell.of(array, index).compareAndExchangeLong(expected, value);
  }

  // --- counting around
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@return the old value} Adds 1, or sets the element to 0 if it is the limit or greater; all
   * numbers are unsigned.
   *
   * @param array the array
   * @param index of the element
   * @param limit the greatest value, unsigned
   */
  public static int increment(GlobalInts array, long index, int limit) {
    return increment(array, index, limit, Scope.DEVICE);
  }

  /**
   * {@return the old value} Adds 1, or sets the element to 0 if it is the limit or greater; all
   * numbers are unsigned.
   *
   * @param array the array
   * @param index of the element
   * @param limit the greatest value, unsigned
   * @param scope the threads among which it is atomic
   */
  @Instruction("atom.relaxed.$3.global.inc.u32 $r, [$0[1]], $2;")
  public static int increment(GlobalInts array, long index, int limit, @Const Scope scope) {
    AtomicCell cell = AtomicCell.of(array, index, scope);
    int old;
    do {
      old = cell.getInt();
    } while (!cell.replaceInt(old, Integer.compareUnsigned(old, limit) >= 0 ? 0 : old + 1));
    return old;
  }

  /**
   * {@return the old value} Adds 1, or sets the element to 0 if it is the limit or greater; all
   * numbers are unsigned.
   *
   * @param array the array
   * @param index of the element
   * @param limit the greatest value, unsigned
   */
  @Instruction("atom.relaxed.$@0[1].inc.u32 $r, [$0[1]], $2;")
  public static int increment(SharedInts array, int index, int limit) {
    AtomicCell cell = AtomicCell.of(array, index);
    int old;
    do {
      old = cell.getInt();
    } while (!cell.replaceInt(old, Integer.compareUnsigned(old, limit) >= 0 ? 0 : old + 1));
    return old;
  }

  /**
   * {@return the old value} Subtracts 1, or sets the element to the limit if it is 0 or greater
   * than the limit; all numbers are unsigned.
   *
   * @param array the array
   * @param index of the element
   * @param limit the greatest value, unsigned
   */
  public static int decrement(GlobalInts array, long index, int limit) {
    return decrement(array, index, limit, Scope.DEVICE);
  }

  /**
   * {@return the old value} Subtracts 1, or sets the element to the limit if it is 0 or greater
   * than the limit; all numbers are unsigned.
   *
   * @param array the array
   * @param index of the element
   * @param limit the greatest value, unsigned
   * @param scope the threads among which it is atomic
   */
  @Instruction("atom.relaxed.$3.global.dec.u32 $r, [$0[1]], $2;")
  public static int decrement(GlobalInts array, long index, int limit, @Const Scope scope) {
    AtomicCell cell = AtomicCell.of(array, index, scope);
    int old;
    do {
      old = cell.getInt();
    } while (!cell.replaceInt(
        old, old == 0 || Integer.compareUnsigned(old, limit) > 0 ? limit : old - 1));
    return old;
  }

  /**
   * {@return the old value} Subtracts 1, or sets the element to the limit if it is 0 or greater
   * than the limit; all numbers are unsigned.
   *
   * @param array the array
   * @param index of the element
   * @param limit the greatest value, unsigned
   */
  @Instruction("atom.relaxed.$@0[1].dec.u32 $r, [$0[1]], $2;")
  public static int decrement(SharedInts array, int index, int limit) {
    AtomicCell cell = AtomicCell.of(array, index);
    int old;
    do {
      old = cell.getInt();
    } while (!cell.replaceInt(
        old, old == 0 || Integer.compareUnsigned(old, limit) > 0 ? limit : old - 1));
    return old;
  }

  // --- order
  // --------------------------------------------------------------------------------------------------------------

  /**
   * {@return the element} Earlier writes of the thread that released this value are visible to
   * later accesses.
   *
   * @param array the array
   * @param index of the element
   */
  public static int loadAcquire(GlobalInts array, long index) {
    return loadAcquire(array, index, Scope.DEVICE);
  }

  /**
   * {@return the element} Earlier writes of the thread that released this value are visible to
   * later accesses.
   *
   * @param array the array
   * @param index of the element
   * @param scope the threads among which this holds
   */
  @Instruction("ld.acquire.$2.global.b32 $r, [$0[1]];")
  public static int loadAcquire(GlobalInts array, long index, @Const Scope scope) {
    return AtomicCell.of(array, index, scope).acquireInt();
  }

  /**
   * {@return the element} Earlier writes of the thread that released this value are visible to
   * later accesses.
   *
   * @param array the array
   * @param index of the element
   */
  public static long loadAcquire(GlobalLongs array, long index) {
    return loadAcquire(array, index, Scope.DEVICE);
  }

  /**
   * {@return the element} Earlier writes of the thread that released this value are visible to
   * later accesses.
   *
   * @param array the array
   * @param index of the element
   * @param scope the threads among which this holds
   */
  @Instruction("ld.acquire.$2.global.b64 $r, [$0[1]];")
  public static long loadAcquire(GlobalLongs array, long index, @Const Scope scope) {
    return AtomicCell.of(array, index, scope).acquireLong();
  }

  /**
   * {@return the element} Earlier writes of the thread that released this value are visible to
   * later accesses.
   *
   * @param array the array
   * @param index of the element
   */
  @Instruction("ld.acquire.$@0[1].b32 $r, [$0[1]];")
  public static int loadAcquire(SharedInts array, int index) {
    return AtomicCell.of(array, index).acquireInt();
  }

  /**
   * {@return the element} Earlier writes of the thread that released this value are visible to
   * later accesses.
   *
   * @param array the array
   * @param index of the element
   */
  @Instruction("ld.acquire.$@0[1].b64 $r, [$0[1]];")
  public static long loadAcquire(SharedLongs array, int index) {
    return AtomicCell.of(array, index).acquireLong();
  }

  /**
   * Sets the element. A thread that acquires this value sees this thread's earlier writes.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value
   */
  public static void storeRelease(GlobalInts array, long index, int value) {
    storeRelease(array, index, value, Scope.DEVICE);
  }

  /**
   * Sets the element. A thread that acquires this value sees this thread's earlier writes.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value
   * @param scope the threads among which this holds
   */
  @Instruction("st.release.$3.global.b32 [$0[1]], $2;")
  public static void storeRelease(GlobalInts array, long index, int value, @Const Scope scope) {
    AtomicCell.of(array, index, scope).releaseInt(value);
  }

  /**
   * Sets the element. A thread that acquires this value sees this thread's earlier writes.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value
   */
  public static void storeRelease(GlobalLongs array, long index, long value) {
    storeRelease(array, index, value, Scope.DEVICE);
  }

  /**
   * Sets the element. A thread that acquires this value sees this thread's earlier writes.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value
   * @param scope the threads among which this holds
   */
  @Instruction("st.release.$3.global.b64 [$0[1]], $2;")
  public static void storeRelease(GlobalLongs array, long index, long value, @Const Scope scope) {
    AtomicCell.of(array, index, scope).releaseLong(value);
  }

  /**
   * Sets the element. A thread that acquires this value sees this thread's earlier writes.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value
   */
  @Instruction("st.release.$@0[1].b32 [$0[1]], $2;")
  public static void storeRelease(SharedInts array, int index, int value) {
    AtomicCell.of(array, index).releaseInt(value);
  }

  /**
   * Sets the element. A thread that acquires this value sees this thread's earlier writes.
   *
   * @param array the array
   * @param index of the element
   * @param value the new value
   */
  @Instruction("st.release.$@0[1].b64 [$0[1]], $2;")
  public static void storeRelease(SharedLongs array, int index, long value) {
    AtomicCell.of(array, index).releaseLong(value);
  }

  /**
   * Orders this thread's earlier reads and writes before its later ones, for the threads of a
   * scope: a fence that releases and acquires. Together with a relaxed operation after it, and one
   * before another thread's fence, it makes earlier writes visible to that thread.
   *
   * @param scope the threads that it applies to
   */
  @Instruction("fence.acq_rel.$0;")
  public static void fence(@Const Scope scope) {
    DeviceThread.fences(scope.isWide(), scope == Scope.SYSTEM);
    VarHandle.fullFence();
  }
}
