package dev.stretto.route;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The host addresses that a driver has pinned, for all of its devices. Another driver may have
 * pinned the same memory without knowing about this. Reads take no lock and allocate nothing;
 * changes copy the table, which is small.
 */
final class PinnedRanges {
  /** Never compared; the arrays are never changed. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Table(long[] starts, PinnedBlock[] blocks) {}

  /** The tables that are not empty. */
  private static final List<PinnedRanges> OF_ALL_DRIVERS = new CopyOnWriteArrayList<>();

  private static final Map<DriverLock, PinnedRanges> OF_LOCKS = new WeakHashMap<>();

  private final ReentrantLock registering = new ReentrantLock();
  private volatile Table table = new Table(new long[0], new PinnedBlock[0]);

  private PinnedRanges() {}

  /** {@return the ranges pinned by the driver to which a lock belongs} */
  static PinnedRanges of(DriverLock lock) {
    synchronized (OF_LOCKS) {
      return OF_LOCKS.computeIfAbsent(lock, _ -> new PinnedRanges());
    }
  }

  /**
   * {@return the lock for registering memory, held from the check here until the block is added}
   */
  ReentrantLock registering() {
    return registering;
  }

  /** {@return whether all of these bytes lie in an open block of some driver} */
  static boolean isPinnedByAny(long address, long bytes) {
    for (PinnedRanges ranges : OF_ALL_DRIVERS) {
      if (ranges.find(address, bytes) != null) {
        return true;
      }
    }
    return false;
  }

  /** {@return the open block that contains all of these bytes, or null} */
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
   * Whether any of these bytes belong to a block, including a closed one that waits for its last
   * use.
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

  /** {@return the index of the last block that begins at or before an address, or -1} */
  private static int floor(Table table, long address) {
    int at = Arrays.binarySearch(table.starts, address);
    return at >= 0 ? at : -at - 2;
  }

  /** {@return a block that is closed, not unpinned yet, and has some of these bytes, or null} */
  @Nullable PinnedBlock ending(long address, long bytes) {
    for (PinnedBlock block : table.blocks) {
      if (block.isRegistered() && !block.isOpen() && block.overlaps(address, bytes)) {
        return block;
      }
    }
    return null;
  }

  /**
   * Returns a registered block that overlaps one of the pages of these bytes and is about to be
   * unpinned, because it or its device was closed; or null. The driver registers none of these
   * pages before that block is unpinned.
   */
  @Nullable PinnedBlock leaving(long address, long bytes) {
    long pages = HostPages.around(address, bytes);
    for (PinnedBlock block : table.blocks) {
      if (block.isRegistered()
          && (!block.isOpen() || block.device().isClosed())
          && block.sharesPage(HostPages.begin(address), pages)) {
        return block;
      }
    }
    return null;
  }

  /** {@return a block that has some of these bytes, else one in their pages, or null} */
  @Nullable PinnedBlock inTheWay(long address, long bytes) {
    long pages = HostPages.around(address, bytes);
    PinnedBlock beside = null;
    for (PinnedBlock block : table.blocks) {
      if (block.overlaps(address, bytes)) {
        return block;
      }
      if (block.sharesPage(HostPages.begin(address), pages)) {
        beside = block;
      }
    }
    return beside;
  }

  /** Adds a block. Closed blocks that overlap it have been unpinned, or passed on to it. */
  synchronized void add(PinnedBlock added) {
    Table now = table;
    PinnedBlock[] blocks = new PinnedBlock[now.blocks.length + 1];
    int count = 0;
    boolean placed = false;
    for (PinnedBlock block : now.blocks) {
      if (!placed && block.address() > added.address()) {
        blocks[count++] = added;
        placed = true;
      }
      if (block.isOpen() || !block.overlaps(added.address(), added.byteSize())) {
        blocks[count++] = block;
      }
    }
    if (!placed) {
      blocks[count++] = added;
    }
    change(blocks, count);
  }

  synchronized void remove(PinnedBlock gone) {
    Table now = table;
    PinnedBlock[] blocks = new PinnedBlock[now.blocks.length];
    int count = 0;
    for (PinnedBlock block : now.blocks) {
      if (block != gone) {
        blocks[count++] = block;
      }
    }
    if (count < blocks.length) {
      change(blocks, count);
    }
  }

  private void change(PinnedBlock[] blocks, int count) {
    boolean wasEmpty = table.blocks.length == 0;
    long[] starts = new long[count];
    for (int i = 0; i < count; i++) {
      starts[i] = blocks[i].address();
    }
    table = new Table(starts, Arrays.copyOf(blocks, count));
    if (wasEmpty) {
      OF_ALL_DRIVERS.add(this);
    } else if (count == 0) {
      OF_ALL_DRIVERS.remove(this);
    }
  }
}
