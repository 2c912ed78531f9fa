package dev.stretto.flow;

import dev.stretto.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets the seeded devices of a flow advance while a program waits for it: all of them by turns, a
 * few steps each, as the seeds pick.
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

  /** {@return whether the flow stands still unless somebody lets it advance} */
  boolean areNeeded() {
    return needed;
  }

  /**
   * {@return whether there was anything to wait for} Lets every device advance, and waits for a
   * step of one of them, by turns, so that a device that needs no steps is not waited for by asking
   * without end.
   *
   * @throws dev.stretto.fault.DeadlockException if nothing can happen any more
   */
  boolean advance() {
    List<Event> steps = lastSteps();
    if (lanes.size() > 1) {
      for (Event step : steps) {
        boolean _ = step.await(Duration.ZERO); // lets a seeded device take a step
      }
    }
    if (!steps.isEmpty()) {
      turn = (turn + 1) % steps.size();
      boolean _ = steps.get(turn).await(PATIENCE); // for it may wait for somebody outside
    }
    return !steps.isEmpty();
  }

  /** The last step that each chunk's stream was given, those of different devices by turns. */
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
