package dev.stretto.driver.virtual;

/**
 * The speed of a modelled device and its host. Rates are in bytes per second (1 GB = 10<sup>9</sup>
 * bytes) unless stated otherwise.
 *
 * @param toDevice pinned copies from host to device, one copy at a time
 * @param toHost pinned copies from device to host
 * @param bothWays the sum of both while both engines copy
 * @param pageableToDevice the driver's own path from ordinary host memory
 * @param pageableToHost the driver's own path to ordinary host memory
 * @param localCopy copies within the device, counting each byte once
 * @param fill fills
 * @param memoryTraffic reads and writes of device memory together
 * @param operations 32-bit integer or float operations per second
 * @param copySubmitNanos host time of a call that enqueues a copy or a fill
 * @param launchSubmitNanos host time of a call that enqueues a launch
 * @param recordSubmitNanos host time of a call that records an event
 * @param waitSubmitNanos host time of a call that makes a stream wait
 * @param copyEngineNanos time for which a copy occupies an engine in addition to moving its bytes
 * @param kernelNanos time for which an empty kernel, a local copy or a fill occupies the
 *     multiprocessors
 * @param wakeUpNanos time from an event to the return of the thread that awaits it
 * @param hostCopy one host thread copying between ordinary and pinned memory
 * @param fileRead one host thread reading a page-cached file
 * @param fileWrite one host thread writing a file into the page cache
 * @param fileWrites several, together, writing a file whose length is known
 * @param hostCores cores of the host
 */
record DeviceModel(
    double toDevice,
    double toHost,
    double bothWays,
    double pageableToDevice,
    double pageableToHost,
    double localCopy,
    double fill,
    double memoryTraffic,
    double operations,
    long copySubmitNanos,
    long launchSubmitNanos,
    long recordSubmitNanos,
    long waitSubmitNanos,
    long copyEngineNanos,
    long kernelNanos,
    long wakeUpNanos,
    double hostCopy,
    double fileRead,
    double fileWrite,
    double fileWrites,
    int hostCores) {

  /** {@return a device whose calls and host cost what those of the machine of the H200 do} */
  static DeviceModel onUsualHost(
      double toDevice,
      double toHost,
      double bothWays,
      double pageableToDevice,
      double pageableToHost,
      double localCopy,
      double fill,
      double memoryTraffic,
      double operations) {
    return new DeviceModel(
        toDevice,
        toHost,
        bothWays,
        pageableToDevice,
        pageableToHost,
        localCopy,
        fill,
        memoryTraffic,
        operations,
        /* copySubmitNanos= */ 1_600,
        /* launchSubmitNanos= */ 2_700,
        /* recordSubmitNanos= */ 150,
        /* waitSubmitNanos= */ 100,
        /* copyEngineNanos= */ 2_530,
        /* kernelNanos= */ 1_500,
        /* wakeUpNanos= */ 5_000,
        /* hostCopy= */ 10.3e9,
        /* fileRead= */ 7.2e9,
        /* fileWrite= */ 5.2e9,
        /* fileWrites= */ 10.0e9,
        /* hostCores= */ 16);
  }

  /** {@return the same device on another host} */
  DeviceModel onHost(
      double pageableIn,
      double pageableOut,
      double copying,
      double reading,
      double writing,
      double writingTogether,
      int cores) {
    return new DeviceModel(
        toDevice,
        toHost,
        bothWays,
        pageableIn,
        pageableOut,
        localCopy,
        fill,
        memoryTraffic,
        operations,
        copySubmitNanos,
        launchSubmitNanos,
        recordSubmitNanos,
        waitSubmitNanos,
        copyEngineNanos,
        kernelNanos,
        wakeUpNanos,
        copying,
        reading,
        writing,
        writingTogether,
        cores);
  }

  /** {@return how many whole nanoseconds this many bytes take} */
  static long nanos(long bytes, double bytesPerSecond) {
    return (long) Math.ceil(bytes / bytesPerSecond * 1e9);
  }
}
