package dev.stretto.collective;

import dev.stretto.Device;
import dev.stretto.Stream;
import java.util.ArrayList;
import java.util.List;

/**
 * A stream for every ordered pair of devices, on the sender, so that copies of different pairs
 * never wait for each other. The pair of a device with itself is for copies within the device.
 */
final class Lanes {
  private final int devices;
  private final List<Stream> streams = new ArrayList<>();

  Lanes(List<Device> devices) {
    this.devices = devices.size();
    try {
      for (Device sender : devices) {
        for (Device receiver : devices) {
          streams.add(sender.stream("collective, to " + receiver.name()));
        }
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  int count() {
    return streams.size();
  }

  int number(int from, int to) {
    return from * devices + to;
  }

  int from(int lane) {
    return lane / devices;
  }

  int to(int lane) {
    return lane % devices;
  }

  Stream stream(int lane) {
    return streams.get(lane);
  }

  /** Closes the streams; operations in flight run to their end. */
  void close() {
    streams.forEach(Stream::close);
  }
}
