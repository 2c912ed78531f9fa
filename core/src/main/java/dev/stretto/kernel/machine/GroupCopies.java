package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import java.util.HashMap;
import java.util.Map;

/** The copies that parts of a block make together which a program has chosen: tiles, some warps. */
final class GroupCopies {
  /** The most threads of a group are below this. */
  private static final int SPAN = 2048;

  private final HappensBefore order;
  private final Map<Integer, SharedCopies> groups = new HashMap<>();

  GroupCopies(HappensBefore order) {
    this.order = order;
  }

  /** Called when a block begins. */
  void begin() {
    groups.clear();
  }

  /** Called when the last thread has returned. */
  void leave() {
    groups.values().forEach(SharedCopies::leave);
  }

  /** The copies of the thread's tile. */
  SharedCopies ofTile(Coroutine thread, int lanes) {
    return of("tile", thread.rankInBlock() & -lanes, lanes);
  }

  /** The copies of some warps, to which the thread has to belong. */
  SharedCopies ofWarps(Coroutine thread, int first, int count) {
    int warp = thread.rankInBlock() / BlockState.LANES;
    if (warp < first || warp >= first + count) {
      throw new CopyMisuse(
          CopyRule.NOT_TOGETHER,
          thread
              + " calls a method of warps "
              + first
              + " to "
              + (first + count - 1)
              + ", to which it does not belong: ask contains()");
    }
    return of("group of warps", BlockState.LANES * first, BlockState.LANES * count);
  }

  private SharedCopies of(String kind, int first, int threads) {
    return groups.computeIfAbsent(
        first * SPAN + threads, _ -> new SharedCopies(kind, order, first, threads));
  }
}
