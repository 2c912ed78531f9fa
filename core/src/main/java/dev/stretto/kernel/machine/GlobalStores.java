package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stores of a cluster's threads to global memory, in kernels whose bulk copies may read them.
 * Bulk copies access memory through another proxy than the threads do. A barrier is therefore not
 * enough: each thread that stores has to fence as well. Stores of other clusters are not checked.
 */
public final class GlobalStores {
  /** The size in bytes of the pieces that bulk copies move. */
  private static final int PIECE = 16;

  /**
   * The most pieces that are kept. After that, stores are no longer recorded, so as not to slow the
   * kernel down.
   */
  private static final int MOST = 1 << 20;

  /** The last store to a piece. */
  private record Store(int thread, int clock, @Nullable CallPath line) {}

  private final HappensBefore order;
  private final Map<Long, Store> stores = new HashMap<>();
  private final Map<Integer, List<Integer>> fences = new HashMap<>();

  GlobalStores(HappensBefore order) {
    this.order = order;
  }

  /** Called when a cluster begins. */
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

  /** Orders the stores that a thread has made before bulk copies that come after this fence. */
  public void fence(Coroutine thread) {
    fences.computeIfAbsent(thread.rank(), _ -> new ArrayList<>()).add(order.now(thread));
  }

  /** Whether threads of this cluster have stored anything. */
  boolean areAny() {
    return !stores.isEmpty();
  }

  /**
   * Requires that the stores to the bytes that a bulk copy reads have been fenced, and that the
   * thread that begins the copy knows of the fences.
   */
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

  /** Requires that the threads' stores to a box have been fenced before a bulk copy reads it. */
  void requireFenced(Coroutine thread, String what, TensorBox box) {
    if (areAny()) {
      box.bytes((address, bytes) -> requireFenced(thread, what, address, bytes));
    }
  }
}
