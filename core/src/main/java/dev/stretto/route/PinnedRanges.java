package dev.stretto.route;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Which host addresses a driver has pinned: pinned memory is portable between its devices. Another
 * driver may have pinned the same memory, and knows nothing of this. Reading takes no lock and
 * allocates nothing; changes copy the table, which is small.
 */
final class PinnedRanges {
  /** Never compared; the arrays are never changed. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Table(long[] starts, PinnedBlock[] blocks) {}

  /** The tables that have something. */
  private static final List<PinnedRanges> OF_ALL_DRIVERS = new CopyOnWriteArrayList<>();

  private static final Map<DriverLock, PinnedRanges> OF_LOCKS = new WeakHashMap<>();

  private final ReentrantLock registering = new ReentrantLock();
  private volatile Table table = new Table(new long[0], new PinnedBlock[0]);

  private PinnedRanges() {}

  /** {@return what the driver has pinned that a lock belongs to} */
  static PinnedRanges of(DriverLock lock) {
    synchronized (OF_LOCKS) {
      return OF_LOCKS.computeIfAbsent(lock, _ -> new PinnedRanges());
    }
  }

  /** Held by who asks the driver to register memory, from looking here until it is added. */
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

  /** A block that is closed and not unpinned yet, and that has some of these bytes, or null. */
  @Nullable PinnedBlock ending(long address, long bytes) {
    for (PinnedBlock block : table.blocks) {
      if (block.isRegistered() && !block.isOpen() && block.overlaps(address, bytes)) {
        return block;
      }
    }
    return null;
  }

  /**
   * A registered block that goes, or whose device was closed so that it will, and that lies in one
   * of the pages of these bytes, or null: the driver registers none of those before it is gone.
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

  /** A block that has some of these bytes or, if none has, lies in one of their pages, or null. */
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

  /** Adds a block. What is closed and overlaps it has been unpinned, or passed on to it. */
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
