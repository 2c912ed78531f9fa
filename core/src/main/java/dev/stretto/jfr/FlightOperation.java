package dev.stretto.jfr;

import org.jspecify.annotations.Nullable;

/** An operation of a stream, written once the device's times for it are known. */
public interface FlightOperation {
  /**
   * The operation was enqueued.
   *
   * @param sequence the operation's number in its stream
   * @param name the kernel's name, or what was copied
   * @param route the route of a copy, or nothing
   * @param bytes how many bytes it moves
   * @param shape the grid of a launch in words, or nothing
   * @param place the call in the program
   */
  void enqueued(
      long sequence,
      String name,
      String route,
      long bytes,
      String shape,
      @Nullable StackTraceElement place);

  /**
   * The device's times are known, or never will be.
   *
   * @param deviceStart nanoseconds on the device's clock, or -1
   * @param deviceEnd nanoseconds on the device's clock, or -1
   */
  void commit(long deviceStart, long deviceEnd);

  /** Writes the operation when it is done, or its device is gone, but its times are not known. */
  default void commitWithoutTimes() {
    commit(-1, -1);
  }
}
