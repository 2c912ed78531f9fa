package dev.stretto.kernel.machine;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Which threads of a cluster have looked for what others do since anything has happened. A launch
 * may say that it waits only when all of its threads that can go on have looked in vain.
 */
final class ClusterLooks {
  /**
   * How often the threads of a cluster may get past barriers and the like before that counts as
   * getting on again, although they have looked before.
   */
  private static final int PASSES_OF_A_LOOK = 10_000;

  private final VainLooks launch;
  private final BitSet looked = new BitSet();
  private long lookedSince = -1;
  private boolean hasAsked;
  private long askedSince;
  private int passesSinceLook;

  ClusterLooks(VainLooks launch) {
    this.launch = launch;
  }

  /** Notes that a thread has looked for something. */
  void look(int rank) {
    asks(1);
    looked.set(rank);
  }

  /** Notes that all threads of the cluster that can go on have looked for something. */
  void look(BitSet ready, int count) {
    asks(count);
    looked.or(ready);
  }

  /** Notes that a thread waits by asking again, which is no reason for a launch to pause. */
  void asksAgain(int rank) {
    noteLooked();
    looked.set(rank);
  }

  /**
   * Notes that a thread accesses memory in a way in which threads look for something.
   *
   * @param visited where it has been; null if that does not matter
   */
  void mayLook(@Nullable VisitedPlaces visited, long place) {
    if (visited != null && visited.areNew(place, launch.changeCount())) {
      launch.moves(); // nobody looks for anything where it has not been before
    } else {
      mayLook();
    }
  }

  private void mayLook() {
    hasAsked = true;
    askedSince = launch.changeCount();
    passesSinceLook = 0;
  }

  private void asks(int count) {
    mayLook();
    launch.look(count);
    noteLooked();
  }

  private void noteLooked() {
    if (lookedSince != launch.roundCount()) {
      lookedSince = launch.roundCount();
      looked.clear();
    }
  }

  /** Notes that threads have got past a barrier, or have returned. */
  void passes() {
    if (hasAsked && (askedSince != launch.changeCount() || ++passesSinceLook > PASSES_OF_A_LOOK)) {
      hasAsked = false;
    }
    if (hasAsked) {
      launch.passes(); // they may look and get past barriers for ever
    } else {
      launch.moves();
    }
  }

  /** Whether threads look and get past barriers again and again, and nothing else has changed. */
  boolean areDue() {
    return hasAsked && askedSince == launch.changeCount() && launch.areDue();
  }

  /** Whether all of some threads have looked since anything has happened. */
  boolean haveAllLooked(BitSet ready) {
    if (areDue()) {
      return true; // they look between barriers, at which others of them wait
    }
    if (ready.isEmpty()) {
      return true;
    }
    if (lookedSince != launch.roundCount()) {
      return false;
    }
    for (int rank = ready.nextSetBit(0); rank >= 0; rank = ready.nextSetBit(rank + 1)) {
      if (!looked.get(rank)) {
        return false;
      }
    }
    return true;
  }
}
