package dev.stretto.driver.cuda;

/** The result of looking for the CUDA driver. */
public sealed interface Loading {
  /**
   * The driver is there, with at least one device.
   *
   * @param driver the driver
   */
  record Ready(CudaDriver driver) implements Loading {}

  /**
   * The driver cannot be used.
   *
   * @param reason a sentence that says why, without a full stop
   */
  record Unavailable(String reason) implements Loading {}
}
