package dev.stretto.driver.cuda;

import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The driver of the NVIDIA GPUs of this machine. */
public final class CudaDriver implements Driver {
  static final String NAME = "cuda";

  private static final int INVALID_DEVICE = 101;

  /** The result of the first {@link #load}. One driver, so that all openings share its lock. */
  private static volatile @Nullable Loading loading;

  private final int deviceCount;
  private final int driverVersion;

  private CudaDriver(Library library) {
    this.deviceCount = library.deviceCount();
    this.driverVersion = library.driverVersion();
  }

  /**
   * Looks for the driver. The first call opens it, which takes a while if there are GPUs. The
   * result is kept for the life of the process, so that all openings of a GPU are known to be of
   * the same GPU.
   *
   * @return the driver, or the reason why there is none
   * @throws dev.stretto.fault.SettingException if the setting that names the library is wrong
   */
  public static Loading load() {
    return load(() -> {});
  }

  /**
   * The same; if the library is there and has yet to start, something else begins first.
   *
   * @param before must not block
   */
  public static Loading load(Runnable before) {
    Loading known = loading;
    return known == null ? loadOnce(before) : known;
  }

  private static synchronized Loading loadOnce(Runnable before) {
    Loading known = loading;
    if (known == null) {
      if (Library.isThere()) {
        before.run();
      }
      known =
          switch (Library.current()) {
            case Library.Refused(String reason) -> new Loading.Unavailable(reason);
            case Library.Opened(Library library) -> bind(library);
          };
      loading = known;
    }
    return known;
  }

  private static Loading bind(Library library) {
    DeviceCalls.bindAll();
    ContextCalls.bindAll();
    MemoryCalls.bindAll();
    ProcessCalls.bindAll();
    StreamCalls.bindAll();
    CopyCalls.bindAll();
    ValueCalls.bindAll();
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
   * <p>This creates no context, which would take a hundred milliseconds and half a gigabyte of the
   * device's memory. Only a context knows the range of stream priorities, so both its ends are 0
   * here; {@link DriverDevice#properties} has the range.
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
