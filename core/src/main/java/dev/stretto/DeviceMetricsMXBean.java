package dev.stretto;

import java.util.Map;

/**
 * A device's numbers, for monitoring: {@link Device#metrics()}. What is counted begins with the
 * first request for a device's metrics; the other numbers are those of the moment. Any thread may
 * ask. After the device was closed, what was counted stays, and the other numbers are 0.
 *
 * <p>Copies are counted when they are enqueued, by their streams: a copy between two devices by the
 * device of the stream that it is enqueued on. Copies from host memory to host memory, and those of
 * graphs when they are launched, are not counted.
 */
public interface DeviceMetricsMXBean {
  /** {@return the device's name} */
  String getDevice();

  /** {@return how many copies were enqueued} */
  long getCopies();

  /** {@return how many copies took each {@link Route.Kind}; none that no copy took} */
  Map<String, Long> getCopiesByRoute();

  /** {@return how many bytes took each {@link Route.Kind}; none that no copy took} */
  Map<String, Long> getBytesByRoute();

  /** {@return how many bytes were copied from host memory to the device} */
  long getBytesToDevice();

  /** {@return how many bytes were copied from the device to host memory} */
  long getBytesToHost();

  /** {@return how many bytes were copied within the device} */
  long getBytesWithinDevice();

  /** {@return how many bytes were copied between the device and another one} */
  long getBytesBetweenDevices();

  /** {@return how many waits of threads for copies, events, streams or the device have ended} */
  long getWaits();

  /** {@return how long these waits took altogether, in nanoseconds} */
  long getWaitNanos();

  /** {@return how many bytes of host memory are pinned now} */
  long getPinnedBytes();

  /** {@return the most bytes that were pinned at a time} */
  long getPinnedPeakBytes();

  /** {@return how many bytes may be pinned} */
  long getPinnedBudgetBytes();

  /** {@return how many bytes of the device's memory are free, for all processes} */
  long getFreeBytes();

  /** {@return how many bytes the device's memory has} */
  long getTotalBytes();

  /** {@return how many operations are held back in Java until they can go to the driver} */
  long getHeldBackOperations();

  /** {@return how many streams there are, those of the library included} */
  long getStreams();

  /**
   * {@return how many objects are to be released with the device: blocks of device and of pinned
   * memory, events, and the like, those of the library included}
   */
  long getLiveObjects();
}
