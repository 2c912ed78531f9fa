package dev.stretto.driver.virtual;

import dev.stretto.process.SharedFile;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * One allocation of device memory. Each piece is poisoned when it is first accessed. So a large
 * allocation costs little if little of it is used, and memory that is written before it is read is
 * never poisoned.
 */
final class Allocation extends Backing {
  private static final long CHUNK = 256 << 10;

  private final long hostAddress;
  private final MemorySegment memory;
  private final BitSet touched = new BitSet();
  private final Pool pool;

  /** The stream that has not reached the allocation yet, or null; guarded by the space's lock. */
  @Nullable String awaited;

  /** The file that several processes map, or null. */
  private final @Nullable SharedFile shared;

  /** Whether it lies in a pool of the modelled device; guarded by the space's lock. */
  boolean isPooled = true;

  /** The stream that is going to free the memory, or null; guarded by the space's lock. */
  @Nullable String leaving;

  Allocation(long address, long bytes, long hostAddress, Pool pool) {
    super(address, bytes);
    this.hostAddress = hostAddress;
    this.shared = null;
    this.pool = pool;
    this.memory = NativeHeap.view(hostAddress, bytes);
  }

  /** Creates one that several processes map; whoever made the file has poisoned it. */
  Allocation(long address, long bytes, SharedFile shared, Pool pool) {
    super(address, bytes);
    this.hostAddress = 0;
    this.shared = shared;
    this.pool = pool;
    this.memory = NativeHeap.view(shared.memory().address(), bytes);
    this.isPooled = false;
    touched.set(0, (int) ((bytes + CHUNK - 1) / CHUNK));
  }

  /** {@return the file that several processes map, or null} */
  @Nullable SharedFile shared() {
    return shared;
  }

  /** {@return whether it takes memory of this device, and not of another process's} */
  boolean isCounted() {
    return shared == null || shared.isOwn();
  }

  /** {@return the pool from which it comes} */
  Pool pool() {
    return pool;
  }

  @Override
  MemorySegment read(long offset, long count) {
    touch(offset, count, false);
    return memory.asSlice(offset, count);
  }

  @Override
  MemorySegment overwrite(long offset, long count) {
    touch(offset, count, true);
    return memory.asSlice(offset, count);
  }

  private synchronized void touch(long offset, long count, boolean overwritten) {
    int last = (int) ((offset + count - 1) / CHUNK);
    for (int i = touched.nextClearBit((int) (offset / CHUNK)); i <= last; ) {
      long start = i * CHUNK;
      long end = Math.min(bytes(), start + CHUNK);
      if (!overwritten || start < offset || end > offset + count) {
        Poison.fresh(memory.asSlice(start, end - start));
      }
      touched.set(i);
      i = touched.nextClearBit(i + 1);
    }
  }

  @Override
  void discard() {
    if (shared == null) {
      poisonTouched();
      NativeHeap.release(hostAddress);
    } else {
      if (shared.isOwn()) {
        poisonTouched();
      }
      shared.close();
    }
  }

  /**
   * Overwrites the touched parts when the memory is freed. Nobody can reach it by its device
   * address any more, and a kernel that kept a segment must not find old values either.
   */
  private synchronized void poisonTouched() {
    for (int i = touched.nextSetBit(0); i >= 0; i = touched.nextSetBit(i + 1)) {
      long start = i * CHUNK;
      Poison.freed(memory.asSlice(start, Math.min(CHUNK, bytes() - start)));
    }
  }
}
