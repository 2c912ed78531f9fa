package dev.stretto.driver.virtual;

import dev.stretto.process.SharedFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one device. Its addresses are not host addresses: bits 50 to 62 are set such that
 * no processor accepts one as an address, whether addresses have 48 or 57 bits or the top byte is
 * ignored. No address is given out twice before a petabyte of addresses has been used, so that
 * freed memory stays recognizable.
 */
final class DeviceSpace {
  private static final long BASE = 0x7F00_0000_0000_0000L;
  private static final int ORDINAL_SHIFT = 50;

  /** The most devices, each of which has its own address space. */
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

  /** {@return the ordinal of the device in whose space an address lies, open or not, or -1} */
  static int ordinal(long address) {
    return isDeviceAddress(address) ? (int) ((address - BASE) >> ORDINAL_SHIFT) - 1 : -1;
  }

  /** {@return the allocation that contains a byte, or null} */
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

  /** Allocates out of a pool at once. */
  long allocateFrom(Pool pool, long bytes) {
    return allocate("cuMemAllocFromPoolAsync", bytes, pool, null, 0);
  }

  /** Allocates memory that lies in no pool of the modelled device. */
  long allocateUnpooled(long bytes, Pool counts) {
    lock.lock();
    try {
      long address = allocate(bytes, counts);
      Objects.requireNonNull(live.get(address)).isPooled = false;
      return address;
    } finally {
      lock.unlock();
    }
  }

  /** Allocates memory that other processes can map. */
  long allocateShared(long bytes, Pool counts) {
    if (bytes < 1) {
      throw CudaResult.INVALID_VALUE.of("cuMemAlloc", bytes + " bytes; at least 1 is needed");
    }
    lock.lock();
    try {
      long rounded = rounded(bytes);
      requireRoom("cuMemAlloc", bytes, rounded);
      long address = put(new SharedAllocation(file("cuMemAlloc", bytes), bytes), counts);
      used += rounded;
      counts.took(rounded);
      return address;
    } finally {
      lock.unlock();
    }
  }

  private static SharedFile file(String call, long bytes) {
    SharedFile file;
    try {
      file = SharedFile.create(bytes);
    } catch (IOException | OutOfMemoryError e) {
      throw CudaResult.OUT_OF_MEMORY.of(
          call, "no file of %d bytes can stand for the memory: %s".formatted(bytes, e));
    }
    Poison.fresh(file.memory());
    return file;
  }

  private record SharedAllocation(SharedFile file, long bytes) {}

  private long put(SharedAllocation shared, Pool counts) {
    long rounded = rounded(shared.bytes);
    long address = vacant(rounded);
    live.put(address, new Allocation(address, shared.bytes, shared.file, counts));
    next = address + rounded + ALIGNMENT;
    return address;
  }

  /** {@return what opens memory of {@link #allocateShared} in other processes} */
  byte[] export(long address) {
    return export("cuIpcGetMemHandle", address, false);
  }

  /** {@return the same for memory out of a pool that other processes can open} */
  byte[] exportPooled(long address) {
    return export("cuMemPoolExportPointer", address, true);
  }

  private byte[] export(String call, long address, boolean isPooled) {
    lock.lock();
    try {
      Allocation allocation = live.get(address);
      SharedFile file = allocation == null ? null : allocation.shared();
      if (allocation == null || file == null || !file.isOwn() || allocation.isPooled != isPooled) {
        throw CudaResult.INVALID_VALUE.of(
            call, "no memory that can be shared begins at " + name(address));
      }
      return SharedMemoryHandle.of(file.path(), allocation.bytes());
    } finally {
      lock.unlock();
    }
  }

  /** Maps memory of another process, which counts for that one. */
  long open(byte[] handle, Pool counts) {
    SharedMemoryHandle known = SharedMemoryHandle.read(handle);
    lock.lock();
    try {
      return put(new SharedAllocation(known.open(), known.bytes()), counts);
    } finally {
      lock.unlock();
    }
  }

  /** Maps memory of another process's pool. */
  long openPooled(byte[] handle, Pool pool) {
    lock.lock();
    try {
      long address = open(handle, pool);
      Allocation opened = Objects.requireNonNull(live.get(address));
      opened.isPooled = true;
      pool.took(counted(opened));
      return address;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the use of memory of {@link #openPooled}. */
  void closePooled(long address) {
    Allocation gone = close("cuMemFreeAsync", address, true);
    gone.pool().gave(counted(gone));
  }

  /** Ends the use of memory of {@link #open}. */
  void closeShared(long address) {
    Allocation _ = close("cuIpcCloseMemHandle", address, false);
  }

  private Allocation close(String call, long address, boolean isPooled) {
    Allocation gone;
    lock.lock();
    try {
      gone = live.get(address);
      SharedFile file = gone == null ? null : gone.shared();
      if (gone == null || file == null || file.isOwn() || gone.isPooled != isPooled) {
        throw CudaResult.INVALID_VALUE.of(
            call, "no memory of another process begins at " + name(address));
      }
      live.remove(address);
    } finally {
      lock.unlock();
    }
    gone.release();
    return gone;
  }

  /** {@return whether an address lies in memory of a pool} */
  boolean isPooled(long address) {
    lock.lock();
    try {
      Map.Entry<Long, Allocation> entry = live.floorEntry(address);
      return entry != null && entry.getValue().isPooled;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Allocates memory that may be used once a stream has reached the allocation: until {@link
   * #arrive}, operations that access the memory get an error.
   *
   * @param stream the stream's name
   * @param claimed how many of the bytes still count as used but will have been freed by then
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
      long needed = rounded < 0 ? rounded : Math.max(0, rounded - claimed);
      pool.requireRoom(call, bytes, needed);
      requireRoom(call, bytes, needed);
      long address = vacant(rounded);
      Allocation allocation =
          pool.shared() == null
              ? backed(call, address, bytes, pool)
              : mapped(address, bytes, file(call, bytes), pool);
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

  private Allocation backed(String call, long address, long bytes, Pool pool) {
    long host = NativeHeap.allocate(bytes);
    if (host == 0) {
      throw CudaResult.OUT_OF_MEMORY.of(
          call,
          "virtual device %d has %d bytes free, but this machine has no %d bytes to back them"
              .formatted(ordinal, capacity - used, bytes));
    }
    return new Allocation(address, bytes, host, pool);
  }

  private static Allocation mapped(long address, long bytes, SharedFile file, Pool pool) {
    Allocation allocation = new Allocation(address, bytes, file, pool);
    allocation.isPooled = true;
    return allocation;
  }

  private void requireRoom(String call, long bytes, long needed) {
    if (needed < 0 || needed > capacity - used) {
      throw CudaResult.OUT_OF_MEMORY.of(
          call,
          "%d bytes are requested, %d of the %d bytes of virtual device %d are free"
              .formatted(bytes, capacity - used, capacity, ordinal));
    }
  }

  /** {@return how many bytes are missing for an allocation, or 0 or less} */
  long shortage(long bytes, Pool pool) {
    lock.lock();
    try {
      return rounded(bytes) - Math.min(pool.room(), capacity - used);
    } finally {
      lock.unlock();
    }
  }

  /** Notes that the stream has reached the allocation, so that the memory may be used. */
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
   * Notes that memory is going to be freed in the order of a stream; no later call may use it.
   *
   * @return the memory, which counts for {@link #counted} bytes
   */
  Allocation beginFree(String call, long address, String stream) {
    lock.lock();
    try {
      Allocation allocation = live.get(address);
      if (allocation == null) {
        throw CudaResult.INVALID_VALUE.of(call, "no allocation begins at " + name(address));
      }
      if (!allocation.isCounted()) {
        throw CudaResult.INVALID_VALUE.of(
            call, "the memory at " + name(address) + " belongs to another process");
      }
      requireStaying(call, allocation);
      allocation.leaving = stream;
      return allocation;
    } finally {
      lock.unlock();
    }
  }

  /** {@return the bytes for which memory counts} */
  static long counted(Allocation allocation) {
    return rounded(allocation.bytes());
  }

  /**
   * Frees memory when the stream has reached the free.
   *
   * @param claimed how many of the bytes a later allocation has already claimed
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
      if (allocation != null && !allocation.isCounted()) {
        throw CudaResult.INVALID_VALUE.of(
            "cuMemFree", "the memory at " + name(address) + " belongs to another process");
      }
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
      if (gone != null && gone.isCounted()) {
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
          "the %d bytes at %s are already freed in the order of %s"
              .formatted(allocation.bytes(), name(allocation.address()), allocation.leaving));
    }
  }

  private static void requireThere(String call, Allocation allocation, CudaResult result) {
    if (allocation.awaited != null) {
      throw result.of(
          call,
          ("the %d bytes at %s are used before they are allocated: %s has not reached their"
               + " allocation; operations that use them on another stream have to wait for an event"
               + " that was recorded there after it")
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

  /** {@return how many allocations are live} */
  int count() {
    lock.lock();
    try {
      return live.size();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Holds the allocation that contains all of these bytes; the caller has to release it.
   *
   * @param result the result to report if there is none, for a wrong argument or for running work
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
   * Reports a range that no live allocation contains, for a call that enqueues work. The range may
   * be in memory that is yet to be allocated, but not in memory that is going to be freed before
   * the work.
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
      return name(address) + " is a host address; a device address is needed here";
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
    return "no live allocation of virtual device %d contains %s (%d bytes); it was freed or never allocated"
        .formatted(ordinal, name(address), bytes);
  }

  /**
   * {@return the next free address} A gap stays before it, so that accesses beyond an end are
   * noticed.
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
