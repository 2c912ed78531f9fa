package dev.stretto.timeline;

import dev.stretto.Observer.Kind;

/** The part of a device that an operation occupies, or threads of the host. */
public enum Engine {
  /** Threads of the host that read what is copied to the device. */
  READING("reading"),
  /** The copy engine that copies host memory to the device. */
  HOST_TO_DEVICE("H2D engine"),
  /**
   * The multiprocessors: kernels, fills, copies within the device, and graphs whose nodes are not
   * known, since it is not known when those occupy which engine.
   */
  KERNELS("kernels"),
  /** The copy engine that copies device memory to the host. */
  DEVICE_TO_HOST("D2H engine"),
  /** The link to other devices: copies between two devices occupy that of both. */
  PEER("peer link"),
  /** Threads of the host that write what was copied from the device. */
  WRITING("writing"),
  /** None: a stream that writes a number, or waits. */
  NONE("none");

  private final String title;

  Engine(String title) {
    this.title = title;
  }

  /** {@return the title of a timeline's row for this engine} */
  public String title() {
    return title;
  }

  /** {@return whether it is threads of the host} */
  public boolean isHost() {
    return this == READING || this == WRITING;
  }

  static Engine of(Kind kind) {
    return switch (kind) {
      case HOST_TO_DEVICE -> HOST_TO_DEVICE;
      case DEVICE_TO_HOST -> DEVICE_TO_HOST;
      case READ -> READING;
      case WRITE -> WRITING;
      case DEVICE_TO_DEVICE, FILL, KERNEL, GRAPH -> KERNELS;
      case PEER -> PEER;
      case WRITE_VALUE, WAIT_VALUE, WAIT_EVENT -> NONE;
    };
  }
}
