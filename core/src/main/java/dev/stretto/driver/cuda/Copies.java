package dev.stretto.driver.cuda;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverException;
import java.lang.foreign.MemorySegment;

/** Enqueues contiguous copies. */
final class Copies {
  /**
   * The driver puts ordinary memory of at most 64 KiB among its commands, and has read it when the
   * call returns, whatever is before the copy on its stream (580, H100 and H200). Up to this size
   * that is faster than the copy engine.
   */
  static final int BYTES_READ_IN_CALL = 4 << 10;

  private final Context context;
  private final Health health;

  Copies(Context context, Health health) {
    this.context = context;
    this.health = health;
  }

  void copy(long dst, long src, long bytes, CopyKind kind, long stream) {
    health.require(stream, "stream");
    if (dst == 0 || src == 0 || bytes <= 0) {
      throw health.invalid("not a valid copy: " + values(dst, src, bytes, kind));
    }
    Scratch scratch = Scratch.borrow();
    boolean entered = false;
    try {
      entered = context.enter(scratch);
      int result =
          switch (kind) {
            case HOST_TO_DEVICE -> CopyCalls.hostToDevice(dst, src, bytes, stream);
            case DEVICE_TO_HOST -> CopyCalls.deviceToHost(dst, src, bytes, stream);
            case DEVICE_TO_DEVICE -> CopyCalls.deviceToDevice(dst, src, bytes, stream);
          };
      if (result != 0) {
        throw failure(result, dst, src, bytes, kind);
      }
    } finally {
      context.leave(scratch, entered);
      scratch.giveBack();
    }
  }

  void copyPageable(long device, MemorySegment host, CopyKind kind, long stream) {
    health.require(stream, "stream");
    long bytes = host.byteSize();
    if (device == 0 || bytes == 0 || !host.isNative() || kind == CopyKind.DEVICE_TO_DEVICE) {
      throw health.invalid(
          "not a valid pageable copy: "
              + kind
              + " between 0x"
              + Long.toHexString(device)
              + " and "
              + host);
    }
    context.run(
        _ ->
            kind == CopyKind.HOST_TO_DEVICE
                ? CopyCalls.pageableToDevice(device, host, bytes, stream)
                : CopyCalls.deviceToPageable(host, device, bytes, stream),
        code ->
            kind == CopyKind.HOST_TO_DEVICE
                ? failure(code, device, host.address(), bytes, kind)
                : failure(code, host.address(), device, bytes, kind));
  }

  private DriverException failure(int code, long dst, long src, long bytes, CopyKind kind) {
    String call =
        switch (kind) {
          case HOST_TO_DEVICE -> "cuMemcpyHtoDAsync";
          case DEVICE_TO_HOST -> "cuMemcpyDtoHAsync";
          case DEVICE_TO_DEVICE -> "cuMemcpyDtoDAsync";
        };
    return health.failure(code, call, values(dst, src, bytes, kind));
  }

  private static String values(long dst, long src, long bytes, CopyKind kind) {
    return bytes
        + " bytes to 0x"
        + Long.toHexString(dst)
        + " from 0x"
        + Long.toHexString(src)
        + ", "
        + kind;
  }
}
