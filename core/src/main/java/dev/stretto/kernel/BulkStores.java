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
  /** What gets the bytes. */
  @FunctionalInterface
  interface Target {
    /** A copy to it has begun: what it holds does not count any more. */
    default void poison() {}

    /**
     * Takes the bytes.
     *
     * @param from what lay in shared memory
     * @param begin where it lay there
     */
    void take(MemorySegment from, int begin);
  }

  /** One copy. */
  static final class Store {
    private final String what;
    private final int thread;
    private final @Nullable CallPath line;
    private final Target to;
    private final MemorySegment from;
    private final int begin;
    private byte[] bytes = {};
    private boolean read;
    private boolean written;
    private int number;

    Store(
        String what,
        int thread,
        @Nullable CallPath line,
        Target to,
        MemorySegment from,
        int begin) {
      this.what = what;
      this.thread = thread;
      this.line = line;
      this.to = to;
      this.from = from;
      this.begin = begin;
      to.poison();
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
        to.take(MemorySegment.ofArray(bytes), begin);
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
      return what + " of thread " + thread + SharedRaceDetector.at(line);
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

  void begin(GlobalArray to, long toByte, SharedSpan from, int fromByte, int bytes) {
    String what = "cpAsyncBulkToGlobal";
    BulkCopies.requireUnits(what, bytes);
    MemorySegment place = AsyncCopies.source(what, to, toByte, BulkCopies.UNIT, bytes);
    begin(
        what,
        from,
        fromByte,
        bytes,
        BulkCopies.UNIT,
        new Target() {
          @Override
          public void poison() {
            BlockMemory.poison(place);
          }

          @Override
          public void take(MemorySegment source, int begin) {
            place.copyFrom(source);
          }
        });
  }

  void begin(String what, SharedSpan from, int fromByte, int bytes, int alignment, Target target) {
    thread.order().activate();
    MemorySegment source = AsyncCopies.destination(what, from, fromByte, bytes, alignment);
    int begin = from.firstByte() + fromByte;
    Store store = new Store(what, thread.rank(), thread.order().line(), target, source, begin);
    thread.order().begins(store, from.storage(), begin, bytes);
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
