package dev.stretto.spark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The devices of an executor that have not been lost, and which of them stands in for which. */
final class LiveDevices implements AutoCloseable {
  /** Is told of a device that was given up, and how many are left. */
  interface Loss {
    void gaveUp(OpenedDevice device, int left);
  }

  private static final Logger LOG = LoggerFactory.getLogger(StrettoPlugin.class);

  /** Longer than an executor takes that ends: its tasks then run elsewhere. */
  private static final Duration LEAVING = Duration.ofSeconds(20);

  private final List<OpenedDevice> all;
  private final Loss loss;
  private final boolean exits;
  private final Set<OpenedDevice> lost = new HashSet<>();
  private final Set<String> replaced = new HashSet<>();

  /**
   * @param exits whether the process ends after the last loss
   */
  LiveDevices(List<OpenedDevice> all, Loss loss, boolean exits) {
    this.all = all;
    this.loss = loss;
    this.exits = exits;
  }

  /**
   * {@return the device at an address; in place of one that was lost, that of the fewest tasks}
   *
   * @throws NoTaskDeviceException if there is none
   */
  OpenedDevice at(String address) {
    giveUpLost();
    for (OpenedDevice device : all) {
      if (device.address().equals(address) && device.isUsable()) {
        return device;
      }
    }
    OpenedDevice other =
        all.stream()
            .filter(OpenedDevice::isUsable)
            .min(Comparator.comparingInt(OpenedDevice::tasks))
            .orElse(null);
    if (other == null) {
      awaitExit();
      throw new NoTaskDeviceException(none(address));
    }
    if (isFirstReplacement(address)) {
      LOG.warn(
          "tasks with the GPU at address {}, which was lost, run on {} from now on",
          address,
          other);
    }
    return other;
  }

  private String none(String address) {
    if (all.isEmpty()) {
      return "this executor has no device, but Spark has assigned the GPU at address %s to a task"
          .formatted(address);
    }
    return "this executor has lost all of its %d devices, that at address %s among them: with"
            .formatted(all.size(), address)
        + " %s=exit Spark replaces such an executor".formatted(SparkSettings.ON_LOST);
  }

  private synchronized boolean isFirstReplacement(String address) {
    return replaced.add(address);
  }

  /** Local mode assigns no addresses: the tasks take turns. */
  List<String> addressFor(long task) {
    if (all.isEmpty()) {
      throw new NoTaskDeviceException(
          "local mode has no GPU here: set %s to virtual devices, such as virtual:h200x2"
              .formatted(SparkSettings.DEVICES));
    }
    return List.of(all.get((int) (task % all.size())).address());
  }

  /**
   * Reports each device once that was lost, and closes it when its last task has ended: until then,
   * its tasks are told of the fault, and not that the device was closed.
   */
  void giveUpLost() {
    for (OpenedDevice device : newlyLost()) {
      loss.gaveUp(device, (int) all.stream().filter(OpenedDevice::isUsable).count());
    }
    for (OpenedDevice device : all) {
      if (device.device().isLost() && device.tasks() == 0) {
        device.device().close();
      }
    }
  }

  private synchronized List<OpenedDevice> newlyLost() {
    List<OpenedDevice> found = new ArrayList<>();
    for (OpenedDevice device : all) {
      if (device.device().isLost() && lost.add(device)) {
        found.add(device);
      }
    }
    return found;
  }

  /**
   * A task that begins in a process that is going to end waits for that, and runs elsewhere:
   * otherwise, Spark would try it here until it has failed too often.
   */
  private void awaitExit() {
    if (!exits || all.isEmpty()) {
      return;
    }
    try {
      Thread.sleep(LEAVING);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    all.forEach(each -> each.device().close());
  }
}
