package dev.stretto.flow;

import dev.stretto.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Advances the seeded devices of a flow while a program waits for it: all of them in turn, a few
 * steps each, as the seeds pick.
 */
final class SeededSteps {
  private static final Duration PATIENCE = Duration.ofMillis(10);

  private final List<Lane> lanes;
  private final boolean needed;
  private int turn;

  SeededSteps(List<Lane> lanes) {
    this.lanes = lanes;
    this.needed = lanes.stream().anyMatch(lane -> lane.device.isSeeded());
  }

  /** {@return whether the flow stands still unless a thread advances it} */
  boolean areNeeded() {
    return needed;
  }

  /**
   * {@return whether there was anything to wait for} Advances every device, and waits for a step of
   * one of them, in turn, rather than polling a device that needs no steps.
   *
   * @throws dev.stretto.fault.DeadlockException if nothing can happen any more
   */
  boolean advance() {
    List<Event> steps = lastSteps();
    if (lanes.size() > 1) {
      for (Event step : steps) {
        boolean _ = step.await(Duration.ZERO); // makes a seeded device take a step
      }
    }
    if (!steps.isEmpty()) {
      turn = (turn + 1) % steps.size();
      boolean _ = steps.get(turn).await(PATIENCE); // since it may wait for something outside
    }
    return !steps.isEmpty();
  }

  /** The last step in each chunk's stream, with those of different devices in turn. */
  private List<Event> lastSteps() {
    List<Event> steps = new ArrayList<>();
    int deepest = lanes.stream().mapToInt(Lane::depth).max().orElse(0);
    for (int i = 0; i < deepest; i++) {
      for (Lane lane : lanes) {
        Event last = i < lane.slots().size() ? lane.slots().get(i).last : null;
        if (last != null) {
          steps.add(last);
        }
      }
    }
    return steps;
  }
}
