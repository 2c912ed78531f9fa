package dev.stretto.collective;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalArray;
import java.util.ArrayList;
import java.util.List;

/** One collective operation while it is being enqueued. */
final class CollectiveRun {
  private final Lanes lanes;
  private final List<Event> after;
  private final boolean[] used;
  private final List<Copy> copies = new ArrayList<>();

  /**
   * Begins an operation.
   *
   * @param lanes the streams for its copies
   * @param after the events that all of them wait for
   */
  CollectiveRun(Lanes lanes, List<Event> after) {
    this.lanes = lanes;
    this.after = after;
    this.used = new boolean[lanes.count()];
  }

  void copy(int from, GlobalArray source, int to, GlobalArray destination) {
    copies.add(stream(from, to).copy(source, destination));
  }

  /**
   * Makes the following copies from one device to another wait for a chunk that the first one
   * receives.
   */
  void waitFor(Event event, int from, int to) {
    stream(from, to).waitFor(event);
  }

  /**
   * {@return an event that happens when everything enqueued so far from one device to another has
   * arrived}
   */
  Event arrival(int from, int to) {
    return stream(from, to).record();
  }

  private Stream stream(int from, int to) {
    int lane = lanes.number(from, to);
    Stream stream = lanes.stream(lane);
    if (!used[lane]) {
      after.forEach(stream::waitFor);
      used[lane] = true;
    }
    return stream;
  }

  /** {@return everything that was enqueued, to be awaited} */
  CollectiveCopy end(List<Device> devices, String what) {
    List<CollectiveCopy.End> ends = new ArrayList<>();
    for (int lane = 0; lane < used.length; lane++) {
      if (used[lane]) {
        ends.add(
            new CollectiveCopy.End(
                devices.get(lanes.from(lane)),
                devices.get(lanes.to(lane)),
                lanes.stream(lane).record()));
      }
    }
    return new CollectiveCopy(what, copies, ends);
  }
}
