package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the threads of a cluster have stored to global memory, in kernels that may have bulk copies
 * read it. Those go by another way than the threads' own accesses: a barrier is not enough, each
 * thread that stores has to fence as well. Stores of other clusters are not looked at.
 */
public final class GlobalStores {
  /** Bulk copies move pieces of so many bytes. */
  private static final int PIECE = 16;

  /** More are not kept: a kernel that stores that much is not held up for the rest. */
  private static final int MOST = 1 << 20;

  /** The last store to a piece. */
  private record Store(int thread, int clock, @Nullable CallPath line) {}

  private final HappensBefore order;
  private final Map<Long, Store> stores = new HashMap<>();
  private final Map<Integer, List<Integer>> fences = new HashMap<>();

  GlobalStores(HappensBefore order) {
    this.order = order;
  }

  /** A cluster begins. */
  void begin() {
    stores.clear();
    fences.clear();
  }

  void stored(Coroutine thread, long address, long bytes) {
    if (stores.size() >= MOST) {
      return;
    }
    Store store = new Store(thread.rank(), order.now(thread), order.line());
    for (long piece = address / PIECE; piece <= (address + bytes - 1) / PIECE; piece++) {
      stores.put(piece, store);
    }
  }

  /** What a thread has stored comes before bulk copies that come behind this. */
  public void fence(Coroutine thread) {
    fences.computeIfAbsent(thread.rank(), _ -> new ArrayList<>()).add(order.now(thread));
  }

  /** Requires that what a bulk copy reads, as a thread begins it, was stored before. */
  void requireFenced(Coroutine thread, String copy, long address, long bytes) {
    if (stores.isEmpty()) {
      return;
    }
    for (long piece = address / PIECE; piece <= (address + bytes - 1) / PIECE; piece++) {
      Store store = stores.get(piece);
      if (store != null && !isFenced(store, thread)) {
        throw order.misuse(
            CopyRule.MISSING_PROXY_FENCE,
            copy
                + " of "
                + thread
                + " reads global memory that thread "
                + store.thread
                + " stores"
                + CallPath.inBrackets(store.line)
                + ": each thread that stores has to call block.fenceProxyAsync() behind that, and"
                + " a barrier such as block.sync() has to come between");
      }
    }
  }

  private boolean isFenced(Store store, Coroutine by) {
    for (int fence : fences.getOrDefault(store.thread, List.of())) {
      if (fence >= store.clock) {
        return store.thread == by.rank() || order.knows(by, store.thread, fence);
      }
    }
    return false;
  }
}
