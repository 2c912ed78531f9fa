package dev.stretto.spark;

import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Opens each executor's devices once and closes them when the executor ends. Set {@code
 * spark.plugins} to {@code dev.stretto.spark.StrettoPlugin}.
 *
 * <p>The devices are those that Spark has assigned to the executor, as the resource {@code gpu}. In
 * local mode, where Spark assigns none, they are all that {@code spark.stretto.devices} names. An
 * executor whose devices cannot be opened ends, and its log says why. The metrics of the devices
 * are in Spark's registry, as {@code plugin.dev.stretto.spark.StrettoPlugin.gpu0.bytesToDevice} and
 * so on.
 *
 * <p>These settings apply, with their defaults:
 *
 * <ul>
 *   <li>{@code spark.stretto.devices}: {@code cuda}: what Spark's addresses index: {@code cuda} for
 *       the machine's GPUs, or the name of virtual devices, such as {@code virtual:h200x2};
 *   <li>{@code spark.stretto.onLost}: {@code exit}: an executor that has lost its last device ends
 *       with exit code 20, so that Spark replaces it; {@code keep}: it goes on;
 *   <li>{@code spark.stretto.memoryWait}: {@code 60s}: how long a task waits for memory of others;
 *   <li>{@code spark.stretto.pinned}: {@code 0}: how many bytes an executor's tasks may pin, beside
 *       the staging of copies; 0 for what that leaves of a quarter of the machine's memory for each
 *       device;
 *   <li>{@code spark.stretto.taskAmount}: {@code spark.task.resource.gpu.amount}: how much of a GPU
 *       a task has, which is its part of the memory. As a local property of a {@code SparkContext}
 *       it counts for the jobs of a thread, such as those of a resource profile.
 * </ul>
 */
public final class StrettoPlugin implements SparkPlugin {
  /** Called by Spark. */
  public StrettoPlugin() {}

  /** {@return what logs on the driver which executor has lost which device} */
  @Override
  public DriverPlugin driverPlugin() {
    return new DriverReports();
  }

  /** {@return what holds an executor's devices} */
  @Override
  public ExecutorPlugin executorPlugin() {
    return new ExecutorDevices();
  }
}
