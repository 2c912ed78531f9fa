package dev.stretto.schedule;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What the exploration of a program has shown.
 *
 * @param runs how many schedules ran, without those that ran again
 * @param failing the first run that failed, if any
 * @param differences for each seed that ran twice and was not the same both times, a sentence that
 *     says where the two runs differ; then a seed does not stand for one schedule, and what it
 *     shows may not come again
 */
public record Exploration(int runs, Optional<Outcome> failing, List<String> differences) {
  /** Keeps an immutable copy of the list. */
  public Exploration {
    Objects.requireNonNull(failing, "failing");
    differences = List.copyOf(differences);
  }
}
