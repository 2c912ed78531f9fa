package dev.stretto.driver.virtual;

import java.lang.foreign.MemorySegment;

/** A range of host memory that the device accesses without staging. */
final class HostRange extends Backing {
  private final PrimaryContext owner;
  private final boolean registered;
  private final long heapAddress;

  /** Whether other processes write in it. */
  private boolean isShared;

  /** Whether devices only read it. */
  private boolean isReadOnly;

  private boolean discarded;

  private HostRange(
      PrimaryContext owner, boolean registered, long address, long bytes, long heapAddress) {
    super(address, bytes);
    this.owner = owner;
    this.registered = registered;
    this.heapAddress = heapAddress;
  }

  /** {@return memory that the driver allocated} */
  static HostRange pinned(PrimaryContext owner, long address, long bytes, long heapAddress) {
    return new HostRange(owner, false, address, bytes, heapAddress);
  }

  /** {@return memory of the program that was registered} */
  static HostRange registered(PrimaryContext owner, long address, long bytes) {
    return new HostRange(owner, true, address, bytes, 0);
  }

  /** {@return memory of the program that was registered, of which devices only read} */
  static HostRange readOnly(PrimaryContext owner, long address, long bytes) {
    HostRange range = registered(owner, address, bytes);
    range.isReadOnly = true;
    return range;
  }

  /** {@return memory that was registered and in which other processes write} */
  static HostRange shared(PrimaryContext owner, long address, long bytes) {
    HostRange range = registered(owner, address, bytes);
    range.isShared = true;
    return range;
  }

  /** {@return whether other processes write in it} */
  boolean isShared() {
    return isShared;
  }

  /** {@return whether devices only read it} */
  boolean isReadOnly() {
    return isReadOnly;
  }

  PrimaryContext owner() {
    return owner;
  }

  boolean isRegistered() {
    return registered;
  }

  /**
   * Waits until no running operation holds the range. The memory belongs to the program, which may
   * unmap it next.
   */
  synchronized void awaitDiscarded() {
    boolean interrupted = false;
    while (!discarded) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  MemorySegment read(long offset, long count) {
    MemorySegment view = NativeHeap.view(address() + offset, count);
    return isReadOnly ? view.asReadOnly() : view;
  }

  @Override
  MemorySegment overwrite(long offset, long count) {
    return read(offset, count);
  }

  @Override
  void discard() {
    if (registered) {
      synchronized (this) {
        discarded = true;
        notifyAll();
      }
    } else {
      // Not poisoned: no operation holds it any more, and the next owner of the bytes writes them.
      NativeHeap.release(heapAddress);
    }
  }
}
