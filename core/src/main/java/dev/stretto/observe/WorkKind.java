package dev.stretto.observe;

/** The kind of an operation; {@code dev.stretto.Observer.Kind} is the public form. */
public enum WorkKind {
  /** A copy from host memory to the device. */
  HOST_TO_DEVICE,
  /** A copy from the device to host memory. */
  DEVICE_TO_HOST,
  /** A copy within the device. */
  DEVICE_TO_DEVICE,
  /** A copy between two devices. */
  PEER,
  /** A fill. */
  FILL,
  /** A kernel. */
  KERNEL,
  /** A launch of a graph, or a node of one that runs other nodes. */
  GRAPH,
  /** A stream writes a number to memory. */
  WRITE_VALUE,
  /** A stream waits until a number in memory has come. */
  WAIT_VALUE,
  /** A stream waits for an event of another process, or a node waits for an event of graphs. */
  WAIT_EVENT;

  /** {@return whether it runs kernels} */
  boolean isLaunch() {
    return this == KERNEL || this == GRAPH;
  }

  /**
   * {@return whether it is work of the device, rather than a stream's signal or wait, of which only
   * observers hear}
   */
  boolean isWork() {
    return this != WRITE_VALUE && this != WAIT_VALUE && this != WAIT_EVENT;
  }
}
