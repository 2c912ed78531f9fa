package dev.stretto.observe;

/** What an operation does; {@code dev.stretto.Observer.Kind} is the same for programs. */
public enum WorkKind {
  /** Host memory to the device. */
  HOST_TO_DEVICE,
  /** The device to host memory. */
  DEVICE_TO_HOST,
  /** Within the device, or between devices. */
  DEVICE_TO_DEVICE,
  /** A fill. */
  FILL,
  /** A kernel. */
  KERNEL,
  /** A launch of a graph. */
  GRAPH;

  /** {@return whether it runs kernels} */
  boolean isLaunch() {
    return this == KERNEL || this == GRAPH;
  }
}
