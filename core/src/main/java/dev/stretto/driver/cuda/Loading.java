package dev.stretto.driver.cuda;

/** What came of looking for the CUDA driver. */
public sealed interface Loading {
  /**
   * It is there, with at least one device.
   *
   * @param driver the driver
   */
  record Ready(CudaDriver driver) implements Loading {}

  /**
   * It cannot be used.
   *
   * @param reason a sentence that says why, without its full stop
   */
  record Unavailable(String reason) implements Loading {}
}
