package dev.stretto.timeline;

import dev.stretto.Observer.Kind;

/** The part of a device that an operation occupies. */
public enum Engine {
  /** The copy engine that brings host memory to the device. */
  HOST_TO_DEVICE("H2D engine"),
  /**
   * The multiprocessors: kernels, fills, copies within the device, and graphs, of which it is not
   * known when they occupy what.
   */
  KERNELS("kernels"),
  /** The copy engine that takes device memory to the host. */
  DEVICE_TO_HOST("D2H engine");

  private final String title;

  Engine(String title) {
    this.title = title;
  }

  /** {@return what a row of a timeline is called that shows this engine} */
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
