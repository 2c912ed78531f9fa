package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The barrier objects in a block's shared memory. */
public final class Mbarriers {
  private record Place(SharedStorage storage, int at) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Place that && that.storage == storage && that.at == at;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(storage) + at;
    }
  }

  private final BlockThreads block;

  /** The thread that has invalidated a barrier, and where it did so. */
  private record End(DeviceThread thread, Mbarrier barrier, CallPath line) {}

  private final Map<Place, Mbarrier> barriers = new HashMap<>();
  private final Map<Place, End> ended = new HashMap<>();
  private long changes;

  Mbarriers(BlockThreads block) {
    this.block = block;
  }

  /** Called when a block begins. */
  void begin() {
    barriers.clear();
    ended.clear();
    changes++;
  }

  /** How often barriers were made or ended. */
  long changes() {
    return changes;
  }

  /** The barrier at a byte of an array, or null if there is none. */
  @Nullable Mbarrier find(SharedStorage storage, int firstByte) {
    return barriers.get(new Place(storage, firstByte));
  }

  private static Place place(SharedStorage storage, SharedSpan array, int index) {
    Objects.checkIndex(index, array.count());
    return new Place(storage, array.firstByte() + index * Long.BYTES);
  }

  public void init(SharedSpan array, int index, int count) {
    Mbarrier before = barriers.get(place(array.storage(), array, index));
    if (before != null) {
      throw new CopyMisuse(
          CopyRule.BARRIER_INITIALIZED_TWICE,
          "thread "
              + block.running().rank()
              + " initializes "
              + before
              + " again: call mbarrierInval before");
    }
    put(array, index, count, null);
  }

  /** As {@link #init}, but at a place that the kernel may have come to before. */
  public void make(SharedSpan array, int index, int count) {
    Mbarrier before = barriers.get(place(array.storage(), array, index));
    if (before != null) {
      before.requireLeft();
    }
    put(array, index, count, before);
  }

  private void put(SharedSpan array, int index, int count, @Nullable Mbarrier before) {
    Place place = place(array.storage(), array, index);
    if (count < 1 || count > Mbarrier.MOST) {
      throw new CopyMisuse(
          CopyRule.OUT_OF_RANGE,
          "a barrier of " + count + " arrivals: has to be 1 to " + Mbarrier.MOST);
    }
    block.races().activate();
    Mbarrier barrier = new Mbarrier(block, count, before);
    barriers.put(place, barrier);
    block.races().barrier(place.storage, place.at, barrier);
    changes++;
  }

  /** Lets other blocks of the cluster learn of the barriers that a thread has made. */
  public void fence(DeviceThread thread) {
    barriers.values().forEach(barrier -> barrier.fence(thread));
  }

  /** The barriers that a thread has made and fenced. */
  List<Mbarrier> fencedBy(DeviceThread thread) {
    return barriers.values().stream().filter(barrier -> barrier.isFencedBy(thread)).toList();
  }

  /**
   * Called when the block's last thread returns. Requires that no copy to its shared memory is
   * pending.
   */
  void leave() {
    barriers.values().forEach(Mbarrier::requireNothingComes);
  }

  public void inval(SharedSpan array, int index) {
    Mbarrier barrier = at("mbarrierInval", array, index);
    barrier.requireUnused("mbarrierInval");
    Place place = place(array.storage(), array, index);
    barriers.remove(place);
    block.races().barrier(place.storage, place.at, null);
    changes++;
    ended.put(place, new End(block.running(), barrier, CallPath.here()));
  }

  public Mbarrier at(String what, SharedSpan array, int index) {
    return at(what, array.storage(), array, index);
  }

  /** The barrier at an array's place in the given storage. */
  public Mbarrier at(String what, SharedStorage storage, SharedSpan array, int index) {
    Place place = place(storage, array, index);
    Mbarrier barrier = barriers.get(place);
    DeviceThread thread = block.running();
    if (barrier == null) {
      throw new CopyMisuse(
          CopyRule.BARRIER_NOT_INITIALIZED,
          thread
              + " calls "
              + what
              + " of element "
              + index
              + " of "
              + array
              + ", "
              + why(ended.get(place)));
    }
    barrier.requireVisible(thread, what);
    barrier.isUsedBy(thread);
    return barrier;
  }

  private static String why(@Nullable End end) {
    return end == null
        ? "which no thread has initialized: call mbarrierInit and block.sync() before"
        : "which is no barrier any more: "
            + end.thread
            + " has invalidated "
            + end.barrier
            + " ("
            + end.line
            + "); initialize it again, and call block.sync(), before it is used";
  }
}
