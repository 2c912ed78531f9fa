package dev.stretto;

import dev.stretto.settings.Settings;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Says once in a process that a virtual device stands in for a GPU. A container that was started
 * without its GPU looks just like a laptop, so that a machine without a driver is no exception.
 */
final class StandIn {
  private static final AtomicBoolean SAID = new AtomicBoolean();

  private StandIn() {}

  /**
   * Logs a warning, unless there was one before.
   *
   * @param call that gave the virtual device
   * @param reason why there is no GPU
   */
  static void opened(String call, String reason) {
    if (SAID.compareAndSet(false, true)) {
      System.getLogger("dev.stretto")
          .log(
              System.Logger.Level.WARNING,
              call
                  + " gives a virtual device, which stands in for a GPU and computes on the host: "
                  + reason
                  + ". If a GPU has to be there, call Device.openGpu() or set "
                  + Settings.DEVICE.option()
                  + "=gpu; if a virtual device is meant, call Device.open(\"virtual\") or set "
                  + Settings.DEVICE.option()
                  + "=virtual");
    }
  }
}
