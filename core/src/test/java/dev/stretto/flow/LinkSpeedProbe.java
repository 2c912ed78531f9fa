package dev.stretto.flow;

import dev.stretto.Device;
import java.util.Locale;

/**
 * Prints what a flow takes the link of a device for, in this process for the first time and again.
 */
final class LinkSpeedProbe {
  private LinkSpeedProbe() {}

  public static void main(String[] args) {
    for (int i = 0; i < 4; i++) {
      try (Device device = Device.open(args[0])) {
        LinkSpeed link = LinkSpeed.of(device);
        System.out.println(
            String.format(
                Locale.ROOT,
                "%s: %.2f us a copy, %.2f GB/s",
                device.name(),
                link.nanosPerCopy() / 1e3,
                link.bytesPerNano()));
      }
    }
  }
}
