package dev.stretto.spark;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** What Spark reports: it does so a moment later. */
final class Happenings extends SparkListener {
  private static final long MOST_MILLIS = 60_000;

  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final List<String> added = new CopyOnWriteArrayList<>();
  private final Map<String, String> removed = new ConcurrentHashMap<>();

  @Override
  public void onTaskEnd(SparkListenerTaskEnd end) {
    if (end.reason() instanceof TaskFailedReason reason) {
      failures.add(reason.toErrorString());
    }
  }

  @Override
  public void onExecutorAdded(SparkListenerExecutorAdded executor) {
    added.add(executor.executorId());
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved executor) {
    removed.put(executor.executorId(), executor.reason());
  }

  Map<String, String> removed() {
    return removed;
  }

  List<String> awaitFailures(int count) {
    await(() -> failures.size() >= count, "failures of tasks: " + failures);
    return failures;
  }

  String awaitRemoval(String executor) {
    await(() -> removed.containsKey(executor), "removals of executors: " + removed);
    return removed.get(executor);
  }

  /** {@return the executor that was removed first} */
  String awaitRemoval() {
    await(() -> !removed.isEmpty(), "no executor was removed");
    return removed.keySet().iterator().next();
  }

  /** {@return an executor that began after another one: they have numbers} */
  String awaitReplacement(String executor) {
    await(() -> after(executor).findFirst().isPresent(), "executors that were added: " + added);
    return after(executor).findFirst().orElseThrow();
  }

  private Stream<String> after(String executor) {
    return added.stream().filter(each -> Integer.parseInt(each) > Integer.parseInt(executor));
  }

  private static void await(BooleanSupplier condition, String what) {
    long end = System.currentTimeMillis() + MOST_MILLIS;
    while (!condition.getAsBoolean()) {
      if (System.currentTimeMillis() > end) {
        throw new AssertionError(what);
      }
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
