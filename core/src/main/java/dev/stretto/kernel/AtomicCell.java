package dev.stretto.kernel;

import dev.stretto.memory.Allocation;
import dev.stretto.memory.GlobalArray;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/** An element of an array as an atomic operation of a virtual device sees it. */
record AtomicCell(MemorySegment memory, long at) {
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  static AtomicCell of(GlobalArray array, long index) {
    Objects.checkIndex(index, array.length());
    Allocation allocation = array.allocation();
    if (!(allocation instanceof Resident resident)) {
      throw new IllegalStateException(
          array + " lies in device memory, which the host cannot reach: only kernels can");
    }
    DeviceThread.atomicAccess();
    return new AtomicCell(resident.memory(), array.byteOffset() + index * array.elementBytes());
  }

  static AtomicCell of(SharedArray array, int index) {
    Objects.checkIndex(index, array.length());
    DeviceThread.atomicAccess();
    return new AtomicCell(array.data(), (long) index * array.elementBytes());
  }

  private static void changes(boolean holds) {
    if (holds) {
      DeviceThread.changes();
    }
  }

  /** As a GPU adds floats in global memory: subnormal ones are zero. */
  static float flushedSum(float a, float b) {
    return flushed(flushed(a) + flushed(b));
  }

  private static float flushed(float value) {
    return Math.abs(value) < Float.MIN_NORMAL ? Math.copySign(0f, value) : value;
  }

  int getInt() {
    return (int) INT.getVolatile(memory, at);
  }

  long getLong() {
    return (long) LONG.getVolatile(memory, at);
  }

  boolean replaceInt(int old, int value) {
    changes(old != value);
    return INT.compareAndSet(memory, at, old, value);
  }

  boolean replaceLong(long old, long value) {
    changes(old != value);
    return LONG.compareAndSet(memory, at, old, value);
  }

  int addInt(int value) {
    changes(value != 0);
    return (int) INT.getAndAdd(memory, at, value);
  }

  long addLong(long value) {
    changes(value != 0);
    return (long) LONG.getAndAdd(memory, at, value);
  }

  int andInt(int mask) {
    int old = (int) INT.getAndBitwiseAnd(memory, at, mask);
    changes(old != (old & mask));
    return old;
  }

  long andLong(long mask) {
    long old = (long) LONG.getAndBitwiseAnd(memory, at, mask);
    changes(old != (old & mask));
    return old;
  }

  int orInt(int mask) {
    int old = (int) INT.getAndBitwiseOr(memory, at, mask);
    changes(old != (old | mask));
    return old;
  }

  long orLong(long mask) {
    long old = (long) LONG.getAndBitwiseOr(memory, at, mask);
    changes(old != (old | mask));
    return old;
  }

  int xorInt(int mask) {
    int old = (int) INT.getAndBitwiseXor(memory, at, mask);
    changes(old != (old ^ mask));
    return old;
  }

  long xorLong(long mask) {
    long old = (long) LONG.getAndBitwiseXor(memory, at, mask);
    changes(old != (old ^ mask));
    return old;
  }

  int exchangeInt(int value) {
    int old = (int) INT.getAndSet(memory, at, value);
    changes(old != value);
    return old;
  }

  long exchangeLong(long value) {
    long old = (long) LONG.getAndSet(memory, at, value);
    changes(old != value);
    return old;
  }

  int compareAndExchangeInt(int expected, int value) {
    int old = (int) INT.compareAndExchange(memory, at, expected, value);
    changes(old == expected && old != value);
    return old;
  }

  long compareAndExchangeLong(long expected, long value) {
    long old = (long) LONG.compareAndExchange(memory, at, expected, value);
    changes(old == expected && old != value);
    return old;
  }

  int acquireInt() {
    return (int) INT.getAcquire(memory, at);
  }

  long acquireLong() {
    return (long) LONG.getAcquire(memory, at);
  }

  void releaseInt(int value) {
    changes(true);
    INT.setRelease(memory, at, value);
  }

  void releaseLong(long value) {
    changes(true);
    LONG.setRelease(memory, at, value);
  }
}
