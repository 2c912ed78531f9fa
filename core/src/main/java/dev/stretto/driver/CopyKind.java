package dev.stretto.driver;

/** The direction of a copy. */
public enum CopyKind {
  /** Host memory to device memory. */
  HOST_TO_DEVICE,
  /** Device memory to host memory. */
  DEVICE_TO_HOST,
  /** Device memory to memory of the same device. */
  DEVICE_TO_DEVICE
}
