package dev.stretto.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a call has to tell.
 *
 * @param hooks what is called before it and behind it
 * @param tasks by the place of an argument that is a task: the hook that makes it tell its begin
 *     and its end
 */
record Handing(List<Hook> hooks, Map<Integer, String> tasks) {
  /** The hook for a collection of tasks. */
  static final String COLLECTION = "tasks";

  static final Handing NOTHING = new Handing(List.of(), Map.of());

  Handing {
    hooks = List.copyOf(hooks);
    tasks = Map.copyOf(tasks);
  }

  boolean isNothing() {
    return hooks.isEmpty() && tasks.isEmpty();
  }

  /** {@return the same and more hooks} */
  Handing with(List<Hook> more) {
    List<Hook> all = new ArrayList<>(more);
    all.addAll(hooks);
    return new Handing(all, tasks);
  }
}
