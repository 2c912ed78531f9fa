package dev.stretto;

import dev.stretto.diagnosis.Rule;
import dev.stretto.fault.ClosedException;
import dev.stretto.observe.BlockingCall;
import dev.stretto.observe.Observers;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.GuardedBy;
import dev.stretto.route.Pinned;
import dev.stretto.route.PinnedBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An arena of pinned host memory: its segments are plain {@link MemorySegment}s, which any thread
 * may read and write, and which a device's copy engines reach directly.
 *
 * <p>Segments are zero when allocated. {@link #close()} ends every Java access at once, like a
 * shared arena; the memory itself is unpinned after the last copy that uses it, without blocking
 * the caller. Small segments share blocks of a mebibyte; larger ones are pinned one by one, in
 * whole pages.
 */
public final class PinnedArena implements Arena {
  private static final long BLOCK_BYTES = 1 << 20;
  private static final long SMALL_BYTES = 128 << 10;
  private static final long PAGE_BYTES = 4096;

  private final DeviceRuntime engine;
  private final Arena access = Arena.ofShared();

  @GuardedBy("this")
  private final List<PinnedBlock> blocks = new ArrayList<>();

  private final Leaks.Watched watched;
  private final Observers observers;

  @GuardedBy("this")
  private @Nullable MemorySegment block;

  @GuardedBy("this")
  private long used;

  private final boolean writeCombined;

  PinnedArena(DeviceRuntime engine, boolean writeCombined, Observers observers, Leaks leaks) {
    this.engine = engine;
    this.writeCombined = writeCombined;
    this.observers = observers;
    engine.resources().guard(access);
    this.watched = leaks.watch(this, arena -> "a pinned arena of " + arena.engine.name());
  }

  /** {@return whether the host should only write the arena's memory, and in sequence} */
  public boolean isWriteCombined() {
    return writeCombined;
  }

  /**
   * {@return whether all of a segment is pinned, by an arena or a registration of any device}
   *
   * @param segment any segment
   */
  public static boolean isPinned(MemorySegment segment) {
    Objects.requireNonNull(segment, "segment");
    return segment.isNative() && segment.scope().isAlive() && Pinned.isPinned(segment);
  }

  /**
   * {@return a new segment of pinned memory, filled with zeros}
   *
   * @param byteSize 0 or more
   * @param byteAlignment a power of two, at most 4,096
   * @throws IllegalArgumentException if the size is negative, or the alignment is not a power of
   *     two or larger than 4,096
   * @throws ClosedException if the arena is closed
   * @throws dev.stretto.fault.PinnedBudgetException if the budget of pinned memory would be
   *     exceeded
   */
  @Override
  public synchronized MemorySegment allocate(long byteSize, long byteAlignment) {
    if (byteSize < 0) {
      throw new IllegalArgumentException(
          "a segment of " + byteSize + " bytes: has to be 0 or more");
    }
    if (Long.bitCount(byteAlignment) != 1 || byteAlignment > PAGE_BYTES || byteAlignment < 1) {
      throw new IllegalArgumentException(
          "an alignment of "
              + byteAlignment
              + " bytes: has to be a power of two, at most "
              + PAGE_BYTES);
    }
    if (!access.scope().isAlive()) {
      throw new ClosedException("the pinned arena is closed");
    }
    engine.requireUsable();
    Capture.requireNone(engine, "an allocation of pinned memory");
    if (byteSize >= SMALL_BYTES) {
      PinnedBlock pinned = pin(byteSize);
      MemorySegment segment = accessible(pinned.address(), byteSize);
      if (!pinned.isZero()) {
        segment.fill((byte) 0);
      }
      return segment;
    }
    MemorySegment raw = cut(Math.max(byteSize, 1), byteAlignment);
    return accessible(raw.address(), byteSize).fill((byte) 0);
  }

  @SuppressWarnings("restricted") // the driver has pinned as many bytes there
  private MemorySegment accessible(long address, long bytes) {
    return MemorySegment.ofAddress(address).reinterpret(bytes, access, null);
  }

  private MemorySegment cut(long bytes, long alignment) {
    MemorySegment from = block;
    long start = (used + alignment - 1) & -alignment;
    if (from == null || start + bytes > BLOCK_BYTES) {
      from = pin(BLOCK_BYTES).memory();
      block = from;
      start = 0;
    }
    used = start + bytes;
    return from.asSlice(start, bytes);
  }

  private PinnedBlock pin(long bytes) {
    try (BlockingCall call = observers.calling(Rule.PINNING, bytes)) {
      long before = engine.pinned().pinnings();
      PinnedBlock pinned =
          writeCombined
              ? engine.pinned().allocateWriteCombined(bytes)
              : engine.pinned().allocate(bytes);
      if (call != null && engine.pinned().pinnings() == before) {
        call.harmless(); // the memory was already pinned
      }
      blocks.add(pinned);
      return pinned;
    }
  }

  @Override
  public MemorySegment.Scope scope() {
    return access.scope();
  }

  /**
   * Ends every Java access to the arena's segments at once, and unpins their memory after the last
   * copy that uses it. Does not block. Closing the arena again has no further effect.
   *
   * @throws IllegalStateException if another thread is accessing a segment at this moment; then
   *     nothing is closed
   */
  @Override
  public synchronized void close() {
    try {
      access.close();
    } catch (IllegalStateException e) {
      if (access.scope().isAlive()) {
        throw e; // a thread is in the middle of an access
      }
      return; // already closed, by the program or together with its device
    }
    engine.resources().unguard(access);
    blocks.forEach(Capture::closing);
    blocks.forEach(PinnedBlock::closeAfterLastUse);
    blocks.clear();
    block = null;
    watched.closed();
    engine.finishIfClosed();
  }
}
