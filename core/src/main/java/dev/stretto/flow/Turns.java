package dev.stretto.flow;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Runs what is numbered in the order of the numbers, one at a time and without gaps. */
final class Turns {
  private record Turn(long number, Runnable body) {}

  private final PriorityQueue<Turn> waiting =
      new PriorityQueue<>(Comparator.comparingLong(Turn::number));
  private long next;
  private boolean isRunning;

  /**
   * Runs an action, and others that waited for it, on this thread; or leaves it to the thread that
   * runs the one before it. If an action throws, those after it never run.
   *
   * @param number 0 for the first
   */
  void take(long number, Runnable body) {
    synchronized (this) {
      waiting.add(new Turn(number, body));
    }
    for (Turn turn = begin(); turn != null; turn = begin()) {
      turn.body.run();
      synchronized (this) {
        next++;
        isRunning = false;
      }
    }
  }

  private synchronized @Nullable Turn begin() {
    Turn first = waiting.peek();
    if (isRunning || first == null || first.number != next) {
      return null;
    }
    isRunning = true;
    return waiting.remove();
  }
}
