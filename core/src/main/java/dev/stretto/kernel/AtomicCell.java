package dev.stretto.kernel;

import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.kernel.machine.Resident;
import dev.stretto.memory.Allocation;
import dev.stretto.memory.GlobalArray;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An element of an array as an atomic operation of a virtual device sees it.
 *
 * @param isShared whether it is in shared memory. One thread of the JVM at a time runs the threads
 *     of a block, so nothing else accesses it meanwhile; that memory may not be aligned for longs.
 */
record AtomicCell(MemorySegment memory, long at, @Nullable Resident watched, boolean isShared) {
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
    return new AtomicCell(
        resident.memory(),
        array.byteOffset() + index * array.elementBytes(),
        resident.isWatched() ? resident : null,
        false);
  }

  static AtomicCell of(SharedArray array, int index) {
    Objects.checkIndex(index, array.length());
    DeviceThread.atomicAccess();
    return new AtomicCell(array.data(), (long) index * array.elementBytes(), null, true);
  }

  private static void changes(boolean holds) {
    if (holds) {
      DeviceThread.changes();
    }
  }

  /** Adds floats as a GPU does in global memory, where subnormal numbers count as zero. */
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
    return isShared ? ownLong() : (long) LONG.getVolatile(memory, at);
  }

  private long ownLong() {
    return memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
  }

  /** Sets an element of shared memory, and returns what was there. */
  private long setOwn(long value) {
    long old = ownLong();
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, value);
    return old;
  }

  boolean replaceInt(int old, int value) {
    changes(old != value);
    written(Integer.BYTES);
    return INT.compareAndSet(memory, at, old, value);
  }

  boolean replaceLong(long old, long value) {
    changes(old != value);
    written(Long.BYTES);
    if (!isShared) {
      return LONG.compareAndSet(memory, at, old, value);
    }
    boolean same = ownLong() == old;
    if (same) {
      setOwn(value);
    }
    return same;
  }

  int addInt(int value) {
    changes(value != 0);
    written(Integer.BYTES);
    return (int) INT.getAndAdd(memory, at, value);
  }

  long addLong(long value) {
    changes(value != 0);
    written(Long.BYTES);
    return isShared ? setOwn(ownLong() + value) : (long) LONG.getAndAdd(memory, at, value);
  }

  int andInt(int mask) {
    written(Integer.BYTES);
    int old = (int) INT.getAndBitwiseAnd(memory, at, mask);
    changes(old != (old & mask));
    return old;
  }

  long andLong(long mask) {
    written(Long.BYTES);
    long old = isShared ? setOwn(ownLong() & mask) : (long) LONG.getAndBitwiseAnd(memory, at, mask);
    changes(old != (old & mask));
    return old;
  }

  int orInt(int mask) {
    written(Integer.BYTES);
    int old = (int) INT.getAndBitwiseOr(memory, at, mask);
    changes(old != (old | mask));
    return old;
  }

  long orLong(long mask) {
    written(Long.BYTES);
    long old = isShared ? setOwn(ownLong() | mask) : (long) LONG.getAndBitwiseOr(memory, at, mask);
    changes(old != (old | mask));
    return old;
  }

  int xorInt(int mask) {
    written(Integer.BYTES);
    int old = (int) INT.getAndBitwiseXor(memory, at, mask);
    changes(old != (old ^ mask));
    return old;
  }

  long xorLong(long mask) {
    written(Long.BYTES);
    long old = isShared ? setOwn(ownLong() ^ mask) : (long) LONG.getAndBitwiseXor(memory, at, mask);
    changes(old != (old ^ mask));
    return old;
  }

  int exchangeInt(int value) {
    written(Integer.BYTES);
    int old = (int) INT.getAndSet(memory, at, value);
    changes(old != value);
    return old;
  }

  long exchangeLong(long value) {
    written(Long.BYTES);
    long old = isShared ? setOwn(value) : (long) LONG.getAndSet(memory, at, value);
    changes(old != value);
    return old;
  }

  int compareAndExchangeInt(int expected, int value) {
    written(Integer.BYTES);
    int old = (int) INT.compareAndExchange(memory, at, expected, value);
    changes(old == expected && old != value);
    return old;
  }

  long compareAndExchangeLong(long expected, long value) {
    written(Long.BYTES);
    long old = isShared ? ownLong() : (long) LONG.compareAndExchange(memory, at, expected, value);
    if (isShared && old == expected) {
      setOwn(value);
    }
    changes(old == expected && old != value);
    return old;
  }

  int acquireInt() {
    return (int) INT.getAcquire(memory, at);
  }

  long acquireLong() {
    return isShared ? ownLong() : (long) LONG.getAcquire(memory, at);
  }

  void releaseInt(int value) {
    changes(true);
    written(Integer.BYTES);
    INT.setRelease(memory, at, value);
  }

  void releaseLong(long value) {
    changes(true);
    written(Long.BYTES);
    if (isShared) {
      setOwn(value);
    } else {
      LONG.setRelease(memory, at, value);
    }
  }

  private void written(int bytes) {
    if (watched != null) {
      watched.stored(at, bytes);
    }
  }
}
