package dev.stretto.observe;

/** The kind of an operation; {@code dev.stretto.Observer.Kind} is the public form. */
public enum WorkKind {
  /** A copy from host memory to the device. */
  HOST_TO_DEVICE,
  /** A copy from the device to host memory. */
  DEVICE_TO_HOST,
  /** A copy within the device, or between devices. */
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
