package dev.stretto.kernel;

import dev.stretto.kernel.machine.AtomicAccess;
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
 * @param access what has to be known of the operation
 * @param address the element's address in global memory; 0 in shared memory
 * @param isShared whether it is in shared memory. One thread of the JVM at a time runs the threads
 *     of a block, so nothing else accesses it meanwhile; that memory may not be aligned for longs.
 */
record AtomicCell(
    MemorySegment memory,
    long at,
    long address,
    @Nullable Resident watched,
    @Nullable AtomicAccess access,
    boolean isShared,
    int bytes,
    @Nullable Resident host) {
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  static AtomicCell of(GlobalArray array, long index, Scope scope) {
    Objects.checkIndex(index, array.length());
    Allocation allocation = array.allocation();
    if (!(allocation instanceof Resident resident)) {
      throw new IllegalStateException(
          array + " lies in device memory, which the host cannot reach: only kernels can");
    }
    long at = array.byteOffset() + index * array.elementBytes();
    AtomicAccess access =
        DeviceThread.accessesAtomically(
            resident.address() + at, array.elementBytes(), scope.isWide());
    Resident watched = resident.isWatched() ? resident : null;
    Resident host = scope == Scope.SYSTEM && resident.isWindow() ? resident : null;
    MemorySegment memory = host == null ? resident.memory() : host.host();
    long address = resident.address() + at;
    return new AtomicCell(memory, at, address, watched, access, false, array.elementBytes(), host);
  }

  static AtomicCell of(SharedArray array, int index) {
    Objects.checkIndex(index, array.length());
    long at = (long) index * array.elementBytes();
    return new AtomicCell(
        array.data(),
        at,
        0,
        null,
        DeviceThread.accessesAtomically(
            array.storage(), array.firstByte() + (int) at, array.elementBytes()),
        true,
        array.elementBytes(),
        null);
  }

  private void changes(boolean holds, long old) {
    if (isShared) {
      if (holds) {
        DeviceThread.changes();
      }
    } else if (holds) {
      DeviceThread.changes(address, old);
    } else {
      looks();
    }
  }

  private void looks() {
    if (!isShared) {
      DeviceThread.looks(address, this::content);
    }
  }

  /** Adds floats as a GPU does in global memory, where subnormal numbers count as zero. */
  static float flushedSum(float a, float b) {
    return flushed(flushed(a) + flushed(b));
  }

  private static float flushed(float value) {
    return Math.abs(value) < Float.MIN_NORMAL ? Math.copySign(0f, value) : value;
  }

  private long content() {
    return switch (bytes) {
      case Long.BYTES -> (long) LONG.getVolatile(memory, at);
      case Integer.BYTES -> (int) INT.getVolatile(memory, at);
      case Short.BYTES -> memory.get(ValueLayout.JAVA_SHORT, at);
      default -> memory.get(ValueLayout.JAVA_BYTE, at);
    };
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
    changes(old != value, old);
    written(Integer.BYTES);
    boolean replaced = INT.compareAndSet(memory, at, old, value);
    hasUpdated();
    return replaced;
  }

  boolean replaceLong(long old, long value) {
    changes(old != value, old);
    written(Long.BYTES);
    boolean same = isShared ? ownLong() == old : LONG.compareAndSet(memory, at, old, value);
    if (isShared && same) {
      setOwn(value);
    }
    hasUpdated();
    return same;
  }

  int addInt(int value) {
    changes(value != 0, isShared ? 0 : content());
    written(Integer.BYTES);
    return updated((int) INT.getAndAdd(memory, at, value));
  }

  long addLong(long value) {
    changes(value != 0, isShared ? 0 : content());
    written(Long.BYTES);
    return updated(isShared ? setOwn(ownLong() + value) : (long) LONG.getAndAdd(memory, at, value));
  }

  int andInt(int mask) {
    written(Integer.BYTES);
    int old = (int) INT.getAndBitwiseAnd(memory, at, mask);
    changes(old != (old & mask), old);
    return updated(old);
  }

  long andLong(long mask) {
    written(Long.BYTES);
    long old = isShared ? setOwn(ownLong() & mask) : (long) LONG.getAndBitwiseAnd(memory, at, mask);
    changes(old != (old & mask), old);
    return updated(old);
  }

  int orInt(int mask) {
    written(Integer.BYTES);
    int old = (int) INT.getAndBitwiseOr(memory, at, mask);
    changes(old != (old | mask), old);
    return updated(old);
  }

  long orLong(long mask) {
    written(Long.BYTES);
    long old = isShared ? setOwn(ownLong() | mask) : (long) LONG.getAndBitwiseOr(memory, at, mask);
    changes(old != (old | mask), old);
    return updated(old);
  }

  int xorInt(int mask) {
    written(Integer.BYTES);
    int old = (int) INT.getAndBitwiseXor(memory, at, mask);
    changes(old != (old ^ mask), old);
    return updated(old);
  }

  long xorLong(long mask) {
    written(Long.BYTES);
    long old = isShared ? setOwn(ownLong() ^ mask) : (long) LONG.getAndBitwiseXor(memory, at, mask);
    changes(old != (old ^ mask), old);
    return updated(old);
  }

  int exchangeInt(int value) {
    written(Integer.BYTES);
    int old = (int) INT.getAndSet(memory, at, value);
    changes(old != value, old);
    return updated(old);
  }

  long exchangeLong(long value) {
    written(Long.BYTES);
    long old = isShared ? setOwn(value) : (long) LONG.getAndSet(memory, at, value);
    changes(old != value, old);
    return updated(old);
  }

  int compareAndExchangeInt(int expected, int value) {
    exchanged(Integer.BYTES);
    int old = (int) INT.compareAndExchange(memory, at, expected, value);
    changes(old == expected && old != value, old);
    return updated(old);
  }

  long compareAndExchangeLong(long expected, long value) {
    exchanged(Long.BYTES);
    long old = isShared ? ownLong() : (long) LONG.compareAndExchange(memory, at, expected, value);
    if (isShared && old == expected) {
      setOwn(value);
    }
    changes(old == expected && old != value, old);
    return updated(old);
  }

  int acquireInt() {
    looks();
    int value = (int) INT.getAcquire(memory, at);
    acquired();
    return value;
  }

  long acquireLong() {
    looks();
    long value = isShared ? ownLong() : (long) LONG.getAcquire(memory, at);
    acquired();
    return value;
  }

  private void acquired() {
    if (host != null) {
      host.looksAtHost(at, bytes, true);
    }
    if (access != null) {
      access.loads();
    }
  }

  private void releases() {
    changes(true, isShared ? 0 : content());
    if (host != null) {
      host.publish();
    }
    if (access != null) {
      access.stores();
    }
    if (watched != null) {
      watched.storedAtomically(at, bytes);
    }
  }

  /** Called after an operation that has read and written. */
  private void hasUpdated() {
    hasStored();
    if (access != null) {
      access.hasUpdated();
    }
  }

  /** The launch sees what it has changed in the host's memory itself. */
  private void hasStored() {
    if (host != null) {
      host.looksAtHost(at, bytes, false);
    }
  }

  private int updated(int old) {
    hasUpdated();
    return old;
  }

  private long updated(long old) {
    hasUpdated();
    return old;
  }

  void releaseInt(int value) {
    releases();
    INT.setRelease(memory, at, value);
    hasStored();
  }

  void releaseLong(long value) {
    releases();
    if (isShared) {
      setOwn(value);
    } else {
      LONG.setRelease(memory, at, value);
    }
    hasStored();
  }

  private void exchanged(int bytes) {
    if (access != null) {
      access.exchanges();
    }
    if (watched != null) {
      watched.storedAtomically(at, bytes);
    }
  }

  private void written(int bytes) {
    if (access != null) {
      access.updates();
    }
    if (watched != null) {
      watched.storedAtomically(at, bytes);
    }
  }
}
