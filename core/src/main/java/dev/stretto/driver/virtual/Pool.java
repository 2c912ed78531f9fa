package dev.stretto.driver.virtual;

import dev.stretto.driver.PoolAttribute;

/**
 * The books of one opening's memory pool. On a GPU a pool keeps blocks of the device's memory; here
 * every allocation has memory of its own, and what the pool would keep is only counted. It never
 * keeps anybody else from getting memory: a GPU's pool is trimmed before an allocation fails.
 */
final class Pool {
  /** As Stretto sets it on a GPU. */
  private static final long KEPT_BYTES = 256L << 20;

  private boolean followEvents = true;
  private boolean opportunistic = true;
  private boolean internalDependencies;
  private long threshold = KEPT_BYTES;
  private long used;
  private long peakUsed;
  private long reserved;
  private long peakReserved;

  /** Memory was allocated. */
  synchronized void took(long bytes) {
    used += bytes;
    reserved = Math.max(reserved, used);
    peakUsed = Math.max(peakUsed, used);
    peakReserved = Math.max(peakReserved, reserved);
  }

  /** Memory was freed. A GPU lets go of what is beyond the threshold when the host next waits. */
  synchronized void gave(long bytes) {
    used -= bytes;
    trim(threshold);
  }

  /** Lets go of what is kept beyond this. */
  synchronized void trim(long keepBytes) {
    reserved = Math.max(used, Math.min(reserved, keepBytes));
  }

  synchronized long get(PoolAttribute attribute) {
    return switch (attribute) {
      case FOLLOW_EVENTS -> followEvents ? 1 : 0;
      case OPPORTUNISTIC -> opportunistic ? 1 : 0;
      case INTERNAL_DEPENDENCIES -> internalDependencies ? 1 : 0;
      case RELEASE_THRESHOLD -> threshold;
      case RESERVED -> reserved;
      case PEAK_RESERVED -> peakReserved;
      case USED -> used;
      case PEAK_USED -> peakUsed;
    };
  }

  synchronized void set(PoolAttribute attribute, long value) {
    switch (attribute) {
      case FOLLOW_EVENTS -> followEvents = value != 0;
      case OPPORTUNISTIC -> opportunistic = value != 0;
      case INTERNAL_DEPENDENCIES -> internalDependencies = value != 0;
      case RELEASE_THRESHOLD -> threshold = value;
      case PEAK_RESERVED -> {
        requireZero(attribute, value);
        peakReserved = reserved;
      }
      case PEAK_USED -> {
        requireZero(attribute, value);
        peakUsed = used;
      }
      case RESERVED, USED ->
          throw CudaResult.INVALID_VALUE.of(
              "cuMemPoolSetAttribute", attribute + " can be asked for only");
    }
  }

  private static void requireZero(PoolAttribute attribute, long value) {
    if (value != 0) {
      throw CudaResult.INVALID_VALUE.of(
          "cuMemPoolSetAttribute",
          "%s can be set to 0 only, not to %d".formatted(attribute, value));
    }
  }
}
