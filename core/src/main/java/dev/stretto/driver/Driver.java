package dev.stretto.driver;

/** A way to reach devices. Two exist: {@code cuda} and {@code virtual}. */
public interface Driver {
  /** {@return {@code cuda} or {@code virtual}} */
  String name();

  /** {@return how many devices this driver reaches} */
  int deviceCount();

  /**
   * {@return what the device with this ordinal is} On CUDA the range of stream priorities is told
   * by an opened device only, and is 0 to 0 here.
   *
   * @param ordinal 0 to {@code deviceCount() - 1}
   */
  DeviceProperties properties(int ordinal);

  /**
   * Opens a device. On CUDA this retains its primary context. The same ordinal may be opened many
   * times; each opening is closed for itself.
   *
   * @param ordinal 0 to {@code deviceCount() - 1}
   * @return the opened device
   */
  DriverDevice open(int ordinal);
}
