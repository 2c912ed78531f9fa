package dev.stretto.spark;

import dev.stretto.PinnedArena;
import dev.stretto.fault.ClosedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A task's part of the pinned memory of its device. */
final class TaskArena implements Arena {
  private final PinnedArena pinned;
  private final long mostBytes;
  private final HostMemory memory;

  /** Guarded by this. */
  private long usedBytes;

  TaskArena(PinnedArena pinned, long mostBytes, HostMemory memory) {
    this.pinned = pinned;
    this.mostBytes = mostBytes;
    this.memory = memory;
  }

  @Override
  public synchronized MemorySegment allocate(long byteSize, long byteAlignment) {
    if (!pinned.scope().isAlive()) {
      throw new ClosedException(
          "the pinned memory of this task is closed, by the task or at its end");
    }
    if (byteSize < 0 || byteSize > mostBytes - usedBytes) {
      throw new TaskMemoryException(
          "%d bytes of pinned memory: this task may have %d, and has %d of them; raise %s, or let a"
                  .formatted(byteSize, mostBytes, usedBytes, SparkSettings.PINNED)
              + " task have more of a GPU by "
              + SparkSettings.SPARK_AMOUNT);
    }
    MemorySegment segment = memory.take(byteSize, bytes -> pinned.allocate(bytes, byteAlignment));
    usedBytes += byteSize;
    return segment;
  }

  @Override
  public MemorySegment.Scope scope() {
    return pinned.scope();
  }

  @Override
  public synchronized void close() {
    pinned.close();
    memory.giveBack(usedBytes);
    usedBytes = 0;
  }
}
