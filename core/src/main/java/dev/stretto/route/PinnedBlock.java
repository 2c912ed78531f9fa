package dev.stretto.route;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A run of pinned host memory, ours or registered. It is released after the last copy that uses it.
 */
public final class PinnedBlock extends Resource {
  private final Pinned owner;
  private final long address;
  private final long byteSize;
  private final boolean registered;
  private final @Nullable PinnedLeases lender;
  private boolean leaving;

  PinnedBlock(Pinned owner, long address, long byteSize, boolean registered) {
    this(owner, address, byteSize, registered, null);
  }

  /** A block that goes back to a lender. */
  PinnedBlock(
      Pinned owner,
      long address,
      long byteSize,
      boolean registered,
      @Nullable PinnedLeases lender) {
    this.owner = owner;
    this.address = address;
    this.byteSize = byteSize;
    this.registered = registered;
    this.lender = lender;
  }

  /** To whom it goes back rather than to the driver, or null. */
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

  /** {@return how many bytes are pinned for it: whole pages} */
  long pinnedBytes() {
    return registered ? HostPages.around(address, byteSize) : HostPages.whole(byteSize);
  }

  /**
   * A thread that registers the memory anew waits for this from the moment on at which the block is
   * closed: until its release is on its way, that is something that steps do not bring about.
   */
  @Override
  public boolean closeAfterLastUse() {
    DriverLock lock = device().lock;
    lock.beginElsewhere();
    try {
      return super.closeAfterLastUse();
    } finally {
      lock.endElsewhere();
    }
  }

  /** The device that pinned it, and unpins it. */
  DeviceState device() {
    return owner.device();
  }

  /** Whether some of these bytes are the block's. */
  boolean overlaps(long otherAddress, long otherBytes) {
    return address < otherAddress + otherBytes && otherAddress < address + byteSize;
  }

  /** Whether it lies in one of some pages. */
  boolean sharesPage(long pages, long bytesOfPages) {
    long begin = HostPages.begin(address);
    return begin < pages + bytesOfPages && pages < begin + HostPages.around(address, byteSize);
  }

  /**
   * Begins to unpin registered memory, or to pass it on as it is to a new registration.
   *
   * @return false if somebody else has begun that
   */
  synchronized boolean leave() {
    boolean first = !leaving;
    leaving = true;
    return first;
  }

  boolean isRegistered() {
    return registered;
  }

  /**
   * {@return the memory, with no lifetime of its own: whoever gets it sees to it that it is not
   * touched after closing}
   */
  @SuppressWarnings("restricted") // the address and size are the driver's own
  public MemorySegment memory() {
    return MemorySegment.ofAddress(address).reinterpret(byteSize);
  }

  /**
   * {@return whether a graph of a device may keep the memory pinned} Not what is registered, whose
   * arena waits for the end of the registration, nor what another device gives back.
   */
  boolean canBeHeldBy(DeviceState device) {
    return !registered && owner.device() == device;
  }

  /**
   * Blocks the calling thread until the memory is unpinned; for the arena that is about to free it.
   */
  public void awaitReleased() {
    owner.awaitReleased(this);
  }

  /** Has a bell rung once the memory is unpinned; it cannot be forgotten, and does no harm. */
  Runnable ringWhenReleased(Runnable bell) {
    whenReleased(bell);
    return () -> {};
  }

  @Override
  public String describe() {
    return (registered ? "registered" : "pinned") + " memory of " + byteSize + " bytes";
  }

  @Override
  protected void release() {
    owner.release(this);
  }
}
