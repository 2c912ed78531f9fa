package dev.stretto.route;

import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * Small buffers for small copies of ordinary memory: the calling thread fills one in less time than
 * it takes to hand the copy to another thread. If all are in use, the copy is staged like a large
 * one. Guarded by the driver's lock, but filled without it: the program's memory may be a file that
 * has yet to be read, and every stream would wait for that.
 *
 * <p>There are two kinds. Pinned ones are read and written by the copy engine. Tiny ones are
 * ordinary memory, for drivers that put the bytes of a tiny copy among their commands: the driver
 * has read them when its call returns. They are kept as if the device read them all the same, since
 * a driver that has too many such bytes to keep blocks its caller.
 */
final class SmallSlots {
  /** The largest copy that takes this route: some microseconds of copying. */
  static final int BYTES = StreamQueue.INLINE_BYTES;

  private static final long ALL_BYTES = 8L << 20;
  private static final int MOST = 1024;

  /**
   * The driver of an H200 keeps 4 MiB of such bytes for each hardware queue, which several streams
   * may share.
   */
  private static final long ALL_TINY_BYTES = 2L << 20;

  private static final int MOST_TINY = 1024;

  /** The largest copy whose bytes are kept while it is held back. */
  private static final int MOST_ASIDE = 16 << 10;

  private static final long ALL_ASIDE_BYTES = 32L << 20;

  /**
   * A buffer is free when the marks of its stream say so, so a mark is due after a part of all
   * buffers, and sooner than for other small copies.
   */
  private static final int PARTS = 32;

  private final DeviceState device;
  private final Pinned pinned;
  private final int tinyBytes;
  private @Nullable SlotRing tiny;
  private @Nullable SlotRing small;

  /** The memory of the pinned buffers, held until nobody fills one and the device is closed. */
  private @Nullable PinnedBlock block;

  /** What copies that are held back keep. */
  private long asideBytes;

  private int taken;
  private boolean pinning;
  private boolean released;

  SmallSlots(DeviceState device, Pinned pinned) {
    this.device = device;
    this.pinned = pinned;
    this.tinyBytes = device.driver().bytesReadInCall();
  }

  /**
   * Returns a buffer for bytes that the calling thread copies to the device, or null if there is
   * none. Call {@link #used} or {@link #giveBack} afterwards.
   */
  @Nullable SmallSlot take(long bytes) {
    if (bytes <= tinyBytes && !released) {
      SmallSlot slot = tiny().take(bytes);
      if (slot != null) {
        taken++;
        return slot;
      }
    }
    return takePinned(bytes);
  }

  private SlotRing tiny() {
    SlotRing ring = tiny;
    if (ring == null) {
      ring = new SlotRing(Arena.ofAuto().allocate(ALL_TINY_BYTES), false, MOST_TINY);
      tiny = ring;
    }
    return ring;
  }

  /**
   * The same, of memory that a device can access. The first call returns null, because pinning may
   * wait for the device.
   */
  @Nullable SmallSlot takePinned(long bytes) {
    SlotRing ring = small;
    if (ring == null || released) {
      if (!pinning && !released) {
        pinning = true;
        device.later(this::pin);
      }
      return null;
    }
    SmallSlot slot = ring.take(bytes);
    taken += slot == null ? 0 : 1;
    return slot;
  }

  /**
   * {@return whether {@link #take} or {@link #takePinned} has a buffer} Otherwise the oldest ones
   * are watched.
   */
  boolean hasRoom(long bytes, boolean pinned) {
    SlotRing ring = small;
    boolean mayBeTiny = bytes <= tinyBytes && !pinned;
    if ((mayBeTiny && tiny().hasRoom(bytes)) || (ring != null && ring.hasRoom(bytes))) {
      return true;
    }
    if (mayBeTiny) {
      tiny().watchOldest();
    } else if (ring != null) {
      ring.watchOldest();
    }
    return false;
  }

  /**
   * {@return whether a copy of so many bytes that is held back may keep them in the meantime} They
   * count until {@link #readAside} takes them off.
   *
   * @param pinned whether it needs a pinned buffer in the end
   */
  boolean mayReadAside(long bytes, boolean pinned) {
    return bytes <= MOST_ASIDE
        && ((bytes <= tinyBytes && !pinned) || small != null)
        && tinyBytes > 0
        && asideBytes + bytes <= ALL_ASIDE_BYTES;
  }

  /** Notes bytes that are kept, or, if negative, no longer. */
  void readAside(long bytes) {
    asideBytes += bytes;
  }

  private void pin() {
    PinnedBlock pinned = null;
    try {
      pinned = this.pinned.allocate(ALL_BYTES);
    } catch (RuntimeException e) {
      // Small copies are then staged like large ones, which report the error if they fail too.
      Loss.kept(e);
    }
    synchronized (device.lock) {
      pinning = false;
      if (pinned == null || released || !pinned.hold()) {
        return; // closing the device releases its pinned memory
      }
      small = new SlotRing(pinned.memory(), true, MOST);
      block = pinned;
    }
  }

  /**
   * {@return how many bytes a copy through a buffer counts for when it is decided whether a mark is
   * due}
   */
  static long cost(SmallSlot slot, long bytes) {
    return slot.isPinned() ? cost(bytes) : mostCost(bytes);
  }

  /** {@return the same if it is not known what buffer it will be} */
  static long mostCost(long bytes) {
    return bytes * (Completion.BYTES_OF_A_MARK * PARTS / ALL_TINY_BYTES);
  }

  /** {@return the same for a pinned buffer} */
  static long cost(long bytes) {
    return bytes * (Completion.BYTES_OF_A_MARK * PARTS / ALL_BYTES);
  }

  /**
   * Notes that a buffer is in use until an operation is done on each of two streams. Call it before
   * the first operation is handed over: from then on the buffer may be read, even if something
   * fails.
   */
  void used(SmallSlot slot, Completion one, long sequence, Completion other, long otherSequence) {
    slot.use(one, sequence, other, otherSequence);
    giveBack(slot);
  }

  /** Ends what {@link #take} began. */
  void giveBack(SmallSlot slot) {
    slot.giveBack();
    taken--;
    PinnedBlock last = block;
    if (released && taken == 0 && last != null) {
      letGo(last);
    }
  }

  /**
   * Releases the buffers when the device is closed and nothing uses them any more. If the device
   * was lost, another device may still read them, and a thread may be filling one.
   */
  void release() {
    synchronized (device.lock) {
      PinnedBlock last = block;
      released = true;
      if (last == null) {
        return;
      }
      if (small != null) {
        small.noteUses(last);
      }
      if (taken == 0) {
        letGo(last);
      }
    }
  }

  /**
   * Ends the hold on the memory. The device's resources, and this with them, are closed by now or
   * soon.
   */
  private void letGo(PinnedBlock last) {
    block = null;
    device.later(last::letGo);
  }
}
