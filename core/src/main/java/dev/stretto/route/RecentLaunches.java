package dev.stretto.route;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which kernels and graphs a stream was given lately, and where: CUDA does not say which kernel has
 * faulted, so a lost device names those that were not known to be done. A launch that is noted
 * allocates nothing. Guarded by the driver's lock.
 */
final class RecentLaunches {
  /** How many different launches are kept apart. */
  private static final int MOST = 16;

  /**
   * A launch that may be under way.
   *
   * @param what a kernel or a graph, by name
   * @param place the line that launched it, or null if it was not asked for
   */
  record Launched(String what, @Nullable StackTraceElement place) {}

  private @Nullable Object[] what = {};
  private @Nullable StackTraceElement[] places = {};
  private long[] sequences = {};
  private int count;
  private int latest;

  /** The number of the last launch that there was no room for. */
  private long leftOut;

  /**
   * Notes a launch that the driver is given now.
   *
   * @param launched a kernel's name, or what tells of a graph by its {@code toString()}
   * @param place the line of the program, or null
   * @param sequence the launch's number
   * @param completed up to which number all is known to be done
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
      return latest; // as a rule
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

  /** The index of a launch that is done, or a new one; -1 if all that are kept may be under way. */
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

  /** {@return the launches of which one at least is not known to be done} */
  List<Launched> after(long completed) {
    List<Launched> launches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (sequences[i] > completed) {
        launches.add(new Launched(String.valueOf(what[i]), places[i]));
      }
    }
    return launches;
  }

  /** {@return whether there are others beside those} */
  boolean isMoreThanKept(long completed) {
    return leftOut > completed;
  }
}
