package dev.stretto.route;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run of pinned host memory, allocated or registered. It is released after the last copy that
 * uses it.
 */
public final class PinnedBlock extends Resource {
  /** Who allocated the memory, and how. */
  private enum Sort {
    ALLOCATED,
    WRITE_COMBINED,
    REGISTERED,
    REGISTERED_READ_ONLY
  }

  private final Pinned owner;
  private final long address;
  private final long byteSize;
  private final Sort sort;
  private final boolean zero;
  private final @Nullable PinnedLeases lender;
  private boolean leaving;

  /** What kernels address of it; guarded by the list. */
  private final List<Resource> views = new ArrayList<>();

  /** A block of which nothing is known but that the driver allocated it. */
  PinnedBlock(Pinned owner, long address, long byteSize) {
    this(owner, address, byteSize, Sort.ALLOCATED, false, null);
  }

  /**
   * A block that the program allocated.
   *
   * @param readOnly whether devices only read it
   */
  static PinnedBlock registered(Pinned owner, long address, long byteSize, boolean readOnly) {
    Sort sort = readOnly ? Sort.REGISTERED_READ_ONLY : Sort.REGISTERED;
    return new PinnedBlock(owner, address, byteSize, sort, false, null);
  }

  /** A block of which nobody has written anything since the driver allocated it. */
  static PinnedBlock allocated(Pinned owner, long address, long byteSize) {
    return new PinnedBlock(owner, address, byteSize, Sort.ALLOCATED, true, null);
  }

  /** The same for a block that is write-combined. */
  static PinnedBlock writeCombined(Pinned owner, long address, long byteSize) {
    return new PinnedBlock(owner, address, byteSize, Sort.WRITE_COMBINED, true, null);
  }

  /** A block that goes back to a lender. */
  PinnedBlock(Pinned owner, long address, long byteSize, PinnedLeases lender) {
    this(owner, address, byteSize, Sort.ALLOCATED, false, lender);
  }

  private PinnedBlock(
      Pinned owner,
      long address,
      long byteSize,
      Sort sort,
      boolean zero,
      @Nullable PinnedLeases lender) {
    this.owner = owner;
    this.address = address;
    this.byteSize = byteSize;
    this.sort = sort;
    this.zero = zero;
    this.lender = lender;
  }

  /** {@return the lender to which it goes back rather than to the driver, or null} */
  @Nullable PinnedLeases lender() {
    return lender;
  }

  /** {@return the host address of the first byte} */
  public long address() {
    return address;
  }

  /** {@return the size in bytes} */
  public long byteSize() {
    return byteSize;
  }

  /** {@return whether the host reads it very slowly} */
  public boolean isWriteCombined() {
    return sort == Sort.WRITE_COMBINED;
  }

  /** {@return how many bytes are pinned for it: whole pages} */
  long pinnedBytes() {
    return isRegistered() ? HostPages.around(address, byteSize) : HostPages.whole(byteSize);
  }

  /**
   * A thread that registers the memory again waits for this from the moment at which the block is
   * closed. Until the release has been submitted, that wait counts as one for work that steps do
   * not bring about.
   */
  @Override
  public boolean closeAfterLastUse() {
    DriverLock lock = device().lock;
    lock.beginElsewhere();
    try {
      boolean closed = super.closeAfterLastUse();
      closeViews();
      return closed;
    } finally {
      lock.endElsewhere();
    }
  }

  /**
   * Keeps the memory until a view of it is released; the view is closed together with it.
   *
   * @return false if the memory is closed
   */
  boolean lend(Resource view) {
    synchronized (views) {
      if (!isOpen() || !hold()) {
        return false;
      }
      views.add(view);
    }
    view.whenReleased(
        () -> {
          synchronized (views) {
            views.remove(view);
          }
          letGo();
        });
    return true;
  }

  private void closeViews() {
    List<Resource> open;
    synchronized (views) {
      open = List.copyOf(views);
    }
    open.forEach(Resource::closeAfterLastUse);
  }

  /** {@return the device that pinned it and unpins it} */
  DeviceState device() {
    return owner.device();
  }

  /** Whether some of these bytes belong to the block. */
  boolean overlaps(long otherAddress, long otherBytes) {
    return address < otherAddress + otherBytes && otherAddress < address + byteSize;
  }

  /** Whether it overlaps one of these pages. */
  boolean sharesPage(long pages, long bytesOfPages) {
    long begin = HostPages.begin(address);
    return begin < pages + bytesOfPages && pages < begin + HostPages.around(address, byteSize);
  }

  /**
   * Begins to unpin registered memory, or to pass it on as it is to a new registration.
   *
   * @return false if another thread has begun that
   */
  synchronized boolean leave() {
    boolean first = !leaving;
    leaving = true;
    return first;
  }

  /** {@return whether the program allocated the memory, and it was pinned later} */
  public boolean isRegistered() {
    return sort == Sort.REGISTERED || isReadOnly();
  }

  /** {@return whether devices only read it} */
  public boolean isReadOnly() {
    return sort == Sort.REGISTERED_READ_ONLY;
  }

  /** {@return whether all bytes were zero when the block was made} */
  public boolean isZero() {
    return zero;
  }

  /**
   * {@return the memory as a segment without a lifetime: the caller has to make sure that nobody
   * accesses it after closing}
   */
  @SuppressWarnings("restricted") // the address and size come from the driver
  public MemorySegment memory() {
    return MemorySegment.ofAddress(address).reinterpret(byteSize);
  }

  /**
   * {@return whether a graph of a device may keep the memory pinned} It may not keep registered
   * memory, because its arena waits for the end of the registration, nor memory of another device.
   */
  boolean canBeHeldBy(DeviceState device) {
    return !isRegistered() && owner.device() == device;
  }

  /**
   * Blocks the calling thread until the memory is unpinned. For the arena that is about to free it.
   */
  public void awaitReleased() {
    owner.awaitReleased(this);
  }

  /**
   * Rings a bell once the memory is unpinned. This cannot be cancelled; a late ring does no harm.
   */
  Runnable ringWhenReleased(Runnable bell) {
    whenReleased(bell);
    return () -> {};
  }

  @Override
  public String describe() {
    String words =
        switch (sort) {
          case ALLOCATED, WRITE_COMBINED -> "pinned";
          case REGISTERED -> "registered";
          case REGISTERED_READ_ONLY -> "registered read-only";
        };
    return words + " memory of " + byteSize + " bytes";
  }

  @Override
  protected void release() {
    owner.release(this);
  }
}
