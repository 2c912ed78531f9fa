package dev.stretto.spark;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** How fast a counter of bytes has grown, over the last second or more before it was asked. */
final class ByteRate {
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier bytes;
  private final LongSupplier clock;

  // Guarded by this.
  private long bytesThen;
  private long then;
  private double rate;

  /**
   * @param bytes counted so far
   * @param clock in nanoseconds
   */
  ByteRate(LongSupplier bytes, LongSupplier clock) {
    this.bytes = bytes;
    this.clock = clock;
    this.bytesThen = bytes.getAsLong();
    this.then = clock.getAsLong();
  }

  /** {@return 10⁹ bytes per second} Who asks twice within a second is told the same. */
  synchronized double gigabytesPerSecond() {
    long now = clock.getAsLong();
    if (now - then >= INTERVAL_NANOS) {
      long bytesNow = bytes.getAsLong();
      rate = (bytesNow - bytesThen) / (double) (now - then);
      bytesThen = bytesNow;
      then = now;
    }
    return rate;
  }
}
