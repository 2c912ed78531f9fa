package dev.stretto;

import dev.stretto.enqueue.SourceReading;

/**
 * When the source of a copy may be read: CUDA's {@code CUmemcpySrcAccessOrder}. What cannot be
 * honoured is refused with {@link dev.stretto.fault.SourceAccessException}, never weakened: a
 * program that is told that its source was read may write it.
 */
public enum SourceAccess {
  /** In the order of the stream: after all that was enqueued before. As copies are by default. */
  STREAM_ORDER,

  /**
   * During the call: when it returns, the source may be written, closed or collected. For sources
   * that nothing enqueued earlier still writes; where an earlier staged copy of the stream does,
   * the copy is refused.
   *
   * <p>The calling thread reads the source: up to 32 KiB straight into a pinned buffer where one is
   * free ({@link Route.Kind#INLINE}), otherwise into memory aside, from where it is staged. Memory
   * of any kind and any arena goes, pinned and confined memory too. Refused are more than {@link
   * #DURING_CALL_BYTES}, device memory as the source, and streams that cannot hold operations back
   * (default and adopted ones).
   */
  DURING_CALL,

  /**
   * At any time from the call to the end of the copy, in no order. A permission that Stretto passes
   * on to the driver for pinned memory in a batch, and needs nowhere else. For sources that nothing
   * enqueued earlier still writes.
   */
  ANY;

  /** {@value} bytes are read during a call at most: some hundred microseconds of copying. */
  public static final int DURING_CALL_BYTES = SourceReading.DURING_CALL_BYTES;
}
