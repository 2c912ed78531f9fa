package dev.stretto.driver.virtual;

import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;

/** The CUDA results that a virtual device reports, with CUDA's codes. */
enum CudaResult {
  INVALID_VALUE(Kind.INVALID, 1),
  OUT_OF_MEMORY(Kind.OUT_OF_MEMORY, 2),
  INVALID_CONTEXT(Kind.INVALID, 201),
  CONTEXT_IS_DESTROYED(Kind.INVALID, 709),
  INVALID_DEVICE(Kind.INVALID, 101),
  INVALID_IMAGE(Kind.BAD_IMAGE, 200),
  INVALID_PTX(Kind.BAD_IMAGE, 218),
  PEER_ACCESS_UNSUPPORTED(Kind.INVALID, 217),
  INVALID_HANDLE(Kind.INVALID, 400),
  NOT_FOUND(Kind.BAD_IMAGE, 500),
  NOT_READY(Kind.OTHER, 600),
  ILLEGAL_ADDRESS(Kind.LOST, 700),
  PEER_ACCESS_NOT_ENABLED(Kind.INVALID, 705),
  HOST_MEMORY_ALREADY_REGISTERED(Kind.INVALID, 712),
  HOST_MEMORY_NOT_REGISTERED(Kind.INVALID, 713),
  /** An assertion in a kernel failed. */
  ASSERT(Kind.LOST, 710),
  /** A kernel accessed several elements at once at a misaligned address. */
  MISALIGNED_ADDRESS(Kind.LOST, 716),
  /** A kernel ended in a way other than returning. */
  LAUNCH_FAILED(Kind.LOST, 719),
  /** More blocks that wait for each other than the device has room for. */
  COOPERATIVE_LAUNCH_TOO_LARGE(Kind.INVALID, 720),
  NOT_SUPPORTED(Kind.INVALID, 801),
  /** Something that cannot be captured. */
  STREAM_CAPTURE_UNSUPPORTED(Kind.OTHER, 900),
  STREAM_CAPTURE_INVALIDATED(Kind.OTHER, 901),
  /** Pinned memory ran out; CUDA reports it with the code of device memory. */
  OUT_OF_HOST_MEMORY(Kind.OUT_OF_HOST_MEMORY, 2),
  /** Nothing can run on a seeded device; CUDA would hang. */
  DEADLOCK(Kind.DEADLOCK, 999);

  private final Kind kind;
  private final int code;

  CudaResult(Kind kind, int code) {
    this.kind = kind;
    this.code = code;
  }

  /**
   * {@return the exception that reports this result for a lost device}
   *
   * @param call the CUDA call that returns it, which is not necessarily the cause of the loss
   * @param finding what lost it, and where
   */
  DriverException lost(String call, String finding) {
    return new DriverException(
        kind, code, "%s: CUDA_ERROR_%s (%d)".formatted(call, name(), code), finding);
  }

  /**
   * {@return the exception that reports this result}
   *
   * @param call the CUDA call that would have returned it
   * @param why what was wrong, with the numbers
   */
  DriverException of(String call, String why) {
    return new DriverException(
        kind, code, "%s: CUDA_ERROR_%s (%d): %s".formatted(call, name(), code, why));
  }
}
