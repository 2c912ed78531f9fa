package dev.stretto.route;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which host addresses are pinned, in the whole process: pinned memory is portable between devices.
 * Reading takes no lock and allocates nothing; changes copy the table, which is small.
 */
final class PinnedRanges {
  /** Never compared; the arrays are never changed. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Table(long[] starts, PinnedBlock[] blocks) {}

  private static final PinnedRanges PROCESS = new PinnedRanges();

  private volatile Table table = new Table(new long[0], new PinnedBlock[0]);

  private PinnedRanges() {}

  static PinnedRanges process() {
    return PROCESS;
  }

  /** The open block that holds all of these bytes, or null. */
  @Nullable PinnedBlock find(long address, long bytes) {
    Table now = table;
    int index = floor(now, address);
    if (index < 0) {
      return null;
    }
    PinnedBlock block = now.blocks[index];
    return block.isOpen() && address - block.address() <= block.byteSize() - bytes ? block : null;
  }

  /**
   * Whether any of these bytes belong to a block, one that is closed and waits for its last use
   * included.
   */
  boolean touches(long address, long bytes) {
    Table now = table;
    int index = floor(now, address);
    if (index >= 0 && address - now.blocks[index].address() < now.blocks[index].byteSize()) {
      return true;
    }
    int above = index + 1;
    return above < now.blocks.length && now.blocks[above].address() - address < bytes;
  }

  /** The index of the last block that begins at an address or before, or -1. */
  private static int floor(Table table, long address) {
    int at = Arrays.binarySearch(table.starts, address);
    return at >= 0 ? at : -at - 2;
  }

  /**
   * A block that an engine's driver has registered, that is closed and not unpinned yet, and that
   * has some of these bytes, or null.
   */
  @Nullable PinnedBlock ending(long address, long bytes, Engine engine) {
    for (PinnedBlock block : table.blocks) {
      if (block.isRegistered()
          && !block.isOpen()
          && block.isPinnedFor(engine)
          && block.overlaps(address, bytes)) {
        return block;
      }
    }
    return null;
  }

  /** Adds a block. What it overlaps of the same driver's has been unpinned, or it could not be. */
  synchronized void add(PinnedBlock block) {
    for (PinnedBlock before : table.blocks) {
      if (!before.isOpen()
          && before.isPinnedFor(block.engine())
          && before.overlaps(block.address(), block.byteSize())) {
        remove(before);
      }
    }
    Table now = table;
    int at = Arrays.binarySearch(now.starts, block.address());
    int index = at >= 0 ? at : -at - 1;
    long[] starts = new long[now.starts.length + 1];
    PinnedBlock[] blocks = new PinnedBlock[starts.length];
    System.arraycopy(now.starts, 0, starts, 0, index);
    System.arraycopy(now.blocks, 0, blocks, 0, index);
    starts[index] = block.address();
    blocks[index] = block;
    System.arraycopy(now.starts, index, starts, index + 1, now.starts.length - index);
    System.arraycopy(now.blocks, index, blocks, index + 1, now.starts.length - index);
    table = new Table(starts, blocks);
  }

  synchronized void remove(PinnedBlock block) {
    Table now = table;
    int index = Arrays.binarySearch(now.starts, block.address());
    if (index < 0 || now.blocks[index] != block) {
      return;
    }
    long[] starts = new long[now.starts.length - 1];
    PinnedBlock[] blocks = new PinnedBlock[starts.length];
    System.arraycopy(now.starts, 0, starts, 0, index);
    System.arraycopy(now.blocks, 0, blocks, 0, index);
    System.arraycopy(now.starts, index + 1, starts, index, starts.length - index);
    System.arraycopy(now.blocks, index + 1, blocks, index, starts.length - index);
    table = new Table(starts, blocks);
  }
}
