package dev.stretto.spark;

import java.util.List;
import org.apache.spark.TaskContext;

/** Gives a task of Spark the devices that it may use. */
public final class SparkDevices {
  private SparkDevices() {}

  /**
   * {@return the calling task's device, the same one whenever this task asks} It is the GPU that
   * Spark has assigned to the task; of several, the first. Other tasks use the same GPU if {@code
   * spark.task.resource.gpu.amount} allows that. If it was lost, another device of the executor
   * takes its place, and the executor's log says so once.
   *
   * <p>What the task has on the device ends with the task: see {@link TaskDevice}.
   *
   * @throws NoTaskDeviceException if the caller is not a task's own thread, {@link StrettoPlugin}
   *     does not run, Spark has assigned no GPU to the task, or the executor has lost all of its
   *     devices
   * @throws SecondCopyException if another class loader's copy of Stretto owns the devices
   * @throws dev.stretto.fault.SettingException if {@code spark.stretto.taskAmount} is no positive
   *     number
   */
  public static TaskDevice ofTask() {
    return allOfTask().getFirst();
  }

  /**
   * {@return the calling task's devices, as many as Spark has assigned to it, in the order of their
   * addresses}
   *
   * @throws NoTaskDeviceException if the caller is not a task's own thread, {@link StrettoPlugin}
   *     does not run, Spark has assigned no GPU to the task, or the executor has lost all of its
   *     devices
   * @throws SecondCopyException if another class loader's copy of Stretto owns the devices
   * @throws dev.stretto.fault.SettingException if {@code spark.stretto.taskAmount} is no positive
   *     number
   */
  public static List<TaskDevice> allOfTask() {
    LoadedCopy.requireNoOther();
    TaskContext context = TaskContext.get();
    if (context == null) {
      throw new NoTaskDeviceException(
          "this thread runs no task of Spark: ask on the task's own thread, and hand the TaskDevice"
              + " to others");
    }
    ExecutorDevices devices = ExecutorDevices.current();
    if (devices == null) {
      throw new NoTaskDeviceException(
          "the plugin does not run in this process: set spark.plugins to "
              + StrettoPlugin.class.getName());
    }
    return devices.of(context);
  }
}
