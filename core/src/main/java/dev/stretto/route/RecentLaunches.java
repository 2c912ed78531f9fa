package dev.stretto.route;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The kernels and graphs that were recently launched on a stream, and the lines that launched them.
 * CUDA does not say which kernel has faulted, so a lost device names those that were not known to
 * be done. Noting a launch allocates nothing. Guarded by the driver's lock.
 */
final class RecentLaunches {
  /** How many different launches are remembered. */
  private static final int MOST = 16;

  /**
   * A launch that may be in flight.
   *
   * @param what the name of a kernel or a graph
   * @param place the line that launched it, or null if lines are not kept
   */
  record Launched(String what, @Nullable StackTraceElement place) {}

  private @Nullable Object[] what = {};
  private @Nullable StackTraceElement[] places = {};
  private long[] sequences = {};
  private int count;
  private int latest;

  /** The number of the last launch for which there was no room. */
  private long leftOut;

  /**
   * Notes a launch that is being handed to the driver.
   *
   * @param launched a kernel's name, or an object whose {@code toString()} describes a graph
   * @param place the line of the program, or null
   * @param sequence the launch's number
   * @param completed the number up to which everything is known to be done
   */
  void note(Object launched, @Nullable StackTraceElement place, long sequence, long completed) {
    int at = indexOf(launched, place);
    if (at < 0) {
      at = room(completed);
      if (at < 0) {
        leftOut = sequence;
        return;
      }
      what[at] = launched;
      places[at] = place;
    }
    sequences[at] = sequence;
    latest = at;
  }

  private int indexOf(Object launched, @Nullable StackTraceElement place) {
    if (isAt(latest, launched, place)) {
      return latest; // the usual case
    }
    for (int i = 0; i < count; i++) {
      if (isAt(i, launched, place)) {
        return i;
      }
    }
    return -1;
  }

  private boolean isAt(int i, Object launched, @Nullable StackTraceElement place) {
    return i < count && launched.equals(what[i]) && Objects.equals(place, places[i]);
  }

  /** {@return the index of a finished launch, or a new one; -1 if all may be in flight} */
  private int room(long completed) {
    if (count < MOST) {
      if (count == 0) {
        what = new Object[MOST];
        places = new StackTraceElement[MOST];
        sequences = new long[MOST];
      }
      return count++;
    }
    for (int i = 0; i < count; i++) {
      if (sequences[i] <= completed) {
        return i;
      }
    }
    return -1;
  }

  /** {@return the kernels and graphs with a launch that is not known to be done} */
  List<Launched> after(long completed) {
    List<Launched> launches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (sequences[i] > completed) {
        launches.add(new Launched(String.valueOf(what[i]), places[i]));
      }
    }
    return launches;
  }

  /** {@return whether further launches, which are not remembered, may be in flight} */
  boolean isMoreThanKept(long completed) {
    return leftOut > completed;
  }
}
