package dev.stretto;

import dev.stretto.diagnosis.Rule;
import dev.stretto.fault.ClosedException;
import dev.stretto.observe.BlockingCall;
import dev.stretto.observe.Observers;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.PinnedBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Pageable host memory that was pinned where it lies. Copies of it are direct while the
 * registration is open. {@link #close()} does not block: the memory is unpinned after the last copy
 * that uses it, and before its arena frees it. It may be registered again at once.
 */
public final class Registration implements AutoCloseable {
  private final DeviceRuntime engine;
  private final PinnedBlock block;
  private final Observers observers;

  private Registration(DeviceRuntime engine, PinnedBlock block, Observers observers) {
    this.observers = observers;
    this.engine = engine;
    this.block = block;
  }

  @SuppressWarnings("restricted") // the segment keeps its size; only a cleanup is added
  static Registration of(
      DeviceRuntime engine, MemorySegment segment, Arena arena, Observers observers) {
    if (!segment.isNative()) {
      throw new IllegalArgumentException(
          "only native memory can be pinned where it lies, because the garbage collector moves"
              + " arrays: copy the array itself, or use device.pinnedArena()");
    }
    if (!segment.scope().equals(arena.scope())) {
      throw new IllegalArgumentException("the segment does not belong to the given arena");
    }
    if (!arena.scope().isAlive()) {
      throw new ClosedException("the segment's arena is closed");
    }
    if (segment.byteSize() == 0) {
      throw new IllegalArgumentException("a segment of 0 bytes cannot be pinned");
    }
    Registration registration = register(engine, segment, observers);
    try {
      // The arena runs this before it frees the segment, which was allocated earlier.
      MemorySegment unused = segment.reinterpret(arena, memory -> registration.awaitReleased());
      assert unused.byteSize() == segment.byteSize();
    } catch (RuntimeException e) {
      registration.block.closeAfterLastUse();
      throw e;
    }
    return registration;
  }

  private static Registration register(
      DeviceRuntime engine, MemorySegment segment, Observers observers) {
    try (BlockingCall call = observers.calling(Rule.PINNING, segment.byteSize())) {
      long before = engine.pinned().pinnings();
      PinnedBlock block = engine.pinned().register(segment);
      if (call != null && engine.pinned().pinnings() == before) {
        call.harmless(); // the memory was still pinned
      }
      return new Registration(engine, block, observers);
    }
  }

  /** {@return whether copies of the memory are direct} */
  public boolean isOpen() {
    return block.isOpen();
  }

  private void awaitReleased() {
    try (BlockingCall _ =
        block.isOpen() ? observers.calling(Rule.ARENA_CLOSE, block.byteSize()) : null) {
      block.closeAfterLastUse();
      block.awaitReleased();
    }
  }

  /** Ends the registration. Does not block. Closing it again has no further effect. */
  @Override
  public void close() {
    Capture.closing(block);
    try (BlockingCall call = observers.calling(Rule.UNPINNING, block.byteSize())) {
      if (!block.closeAfterLastUse() && call != null) {
        call.harmless();
      }
    }
    engine.finishIfClosed();
  }
}
