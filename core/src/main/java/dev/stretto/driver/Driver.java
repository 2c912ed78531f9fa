package dev.stretto.driver;

/** A driver of devices. There are two: {@code cuda} and {@code virtual}. */
public interface Driver {
  /** {@return {@code cuda} or {@code virtual}} */
  String name();

  /** {@return how many devices this driver has} */
  int deviceCount();

  /**
   * {@return the properties of the device with this ordinal} On CUDA, only an opened device knows
   * its range of stream priorities; here the range is 0 to 0.
   *
   * @param ordinal 0 to {@code deviceCount() - 1}
   */
  DeviceProperties properties(int ordinal);

  /**
   * Opens a device. On CUDA this retains its primary context. The same ordinal may be opened many
   * times; each opening has to be closed.
   *
   * @param ordinal 0 to {@code deviceCount() - 1}
   * @return the opened device
   */
  DriverDevice open(int ordinal);
}
