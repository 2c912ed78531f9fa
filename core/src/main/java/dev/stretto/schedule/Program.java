package dev.stretto.schedule;

import dev.stretto.Device;
import java.util.List;

/**
 * A program to run under schedules. It fails by an exception. It must do the same in each run:
 * everything that it does depends on the devices alone, and one thread uses them.
 */
@FunctionalInterface
public interface Program {
  /**
   * Runs once.
   *
   * @param devices the devices, fresh; they are closed afterwards
   * @throws Throwable if it fails
   */
  void run(List<Device> devices) throws Throwable;
}
