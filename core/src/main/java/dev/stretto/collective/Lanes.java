package dev.stretto.collective;

import dev.stretto.Device;
import dev.stretto.Stream;
import java.util.ArrayList;
import java.util.List;

/**
 * A stream for every ordered pair of devices, on the sender's, so that copies of different pairs
 * never wait for each other. A device's pair with itself is for what stays there.
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

  /** Work that is under way runs to its end. */
  void close() {
    streams.forEach(Stream::close);
  }
}
