package dev.stretto.contract;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.HostClock;
import dev.stretto.driver.PointerProperties;
import java.lang.foreign.MemorySegment;

/**
 * A virtual device that Stretto takes for a GPU: its time is real, it does not report progress by
 * itself, and it takes ordinary memory of a few bytes with the call. So what is done on GPUs alone
 * runs where there is none: small buffers emptied by threads that wait, calls without the lock,
 * callbacks without marks.
 */
final class RealTime extends DriverTap {
  private static final int BYTES_READ_IN_CALL = 4 << 10;

  RealTime(Driver driver) {
    super(driver);
  }

  @Override
  void before(Call call) {}

  @Override
  HostClock clock(HostClock clock) {
    return HostClock.REAL;
  }

  @Override
  DeviceTap tap(DriverDevice device) {
    return new DeviceTap(device) {
      @Override
      public boolean onProgress(Runnable listener) {
        return false;
      }

      @Override
      public double linkBytesPerSecond() {
        return 0; // as on a GPU
      }

      @Override
      public int bytesReadInCall() {
        return BYTES_READ_IN_CALL;
      }

      @Override
      @SuppressWarnings("restricted")
      public void copy(long dst, long src, long bytes, CopyKind kind, long stream) {
        boolean ordinary =
            kind == CopyKind.HOST_TO_DEVICE
                && bytes <= BYTES_READ_IN_CALL
                && device.pointer(src).kind() == PointerProperties.Kind.ORDINARY;
        if (ordinary) {
          // Read at once, as a GPU's driver does, although the copy itself comes in its turn.
          super.copyPageable(dst, MemorySegment.ofAddress(src).reinterpret(bytes), kind, stream);
        } else {
          super.copy(dst, src, bytes, kind, stream);
        }
      }
    };
  }
}
