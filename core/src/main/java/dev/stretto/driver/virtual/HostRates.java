package dev.stretto.driver.virtual;

/**
 * Rates of the program's host, which the profile of a GPU cannot know: hosts with the same GPU
 * differ by a factor of up to one and a half. Rates are in bytes per second; 0 stands for the
 * profile's rate.
 *
 * @param fileRead one host thread reading a page-cached file
 * @param fileWrite one host thread writing a file into the page cache
 * @param fileWrites several, together, writing a file whose length is known
 * @param hostCopy one host thread copying between ordinary and pinned memory
 * @param cores cores of the host
 */
record HostRates(double fileRead, double fileWrite, double fileWrites, double hostCopy, int cores) {
  /** The host of the profile. */
  static final HostRates OF_PROFILE = new HostRates(0, 0, 0, 0, 0);

  private static final double BYTES_IN_GIGABYTE = 1e9;
  private static final double LEAST_GIGABYTES = 0.001;
  private static final double MOST_GIGABYTES = 10_000;

  /** {@return a rate that a configuration gives in gigabytes per second} */
  static double rate(String key, double gigabytes) {
    if (!(gigabytes >= LEAST_GIGABYTES && gigabytes <= MOST_GIGABYTES)) {
      throw new IllegalArgumentException(
          "virtual device: %s is %s GB/s, but has to be %s to %.0f"
              .formatted(key, gigabytes, LEAST_GIGABYTES, MOST_GIGABYTES));
    }
    return gigabytes * BYTES_IN_GIGABYTE;
  }

  HostRates withFileRead(double rate) {
    return new HostRates(rate, fileWrite, fileWrites, hostCopy, cores);
  }

  HostRates withFileWrite(double rate) {
    return new HostRates(fileRead, rate, fileWrites, hostCopy, cores);
  }

  HostRates withFileWrites(double rate) {
    return new HostRates(fileRead, fileWrite, rate, hostCopy, cores);
  }

  HostRates withHostCopy(double rate) {
    return new HostRates(fileRead, fileWrite, fileWrites, rate, cores);
  }

  HostRates withCores(int number) {
    return new HostRates(fileRead, fileWrite, fileWrites, hostCopy, number);
  }

  /** Threads together are as much faster than one as with the profile's host, unless stated. */
  private double together(DeviceModel model) {
    if (fileWrites != 0) {
      return fileWrites;
    }
    return fileWrite == 0 ? model.fileWrites() : fileWrite / model.fileWrite() * model.fileWrites();
  }

  /** {@return a device on this host} */
  DeviceModel of(DeviceModel model) {
    // On the driver's own path from and to ordinary memory, a host thread copies too.
    double copies = hostCopy == 0 ? 1 : hostCopy / model.hostCopy();
    return model.onHost(
        model.pageableToDevice() * copies,
        model.pageableToHost() * copies,
        hostCopy == 0 ? model.hostCopy() : hostCopy,
        fileRead == 0 ? model.fileRead() : fileRead,
        fileWrite == 0 ? model.fileWrite() : fileWrite,
        together(model),
        cores == 0 ? model.hostCores() : cores);
  }
}
