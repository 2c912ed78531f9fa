package dev.stretto;

import dev.stretto.settings.Settings;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Logs once per process that a virtual device stands in for a GPU. It does so on a machine without
 * a driver too, because a container that was started without its GPU looks just like a laptop.
 */
final class StandIn {
  private static final AtomicBoolean SAID = new AtomicBoolean();

  private StandIn() {}

  /**
   * Logs a warning, unless there was one before.
   *
   * @param call the call that returned the virtual device
   * @param reason why there is no GPU
   */
  static void opened(String call, String reason) {
    if (SAID.compareAndSet(false, true)) {
      System.getLogger("dev.stretto")
          .log(
              System.Logger.Level.WARNING,
              call
                  + " returns a virtual device, which stands in for a GPU and computes on the host:"
                  + " "
                  + reason
                  + ". If a GPU is required, call Device.openGpu() or set "
                  + Settings.DEVICE.option()
                  + "=gpu; if a virtual device is meant, call Device.open(\"virtual\") or set "
                  + Settings.DEVICE.option()
                  + "=virtual");
    }
  }
}
