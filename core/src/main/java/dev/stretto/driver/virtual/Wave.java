package dev.stretto.driver.virtual;

/**
 * Blocks of a launch that begin at the same time and end at the same time.
 *
 * @param launch their launch
 * @param startNanos when they begin
 * @param endNanos when they end
 * @param first the number of the first multiprocessor that has some
 * @param counts how many each multiprocessor has, from the first on
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Wave(WaitingLaunch launch, long startNanos, long endNanos, int first, byte[] counts) {
  /** Whether it runs at a time. */
  boolean covers(long nanos) {
    return startNanos <= nanos && endNanos > nanos;
  }
}
