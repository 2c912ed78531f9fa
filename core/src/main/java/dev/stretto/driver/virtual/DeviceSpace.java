package dev.stretto.driver.virtual;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one device. Its addresses are none of the host's: bits 50 to 62 are set such that
 * no processor takes one for an address of its own, neither with 48 nor with 57 bits, nor with the
 * top byte ignored. An address is not given out twice until the space of a petabyte has been used
 * up, so that what was freed stays recognizable.
 */
final class DeviceSpace {
  private static final long BASE = 0x7F00_0000_0000_0000L;
  private static final int ORDINAL_SHIFT = 50;

  /** How many devices have a space of their own. */
  static final int MAX_DEVICES = 62;

  private static final long ALIGNMENT = 512;

  private final int ordinal;
  private final long start;
  private final long end;
  private final long capacity;
  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<Long, Allocation> live = new TreeMap<>();
  private long next;
  private long used;

  DeviceSpace(int ordinal, long capacity) {
    this.ordinal = ordinal;
    this.capacity = capacity;
    this.start = BASE + ((ordinal + 1L) << ORDINAL_SHIFT);
    this.end = start + (1L << ORDINAL_SHIFT);
    this.next = start;
  }

  /** {@return whether the address lies in the space of any virtual device} */
  static boolean isDeviceAddress(long address) {
    return address >= BASE;
  }

  /** {@return in which device's space an address lies, open or not, or -1} */
  static int ordinal(long address) {
    return isDeviceAddress(address) ? (int) ((address - BASE) >> ORDINAL_SHIFT) - 1 : -1;
  }

  /** {@return the allocation that has a byte, or null} */
  @Nullable Backing find(long address) {
    lock.lock();
    try {
      Map.Entry<Long, Allocation> entry = live.floorEntry(address);
      return entry != null && entry.getValue().holds(address, 1) ? entry.getValue() : null;
    } finally {
      lock.unlock();
    }
  }

  /** Allocates at once. */
  long allocate(long bytes, Pool pool) {
    return allocate("cuMemAlloc", bytes, pool, null, 0);
  }

  /**
   * Allocates from the moment on at which a stream comes to it: until {@link #arrive}, operations
   * that touch the memory are told so.
   *
   * @param stream its name
   * @param claimed bytes of it that are counted as used and will have been freed by then
   */
  long allocateInOrder(String call, long bytes, Pool pool, String stream, long claimed) {
    return allocate(call, bytes, pool, stream, claimed);
  }

  private long allocate(String call, long bytes, Pool pool, @Nullable String stream, long claimed) {
    if (bytes < 1) {
      throw CudaResult.INVALID_VALUE.of(call, bytes + " bytes; at least 1 is needed");
    }
    lock.lock();
    try {
      long rounded = rounded(bytes);
      if (rounded < 0 || rounded - claimed > capacity - used) {
        throw CudaResult.OUT_OF_MEMORY.of(
            call,
            "%d bytes are asked for, %d of the %d bytes of virtual device %d are free"
                .formatted(bytes, capacity - used, capacity, ordinal));
      }
      long host = NativeHeap.allocate(bytes);
      if (host == 0) {
        throw CudaResult.OUT_OF_MEMORY.of(
            call,
            "virtual device %d has %d bytes free, but this machine has no %d bytes to stand for them"
                .formatted(ordinal, capacity - used, bytes));
      }
      long address = vacant(rounded);
      Allocation allocation = new Allocation(address, bytes, host, pool);
      allocation.awaited = stream;
      live.put(address, allocation);
      used += rounded - claimed;
      pool.took(rounded - claimed);
      next = address + rounded + ALIGNMENT;
      return address;
    } finally {
      lock.unlock();
    }
  }

  /** {@return how many bytes are missing for an allocation, or 0 or less} */
  long shortage(long bytes) {
    lock.lock();
    try {
      return rounded(bytes) - (capacity - used);
    } finally {
      lock.unlock();
    }
  }

  /** The stream has come to the allocation: the memory may be used. */
  void arrive(long address) {
    lock.lock();
    try {
      Allocation allocation = live.get(address);
      if (allocation != null) {
        allocation.awaited = null;
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Notes that memory is to be freed in the order of a stream: no further call may name it.
   *
   * @return what it counts as
   */
  long beginFree(String call, long address, String stream) {
    lock.lock();
    try {
      Allocation allocation = live.get(address);
      if (allocation == null) {
        throw CudaResult.INVALID_VALUE.of(call, "no allocation begins at " + name(address));
      }
      requireStaying(call, allocation);
      allocation.leaving = stream;
      return rounded(allocation.bytes());
    } finally {
      lock.unlock();
    }
  }

  /**
   * The stream has come to the free.
   *
   * @param claimed bytes that a later allocation has already counted on
   */
  void freeInOrder(long address, long claimed) {
    Allocation gone = take(address, claimed);
    if (gone != null) {
      gone.release();
    }
  }

  /** Frees at once. */
  void free(long address) {
    lock.lock();
    try {
      Allocation allocation = live.get(address);
      if (allocation != null) {
        requireStaying("cuMemFree", allocation);
        requireThere("cuMemFree", allocation, CudaResult.INVALID_VALUE);
      }
    } finally {
      lock.unlock();
    }
    Allocation gone = take(address, 0);
    if (gone == null) {
      throw CudaResult.INVALID_VALUE.of("cuMemFree", "no allocation begins at " + name(address));
    }
    gone.release();
  }

  private @Nullable Allocation take(long address, long claimed) {
    lock.lock();
    try {
      Allocation gone = live.remove(address);
      if (gone != null) {
        long freed = rounded(gone.bytes()) - claimed;
        used -= freed;
        gone.pool().gave(freed);
      }
      return gone;
    } finally {
      lock.unlock();
    }
  }

  private static void requireStaying(String call, Allocation allocation) {
    if (allocation.leaving != null) {
      throw CudaResult.INVALID_VALUE.of(
          call,
          "the %d bytes at %s are freed in the order of %s already"
              .formatted(allocation.bytes(), name(allocation.address()), allocation.leaving));
    }
  }

  private static void requireThere(String call, Allocation allocation, CudaResult result) {
    if (allocation.awaited != null) {
      throw result.of(
          call,
          ("the %d bytes at %s are used before they are allocated: %s has not come to their"
               + " allocation; whatever uses them on another stream has to wait for an event that"
               + " was recorded there behind it")
              .formatted(allocation.bytes(), name(allocation.address()), allocation.awaited));
    }
  }

  /** Frees everything. */
  void freeAll() {
    List<Allocation> gone;
    lock.lock();
    try {
      gone = new ArrayList<>(live.values());
      live.clear();
      used = 0;
    } finally {
      lock.unlock();
    }
    gone.forEach(Backing::release);
  }

  /** {@return how many bytes are free} */
  long freeBytes() {
    lock.lock();
    try {
      return capacity - used;
    } finally {
      lock.unlock();
    }
  }

  /** {@return how many allocations live} */
  int count() {
    lock.lock();
    try {
      return live.size();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Holds the allocation that has all these bytes, for the caller to release.
   *
   * @param result what to report if there is none: the call's value was wrong, or running work went
   *     astray
   */
  Backing retain(String call, long address, long bytes, CudaResult result) {
    lock.lock();
    try {
      Allocation allocation = holding(call, address, bytes, result);
      requireThere(call, allocation, result);
      allocation.retain();
      return allocation;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Reports a range that no live allocation has, for a call that enqueues something: it may be of
   * memory that is still to be allocated, and not of memory that is to be freed before.
   */
  void check(String call, long address, long bytes) {
    lock.lock();
    try {
      requireStaying(call, holding(call, address, bytes, CudaResult.INVALID_VALUE));
    } finally {
      lock.unlock();
    }
  }

  private Allocation holding(String call, long address, long bytes, CudaResult result) {
    Map.Entry<Long, Allocation> entry = live.floorEntry(address);
    if (entry == null || !entry.getValue().holds(address, bytes)) {
      throw result.of(call, astray(address, bytes));
    }
    return entry.getValue();
  }

  private String astray(long address, long bytes) {
    if (!isDeviceAddress(address)) {
      return name(address) + " is a host address; a device address belongs here";
    }
    if (address < start || address >= end) {
      return "%s is an address of virtual device %d; this is device %d, which has no access to it"
          .formatted(name(address), ordinal(address), ordinal);
    }
    Map.Entry<Long, Allocation> entry = live.floorEntry(address);
    if (entry != null && address - entry.getKey() < entry.getValue().bytes()) {
      return "%d bytes at %s end %d bytes past their allocation of %d bytes at %s"
          .formatted(
              bytes,
              name(address),
              address + bytes - entry.getKey() - entry.getValue().bytes(),
              entry.getValue().bytes(),
              name(entry.getKey()));
    }
    return "no live allocation of virtual device %d holds %s (%d bytes); it was freed or never given out"
        .formatted(ordinal, name(address), bytes);
  }

  /**
   * {@return the next address at which nothing lives; a gap stays before it, so that running over
   * an end is noticed}
   */
  private long vacant(long rounded) {
    long candidate = next;
    while (true) {
      if (candidate + rounded > end) {
        candidate = start;
      }
      Map.Entry<Long, Allocation> before = live.lowerEntry(candidate + rounded);
      if (before == null || before.getKey() + before.getValue().bytes() <= candidate) {
        return candidate;
      }
      candidate = before.getKey() + rounded(before.getValue().bytes()) + ALIGNMENT;
    }
  }

  private static long rounded(long bytes) {
    return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
  }

  static String name(long address) {
    return "0x" + Long.toHexString(address);
  }
}
