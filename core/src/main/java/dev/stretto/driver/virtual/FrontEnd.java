package dev.stretto.driver.virtual;

import java.util.Arrays;

/**
 * How launches become blocks on multiprocessors: one launch after the other, whatever their
 * streams. Streams share a few channels. Going from one channel to another takes time, and a
 * channel to which the device has to come back begins its next launch later. Measured on an H200,
 * with kernels of 0 and 5 microseconds on 1 to 24 streams: a chain on one stream takes 1.6
 * microseconds more a kernel than the kernel, on 2 to 8 streams 3.2 if the kernels are long enough,
 * and else 1.0 for each stream; 16 and 24 streams take 9.7 and 11.4. Guarded by the platform's
 * lock.
 */
final class FrontEnd {
  /** The default of {@code CUDA_DEVICE_MAX_CONNECTIONS}. */
  private static final int CHANNELS = 8;

  /** From a launch of one channel to a launch of another one. */
  private static final long SWITCH_NANOS = 1_000;

  /** From a launch to one of another stream with the same channel. */
  private static final long NEXT_NANOS = 200;

  /** How much later a launch begins if another channel had its turn since the last of its own. */
  private static final long RETURN_NANOS = 1_600;

  /** When the latest launch of each channel began. */
  private final long[] servedNanos = new long[CHANNELS];

  private int last = -1;
  private long freeNanos;

  FrontEnd() {
    Arrays.fill(servedNanos, Long.MIN_VALUE);
  }

  /**
   * {@return when the blocks of a launch may begin}
   *
   * @param stream the number of its stream
   * @param turn when it would begin if no other stream were there
   */
  long begin(int stream, long turn) {
    int channel = Math.floorMod(stream, CHANNELS);
    long at;
    if (last == channel) {
      at = turn > servedNanos[channel] ? turn : servedNanos[channel] + NEXT_NANOS;
      freeNanos = Math.max(freeNanos, at + SWITCH_NANOS);
    } else if (turn <= servedNanos[channel]) {
      // It was ready when its channel had its turn.
      at = servedNanos[channel] + NEXT_NANOS;
      freeNanos += NEXT_NANOS;
    } else {
      at = Math.max(last < 0 ? turn : turn + RETURN_NANOS, freeNanos);
      freeNanos = at + SWITCH_NANOS;
      last = channel;
    }
    servedNanos[channel] = at;
    return at;
  }
}
