package dev.stretto.driver.virtual;

import java.util.List;

/**
 * What can happen now.
 *
 * @param operations operations, of which some may have been dropped
 * @param tasks tasks of the host
 */
record Ready(List<Step> operations, List<Step> tasks) {
  int size() {
    return operations.size() + tasks.size();
  }

  Step get(int index) {
    return index < operations.size() ? operations.get(index) : tasks.get(index - operations.size());
  }

  /** Removes a step without keeping the order, which would take time. */
  Step remove(int index) {
    return index < operations.size()
        ? remove(operations, index)
        : remove(tasks, index - operations.size());
  }

  private static Step remove(List<Step> steps, int index) {
    Step last = steps.removeLast();
    return index == steps.size() ? last : steps.set(index, last);
  }
}
