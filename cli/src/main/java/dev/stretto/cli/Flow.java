package dev.stretto.cli;

import java.util.List;

/**
 * Copies that follow each other on a stream, all from one place to another.
 *
 * @param from a device's number, or {@link #HOST}
 * @param to a device's number, or {@link #HOST}
 * @param at the number of the stream's device
 * @param times a multiple of the requested size
 * @param byKernel whether a kernel copies, and not the copy engine
 */
record Flow(int from, int to, int at, int times, boolean byKernel) {
  static final int HOST = -1;

  static Flow toDevice(int device) {
    return new Flow(HOST, device, device, 1, false);
  }

  static Flow toHost(int device) {
    return new Flow(device, HOST, device, 1, false);
  }

  static Flow local(int device) {
    return new Flow(device, device, device, 1, false);
  }

  /** A device reads from another. */
  static Flow read(int reader, int other) {
    return new Flow(other, reader, reader, 1, false);
  }

  /** A device writes to another. */
  static Flow write(int writer, int other) {
    return new Flow(writer, other, writer, 1, false);
  }

  /**
   * The same flow with twice the bytes, so that it is still running when the measured flow ends.
   */
  Flow doubled() {
    return new Flow(from, to, at, 2 * times, byKernel);
  }

  /** The same flow, copied by a kernel of the stream's device. */
  Flow copiedByKernel() {
    return new Flow(from, to, at, times, true);
  }

  boolean isBetweenDevices() {
    return from != HOST && to != HOST && from != to;
  }

  String describe(List<String> devices) {
    return name(from, devices) + " to " + name(to, devices);
  }

  private static String name(int end, List<String> devices) {
    return end == HOST ? "host" : devices.get(end);
  }
}
