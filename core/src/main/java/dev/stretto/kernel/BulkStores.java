package dev.stretto.kernel;

import dev.stretto.fault.CopyRule;
import dev.stretto.memory.GlobalArray;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bulk copies to global memory that a thread has begun: they read and write when waited for.
 */
final class BulkStores {
  /** One copy. */
  static final class Store {
    private final int thread;
    private final @Nullable CallPath line;
    private final MemorySegment to;
    private final MemorySegment from;
    private byte[] bytes = {};
    private boolean read;
    private boolean written;
    private int number;

    Store(int thread, @Nullable CallPath line, MemorySegment to, MemorySegment from) {
      this.thread = thread;
      this.line = line;
      this.to = to;
      this.from = from;
      BlockMemory.poison(to);
    }

    private void read(int now) {
      if (!read) {
        bytes = from.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        read = true;
        number = now;
      }
    }

    private void write(int now) {
      read(now);
      if (!written) {
        to.copyFrom(MemorySegment.ofArray(bytes));
        written = true;
      }
    }

    boolean isRead() {
      return read;
    }

    int thread() {
      return thread;
    }

    /** From which number of that thread's clock on it is known to have been read. */
    int number() {
      return number;
    }

    @Override
    public String toString() {
      return "cpAsyncBulkToGlobal of thread " + thread + SharedWatch.at(line);
    }
  }

  private final DeviceThread thread;
  private final List<List<Store>> groups = new ArrayList<>();
  private List<Store> open = new ArrayList<>();

  BulkStores(DeviceThread thread) {
    this.thread = thread;
  }

  /** A block begins. */
  void clear() {
    groups.clear();
    open.clear();
  }

  void begin(GlobalArray to, long toByte, SharedArray from, int fromByte, int bytes) {
    String what = "cpAsyncBulkToGlobal";
    BulkCopies.requireUnits(what, bytes);
    thread.order().activate();
    MemorySegment source = AsyncCopies.destination(what, from, fromByte, bytes, 16);
    Store store =
        new Store(
            thread.rank(),
            thread.order().line(),
            AsyncCopies.source(what, to, toByte, 16, bytes),
            source);
    thread.order().begins(store, from.storage(), from.firstByte() + fromByte, bytes);
    open.add(store);
  }

  void commit() {
    groups.add(open);
    open = new ArrayList<>();
  }

  void await(int pending) {
    require(pending);
    for (int i = 0; i < groups.size() - pending; i++) {
      groups.get(i).forEach(store -> store.write(thread.order().now(thread)));
    }
    int complete = Math.max(0, groups.size() - pending);
    groups.subList(0, complete).clear();
  }

  void awaitRead(int pending) {
    require(pending);
    for (int i = 0; i < groups.size() - pending; i++) {
      groups.get(i).forEach(store -> store.read(thread.order().now(thread)));
    }
  }

  private static void require(int pending) {
    if (pending < 0) {
      throw new CopyMisuse(CopyRule.OUT_OF_RANGE, "a wait that leaves " + pending + " groups");
    }
  }

  /** The thread has returned: its shared memory may be gone before what still has to read it. */
  void leave() {
    for (Store store : open) {
      throw unread(store);
    }
    for (List<Store> group : groups) {
      for (Store store : group) {
        if (!store.isRead()) {
          throw unread(store);
        }
        store.write(0);
      }
    }
    clear();
  }

  private CopyMisuse unread(Store store) {
    return thread
        .order()
        .misuse(
            CopyRule.EXIT_BEFORE_READ,
            "thread "
                + thread.rank()
                + " returns while "
                + store
                + " may still read its shared memory: commit it and wait with"
                + " cpAsyncBulkWaitGroupRead");
  }
}
