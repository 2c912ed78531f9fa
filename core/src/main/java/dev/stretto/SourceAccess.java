package dev.stretto;

import dev.stretto.enqueue.SourceReading;

/**
 * When the source of a copy may be read: {@code CUmemcpySrcAccessOrder} in CUDA. A request that
 * cannot be honoured is refused with {@link dev.stretto.fault.SourceAccessException}, never
 * weakened: a program may rely on it and write the source.
 */
public enum SourceAccess {
  /**
   * In the order of the stream: after all operations that were enqueued before. This is the
   * default.
   */
  STREAM_ORDER,

  /**
   * During the call: when it returns, the source may be written, closed or garbage collected. No
   * operation that was enqueued earlier may still write the source; if an earlier staged copy of
   * the stream does, the copy is refused.
   *
   * <p>The calling thread reads the source: up to 64 KiB directly into a buffer if one is free
   * ({@link Route.Kind#INLINE}), otherwise into a separate buffer, from which it is staged. The
   * source may be memory of any kind and any arena, including pinned and confined memory. The call
   * is refused for more than {@link #DURING_CALL_BYTES}, for device memory as the source, and on
   * streams that cannot hold operations back (default and adopted ones).
   */
  DURING_CALL,

  /**
   * At any time from the call to the end of the copy, in any order. Stretto passes this permission
   * on to the driver for pinned memory in a batch, and does not need it elsewhere. No operation
   * that was enqueued earlier may still write the source.
   */
  ANY;

  /** At most {@value} bytes can be read during a call: some hundred microseconds of copying. */
  public static final int DURING_CALL_BYTES = SourceReading.DURING_CALL_BYTES;
}
