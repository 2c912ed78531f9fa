package dev.stretto.driver.cuda;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import java.util.List;

/** Reaches the NVIDIA GPUs of this machine. */
public final class CudaDriver implements Driver {
  static final String NAME = "cuda";

  private static final int INVALID_DEVICE = 101;

  private final int deviceCount;
  private final int driverVersion;

  private CudaDriver(Library library) {
    this.deviceCount = library.deviceCount();
    this.driverVersion = library.driverVersion();
  }

  /**
   * Looks for the driver. The first call opens it, which takes a while where there are GPUs; what
   * came of it is kept for as long as the process lives.
   *
   * @return the driver, or why there is none
   */
  public static Loading load() {
    return switch (Library.current()) {
      case Library.Refused(String reason) -> new Loading.Unavailable(reason);
      case Library.Opened(Library library) -> bind(library);
    };
  }

  private static Loading bind(Library library) {
    DeviceCalls.bindAll();
    ContextCalls.bindAll();
    MemoryCalls.bindAll();
    StreamCalls.bindAll();
    CopyCalls.bindAll();
    PeerCalls.bindAll();
    KernelCalls.bindAll();
    GraphCalls.bindAll();
    List<String> missing = Binder.missing();
    return missing.isEmpty()
        ? new Loading.Ready(new CudaDriver(library))
        : new Loading.Unavailable(
            "the NVIDIA driver says it supports CUDA "
                + Library.dotted(library.driverVersion())
                + ", but lacks "
                + String.join(", ", missing));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int deviceCount() {
    return deviceCount;
  }

  /**
   * {@inheritDoc}
   *
   * <p>No context is created for it, which would take a hundred milliseconds and half a gigabyte of
   * the device's memory. Only a context tells the range of stream priorities, so both its ends are
   * 0 here; {@link DriverDevice#properties} has them.
   */
  @Override
  public DeviceProperties properties(int ordinal) {
    requireDevice(ordinal);
    return new DeviceAttributes(ordinal, new Health(ordinal))
        .properties(driverVersion, Priorities.UNKNOWN);
  }

  @Override
  public DriverDevice open(int ordinal) {
    requireDevice(ordinal);
    return CudaDevice.open(ordinal, driverVersion);
  }

  private void requireDevice(int ordinal) {
    if (ordinal < 0 || ordinal >= deviceCount) {
      throw new DriverException(
          DriverException.Kind.INVALID,
          INVALID_DEVICE,
          "there is no device " + ordinal + "; there are " + deviceCount);
    }
  }
}
