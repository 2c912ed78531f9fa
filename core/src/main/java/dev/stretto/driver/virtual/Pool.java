package dev.stretto.driver.virtual;

import dev.stretto.driver.PoolAttribute;
import dev.stretto.process.SharedFile;
import org.jspecify.annotations.Nullable;

/**
 * The accounting of one opening's memory pool. On a GPU, a pool keeps blocks of the device's
 * memory. Here every allocation has its own memory, and the bytes that a pool would keep are only
 * counted. They never make another allocation fail: a GPU trims its pools before an allocation
 * fails.
 */
final class Pool {
  /** The threshold that Stretto sets on a GPU. */
  private static final long KEPT_BYTES = 256L << 20;

  private final long maxBytes;

  /** Names the pool to other processes; null if they cannot open it. */
  private final @Nullable SharedFile shared;

  private final boolean isOfOtherProcess;
  private boolean followEvents = true;
  private boolean opportunistic = true;
  private boolean internalDependencies;
  private long threshold = KEPT_BYTES;
  private long used;
  private long peakUsed;
  private long reserved;
  private long peakReserved;

  /** Creates a pool that has as many bytes as its device. */
  Pool() {
    this(Long.MAX_VALUE);
  }

  /**
   * Creates a pool with a largest size.
   *
   * @param maxBytes the most bytes that are allocated at a time
   */
  Pool(long maxBytes) {
    this(maxBytes, null, false);
  }

  private Pool(long maxBytes, @Nullable SharedFile shared, boolean isOfOtherProcess) {
    this.maxBytes = maxBytes;
    this.shared = shared;
    this.isOfOtherProcess = isOfOtherProcess;
  }

  /** {@return one whose memory other processes can open} */
  static Pool shared(long maxBytes, SharedFile shared) {
    return new Pool(maxBytes, shared, false);
  }

  /** {@return one of another process} */
  static Pool ofOtherProcess() {
    return new Pool(Long.MAX_VALUE, null, true);
  }

  /** {@return the file that names it to other processes, or null} */
  @Nullable SharedFile shared() {
    return shared;
  }

  /** {@return whether another process has made it} */
  boolean isOfOtherProcess() {
    return isOfOtherProcess;
  }

  /** Refuses an allocation out of another process's pool. */
  void requireOwn(String call) {
    if (isOfOtherProcess) {
      throw CudaResult.INVALID_VALUE.of(
          call, "nothing can be allocated out of a pool of another process");
    }
  }

  /** Ends the pool. */
  void close() {
    if (shared != null) {
      shared.close();
    }
  }

  /** {@return how many bytes more could be allocated if the device had them} */
  synchronized long room() {
    return maxBytes - used;
  }

  /** Refuses an allocation that would make the pool too large. */
  synchronized void requireRoom(String call, long bytes, long needed) {
    if (needed > maxBytes - used) {
      throw CudaResult.OUT_OF_MEMORY.of(
          call,
          "%d bytes are requested; the pool may have at most %d bytes, and %d of these are allocated: close arrays of it, await their frees, or make a larger pool"
              .formatted(bytes, maxBytes, used));
    }
  }

  /** Notes an allocation. */
  synchronized void took(long bytes) {
    used += bytes;
    reserved = Math.max(reserved, used);
    peakUsed = Math.max(peakUsed, used);
    peakReserved = Math.max(peakReserved, reserved);
  }

  /** Notes a free. A GPU releases bytes beyond the threshold when the host next waits. */
  synchronized void gave(long bytes) {
    used -= bytes;
    trim(threshold);
  }

  /** Releases kept bytes beyond this number. */
  synchronized void trim(long keepBytes) {
    if (shared != null) {
      return; // CUDA keeps what another process might have mapped
    }
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
              "cuMemPoolSetAttribute", attribute + " can only be read");
    }
  }

  private static void requireZero(PoolAttribute attribute, long value) {
    if (value != 0) {
      throw CudaResult.INVALID_VALUE.of(
          "cuMemPoolSetAttribute",
          "%s can be set only to 0, not to %d".formatted(attribute, value));
    }
  }
}
