package dev.stretto.spark;

import dev.stretto.fault.SettingException;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;
import org.apache.spark.SparkConf;

/**
 * Stretto's settings of an application.
 *
 * @param devices what the addresses of GPUs index: {@code cuda}, or the name of virtual devices
 * @param onLost what happens after the last device was lost
 * @param memoryWait how long a task waits for memory of other tasks
 * @param pinnedBytes how much an executor's tasks may pin; 0 for the core's own budgets
 * @param amount how much of a GPU a task has, unless the job says otherwise
 * @param offHeap whether Spark accounts for memory outside of the heap
 */
record SparkSettings(
    String devices,
    OnLost onLost,
    Duration memoryWait,
    long pinnedBytes,
    double amount,
    boolean offHeap) {
  static final String RESOURCE = "gpu";
  static final String CUDA = "cuda";

  static final String DEVICES = "spark.stretto.devices";
  static final String ON_LOST = "spark.stretto.onLost";
  static final String MEMORY_WAIT = "spark.stretto.memoryWait";
  static final String PINNED = "spark.stretto.pinned";

  /** A local property too, for the stages of a profile that differs. */
  static final String TASK_AMOUNT = "spark.stretto.taskAmount";

  static final String SPARK_AMOUNT = "spark.task.resource.gpu.amount";
  private static final String OFF_HEAP = "spark.memory.offHeap.enabled";

  static SparkSettings of(SparkConf conf) {
    return new SparkSettings(
        devices(conf.get(DEVICES, CUDA)),
        onLost(conf.get(ON_LOST, "exit")),
        Duration.ofSeconds(number(MEMORY_WAIT, () -> conf.getTimeAsSeconds(MEMORY_WAIT, "60s"))),
        number(PINNED, () -> conf.getSizeAsBytes(PINNED, "0")),
        conf.contains(TASK_AMOUNT)
            ? amount(TASK_AMOUNT, conf.get(TASK_AMOUNT))
            : amount(SPARK_AMOUNT, conf.get(SPARK_AMOUNT, "1")),
        conf.getBoolean(OFF_HEAP, false));
  }

  private static String devices(String name) {
    if (!name.equals(CUDA) && !name.startsWith("virtual")) {
      throw new SettingException(
          "%s is '%s': set it to %s, for the GPUs of a machine, or to virtual devices, such as"
                  .formatted(DEVICES, name, CUDA)
              + " virtual:h200x2");
    }
    if (name.contains("seed=")) {
      throw new SettingException(
          "%s is '%s': a device with a seed works only while the program waits for it, and Spark's"
                  .formatted(DEVICES, name)
              + " tasks wait for each other too; leave the seed out");
    }
    return name;
  }

  private static OnLost onLost(String word) {
    return switch (word) {
      case "exit" -> OnLost.EXIT;
      case "keep" -> OnLost.KEEP;
      default ->
          throw new SettingException("%s is '%s': set it to exit or keep".formatted(ON_LOST, word));
    };
  }

  private static long number(String setting, Supplier<Long> value) {
    try {
      return value.get();
    } catch (NumberFormatException e) {
      throw new SettingException("%s: %s".formatted(setting, e.getMessage()), e);
    }
  }

  /** {@return how much of a GPU a task has} Of several GPUs, it has all of each. */
  static double amount(String setting, String value) {
    double amount;
    try {
      amount = Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw new SettingException("%s is '%s', which is no number".formatted(setting, value), e);
    }
    if (!(amount > 0)) {
      throw new SettingException(
          String.format(Locale.ROOT, "%s is %s: it has to be more than 0", setting, value));
    }
    return Math.min(amount, 1);
  }
}
