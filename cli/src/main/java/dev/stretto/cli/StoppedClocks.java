package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.driver.HostClock;
import java.util.List;

/** The host's clock as virtual devices see it, turned back to one time again and again. */
final class StoppedClocks {
  private final List<HostClock> clocks;
  private final long[] stopped;

  /** The clocks of some devices; those of GPUs cannot be stopped. */
  StoppedClocks(List<Device> devices) {
    this.clocks = devices.stream().map(Device::hostClock).filter(HostClock::isModelled).toList();
    this.stopped = new long[clocks.size()];
  }

  void stop() {
    for (int i = 0; i < stopped.length; i++) {
      stopped[i] = clocks.get(i).now();
    }
  }

  void turnBack() {
    for (int i = 0; i < stopped.length; i++) {
      clocks.get(i).set(stopped[i]);
    }
  }
}
