package dev.stretto.jfr;

import org.jspecify.annotations.Nullable;

/** An operation of a stream that is written once the device's times of it are known. */
public interface FlightOperation {
  /**
   * The operation was enqueued.
   *
   * @param sequence its number in its stream
   * @param name the kernel's, or what was copied
   * @param route the way of a copy, or nothing
   * @param bytes how many it moves
   * @param place the call in the program
   */
  void enqueued(
      long sequence, String name, String route, long bytes, @Nullable StackTraceElement place);

  /**
   * The device's times are known, or never will be.
   *
   * @param deviceStart nanoseconds on the device's clock, or -1
   * @param deviceEnd nanoseconds on the device's clock, or -1
   */
  void commit(long deviceStart, long deviceEnd);

  /** It is done, or the device is gone, and when it ran is not known. */
  default void commitWithoutTimes() {
    commit(-1, -1);
  }
}
