package dev.stretto.driver.virtual;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The pinned host memory. As with CUDA's unified addressing, memory pinned through one device is
 * pinned for all.
 */
final class HostSpace {
  private static final long PAGE = 4096;

  /** A limit for addresses of a user process, even with 57-bit addresses. */
  private static final long HIGHEST = 1L << 56;

  private final long budget;
  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<Long, HostRange> live = new TreeMap<>();
  private long used;

  /**
   * Creates a host without pinned memory.
   *
   * @param budget how many bytes of pinned memory may be allocated
   */
  HostSpace(long budget) {
    this.budget = budget;
  }

  /** Allocates pinned memory, page-aligned and all zero. */
  long allocate(PrimaryContext owner, long bytes) {
    if (bytes < 1) {
      throw CudaResult.INVALID_VALUE.of("cuMemHostAlloc", bytes + " bytes; at least 1 is needed");
    }
    lock.lock();
    try {
      if (bytes > budget - used) {
        throw CudaResult.OUT_OF_HOST_MEMORY.of(
            "cuMemHostAlloc",
            "%d bytes are requested, %d of %d bytes may still be pinned"
                .formatted(bytes, budget - used, budget));
      }
      used += bytes;
    } finally {
      lock.unlock();
    }
    long heap = bytes > HIGHEST ? 0 : NativeHeap.allocate(bytes + PAGE);
    if (heap == 0) {
      giveBack(bytes);
      throw CudaResult.OUT_OF_HOST_MEMORY.of(
          "cuMemHostAlloc", "the host has no " + bytes + " bytes left to pin");
    }
    long address = (heap + PAGE - 1) & -PAGE;
    MemorySegment _ = NativeHeap.view(address, bytes).fill((byte) 0);
    lock.lock();
    try {
      live.put(address, HostRange.pinned(owner, address, bytes, heap));
    } finally {
      lock.unlock();
    }
    return address;
  }

  /** Frees pinned memory. */
  void free(long address) {
    HostRange gone = remove("cuMemFreeHost", address, false, CudaResult.INVALID_VALUE);
    giveBack(gone.bytes());
    gone.release();
  }

  /** Pins the program's memory. */
  void register(PrimaryContext owner, long address, long bytes) {
    register(HostRange.registered(owner, address, bytes));
  }

  /** Pins the program's memory, of which devices only read. */
  void registerReadOnly(PrimaryContext owner, long address, long bytes) {
    register(HostRange.readOnly(owner, address, bytes));
  }

  /** Pins memory in which other processes write. */
  void registerShared(PrimaryContext owner, long address, long bytes) {
    register(HostRange.shared(owner, address, bytes));
  }

  private void register(HostRange range) {
    long address = range.address();
    long bytes = range.bytes();
    checkHost("cuMemHostRegister", address, bytes);
    lock.lock();
    try {
      HostRange before = neighbour(address + bytes);
      if (before != null && before.address() + before.bytes() > address) {
        throw CudaResult.HOST_MEMORY_ALREADY_REGISTERED.of(
            "cuMemHostRegister",
            "%d bytes at %s overlap the %d bytes at %s, which are %s"
                .formatted(
                    bytes,
                    DeviceSpace.name(address),
                    before.bytes(),
                    DeviceSpace.name(before.address()),
                    before.isRegistered() ? "registered" : "pinned"));
      }
      live.put(address, range);
    } finally {
      lock.unlock();
    }
  }

  /** Ends {@link #register}; waits while an operation accesses the range. */
  void unregister(long address) {
    HostRange gone =
        remove("cuMemHostUnregister", address, true, CudaResult.HOST_MEMORY_NOT_REGISTERED);
    gone.release();
    gone.awaitDiscarded();
  }

  /** Frees and unregisters all memory that belongs to a context. */
  void freeAll(PrimaryContext owner) {
    List<HostRange> gone;
    lock.lock();
    try {
      gone = new ArrayList<>(live.values());
      gone.removeIf(range -> range.owner() != owner);
      gone.forEach(range -> live.remove(range.address()));
      gone.forEach(range -> used -= range.isRegistered() ? 0 : range.bytes());
    } finally {
      lock.unlock();
    }
    gone.forEach(Backing::release);
  }

  /** {@return how many ranges of a context are live} */
  int count(PrimaryContext owner, boolean registered) {
    lock.lock();
    try {
      return (int)
          live.values().stream()
              .filter(range -> range.owner() == owner && range.isRegistered() == registered)
              .count();
    } finally {
      lock.unlock();
    }
  }

  /**
   * {@return the range that contains all of these bytes, or null if not all are pinned} The caller
   * has to release it.
   */
  @Nullable HostRange retain(long address, long bytes) {
    lock.lock();
    try {
      HostRange range = neighbour(address + 1);
      if (range == null || !range.holds(address, bytes)) {
        return null;
      }
      range.retain();
      return range;
    } finally {
      lock.unlock();
    }
  }

  /** {@return the range that contains a byte, or null} */
  @Nullable HostRange find(long address) {
    lock.lock();
    try {
      HostRange range = neighbour(address + 1);
      return range != null && range.holds(address, 1) ? range : null;
    } finally {
      lock.unlock();
    }
  }

  /** {@return whether all of these bytes are pinned} */
  boolean isPinned(long address, long bytes) {
    HostRange range = retain(address, bytes);
    if (range == null) {
      return false;
    }
    range.release();
    return true;
  }

  /**
   * Refuses to write where some memory is registered as read-only. A GPU would fault while it
   * copies, or write to memory that the program believes unchanged.
   */
  void checkWritten(String call, long address, long bytes) {
    HostRange last = lastBefore(address + bytes);
    if (last != null && last.isReadOnly() && last.address() + last.bytes() > address) {
      throw CudaResult.INVALID_VALUE.of(
          call,
          "%d bytes at %s are to be written, and the %d bytes at %s are registered as read-only"
              .formatted(
                  bytes,
                  DeviceSpace.name(address),
                  last.bytes(),
                  DeviceSpace.name(last.address())));
    }
  }

  private @Nullable HostRange lastBefore(long address) {
    lock.lock();
    try {
      return neighbour(address);
    } finally {
      lock.unlock();
    }
  }

  /** Refuses a range that cannot be host memory. */
  static void checkHost(String call, long address, long bytes) {
    if (DeviceSpace.isDeviceAddress(address)) {
      throw CudaResult.INVALID_VALUE.of(
          call, DeviceSpace.name(address) + " is a device address; a host address is needed here");
    }
    if (address < PAGE || bytes < 1 || bytes > HIGHEST || address > HIGHEST - bytes) {
      throw CudaResult.INVALID_VALUE.of(
          call, "%d bytes at %s are not host memory".formatted(bytes, DeviceSpace.name(address)));
    }
  }

  /** {@return the last range that begins before an address} */
  private @Nullable HostRange neighbour(long address) {
    Map.Entry<Long, HostRange> entry = live.lowerEntry(address);
    return entry == null ? null : entry.getValue();
  }

  private HostRange remove(String call, long address, boolean registered, CudaResult unknown) {
    lock.lock();
    try {
      HostRange range = live.get(address);
      if (range == null || range.isRegistered() != registered) {
        throw unknown.of(
            call,
            DeviceSpace.name(address)
                + (range == null ? " does not begin a" : " begins another kind of")
                + " pinned range");
      }
      live.remove(address);
      return range;
    } finally {
      lock.unlock();
    }
  }

  private void giveBack(long bytes) {
    lock.lock();
    try {
      used -= bytes;
    } finally {
      lock.unlock();
    }
  }
}
