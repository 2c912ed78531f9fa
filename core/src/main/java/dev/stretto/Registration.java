package dev.stretto;

import dev.stretto.fault.ClosedException;
import dev.stretto.route.Engine;
import dev.stretto.route.PinnedBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Ordinary host memory that is pinned where it lies. Copies of it are direct while the registration
 * is open. {@link #close()} does not block: the memory is unpinned after the last copy that uses
 * it, and before its arena frees it.
 */
public final class Registration implements AutoCloseable {
  private final Engine engine;
  private final PinnedBlock block;

  private Registration(Engine engine, PinnedBlock block) {
    this.engine = engine;
    this.block = block;
  }

  @SuppressWarnings("restricted") // the segment keeps its size; only a cleanup is added
  static Registration of(Engine engine, MemorySegment segment, Arena arena) {
    if (!segment.isNative()) {
      throw new IllegalArgumentException(
          "only native memory can be pinned where it lies, for the garbage collector moves arrays:"
              + " copy the array itself, or use device.pinnedArena()");
    }
    if (!segment.scope().equals(arena.scope())) {
      throw new IllegalArgumentException("the segment does not belong to the arena that was given");
    }
    if (!arena.scope().isAlive()) {
      throw new ClosedException("the segment's arena is closed");
    }
    if (segment.byteSize() == 0) {
      throw new IllegalArgumentException("a segment of 0 bytes cannot be pinned");
    }
    Registration registration = new Registration(engine, engine.pinned().register(segment));
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

  /** {@return whether copies of the memory are direct} */
  public boolean isOpen() {
    return block.isOpen();
  }

  private void awaitReleased() {
    block.closeAfterLastUse();
    block.awaitReleased();
  }

  /**
   * Ends the registration. Does not block.
   *
   * @throws ClosedException if it was closed before
   */
  @Override
  public void close() {
    if (!block.closeAfterLastUse()) {
      throw new ClosedException("the " + block.describe() + " was closed before");
    }
    engine.finishIfClosed();
  }
}
