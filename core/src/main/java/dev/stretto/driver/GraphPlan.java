package dev.stretto.driver;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A graph before the driver creates it: its work and its order. A step can depend only on earlier
 * steps, so there are no cycles.
 *
 * @param steps the nodes
 */
public record GraphPlan(List<Step> steps) {
  /**
   * One node.
   *
   * @param work what it does
   * @param after the numbers of the steps that have to be done before it, all less than its own
   */
  public record Step(GraphWork work, List<Integer> after) {
    /** Keeps an immutable copy of the list. */
    public Step {
      after = List.copyOf(after);
    }
  }

  /**
   * Keeps an immutable copy of the list.
   *
   * @throws IllegalArgumentException if a step comes after itself or a later one
   */
  public GraphPlan {
    steps = List.copyOf(steps);
    for (int i = 0; i < steps.size(); i++) {
      for (int before : steps.get(i).after()) {
        if (before < 0 || before >= i) {
          throw new IllegalArgumentException("step " + i + " comes after step " + before);
        }
      }
    }
  }

  /**
   * {@return the plan with other work in the same order}
   *
   * @param works the new work of the steps
   */
  public GraphPlan with(GraphWork... works) {
    return new GraphPlan(
        IntStream.range(0, works.length)
            .mapToObj(i -> new Step(works[i], steps.get(i).after()))
            .toList());
  }

  /** {@return the numbers of the steps that no other step depends on} */
  public Stream<Integer> ends() {
    boolean[] inner = new boolean[steps.size()];
    steps.forEach(step -> step.after().forEach(before -> inner[before] = true));
    return IntStream.range(0, inner.length).filter(i -> !inner[i]).boxed();
  }
}
