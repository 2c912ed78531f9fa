package dev.stretto.timeline;

import dev.stretto.Observer.Kind;

/** The part of a device that an operation occupies. */
public enum Engine {
  /** The copy engine that copies host memory to the device. */
  HOST_TO_DEVICE("H2D engine"),
  /**
   * The multiprocessors: kernels, fills, copies within the device, and graphs, since it is not
   * known when a graph occupies which engine.
   */
  KERNELS("kernels"),
  /** The copy engine that copies device memory to the host. */
  DEVICE_TO_HOST("D2H engine");

  private final String title;

  Engine(String title) {
    this.title = title;
  }

  /** {@return the title of a timeline's row for this engine} */
  public String title() {
    return title;
  }

  static Engine of(Kind kind) {
    return switch (kind) {
      case HOST_TO_DEVICE -> HOST_TO_DEVICE;
      case DEVICE_TO_HOST -> DEVICE_TO_HOST;
      case DEVICE_TO_DEVICE, FILL, KERNEL, GRAPH -> KERNELS;
    };
  }
}
