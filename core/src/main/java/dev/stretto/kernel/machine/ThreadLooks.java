package dev.stretto.kernel.machine;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a thread of an ordinary launch looks at again and again. If the first change of what it saw
 * comes from a block that had not begun then, and the thread goes on after its next look, it has
 * waited for that block.
 */
final class ThreadLooks implements LookedPlaces.Looking {
  /** The cluster of a thread. */
  interface Cluster {
    /** {@return its number} */
    long number();

    /** {@return its number in the order in which those of an ordinary launch begin} */
    long beginNumber();

    /** {@return where its running thread is} */
    CallPath here();

    /**
     * Says that a thread has waited for a cluster that had not begun.
     *
     * @param rank the thread's number in its block
     * @param where where it has looked
     * @param other the number of the other cluster
     * @throws RuntimeException if threads only wait there
     */
    void hasWaited(int rank, CallPath where, long other);
  }

  private static final long NONE = -1;

  private final Cluster cluster;
  private final int rank;
  private final @Nullable LookedPlaces places;
  private long place = NONE;
  private int times;
  private boolean isNoted;

  /** What the element held at the first look. */
  private long seen;

  /** The number of the cluster that had begun last when the thread saw what it sees. */
  private long begunBefore;

  /** The cluster that has changed what the thread saw, and had not begun then. */
  private volatile long writer = NONE;

  private @Nullable CallPath line;

  /**
   * Creates the looks of a thread.
   *
   * @param places null if all blocks of the launch are there at the same time
   */
  ThreadLooks(Cluster cluster, int rank, @Nullable LookedPlaces places) {
    this.cluster = cluster;
    this.rank = rank;
    this.places = places;
  }

  /**
   * Called before a thread looks at an element, which it does not change.
   *
   * @param content reads the element
   */
  void looks(long at, LongSupplier content) {
    if (places == null) {
      return;
    }
    if (at != place) {
      goesOn();
      place = at;
    }
    if (writer != NONE) {
      if (line == null) {
        line = cluster.here();
        return;
      }
      reset(); // what it has seen was not what it waits for
      place = at;
    }
    if (++times == 1) {
      seen = content.getAsLong();
    } else if (times == 2) {
      begunBefore = places.begun();
      isNoted = true;
      places.looks(at, this);
      // What changed before nobody told: a lock may have been released, and be taken again now.
      long now = content.getAsLong();
      if (now != seen) {
        places.forget(at, this);
        reset();
        place = at;
        times = 1;
        seen = now;
      }
    }
  }

  /** Called when the thread changes an element, which held this before. */
  void changes(long at, long old) {
    if (places == null) {
      return;
    }
    goesOn();
    places.changes(at, cluster.number(), cluster.beginNumber(), old);
  }

  @Override
  public void hasChanged(long by, long number, long old) {
    isNoted = false;
    // If the element held something else, another block has changed it first and told too early,
    // such as one that has released a lock.
    if (by != cluster.number() && number > begunBefore && old == seen) {
      writer = by;
    } else {
      times = 0;
    }
  }

  /**
   * Called when the thread does something else than looking at that element.
   *
   * @throws RuntimeException if it has waited for a block that had not begun
   */
  void goesOn() {
    if (place == NONE) {
      return;
    }
    long by = writer;
    CallPath where = line;
    if (isNoted && places != null) {
      places.forget(place, this);
    }
    reset();
    if (by != NONE && where != null) {
      cluster.hasWaited(rank, where, by);
    }
  }

  /** Called when a thread begins. */
  void begin() {
    if (isNoted && places != null) {
      places.forget(place, this);
    }
    reset();
  }

  private void reset() {
    place = NONE;
    times = 0;
    isNoted = false;
    writer = NONE;
    line = null;
  }
}
