package dev.stretto.order;

import org.jspecify.annotations.Nullable;

/**
 * Which other streams a stream waits for without being told. CUDA's legacy default stream waits for
 * all blocking streams of its context, and they for it; the threads' own default streams are such.
 *
 * @param context equal for streams of one context
 * @param sort what it does
 * @param thread the thread of a thread's own default stream
 */
public record StreamKind(Object context, Sort sort, @Nullable Thread thread) {
  /** What a stream does about others. */
  public enum Sort {
    /** Waits for none, as all streams that Stretto opens. */
    NON_BLOCKING,
    /** The legacy default stream. */
    LEGACY,
    /** A thread's own default stream. */
    OF_THREAD
  }

  /** Whether each operation comes after all that were enqueued on another stream before. */
  boolean waitsFor(StreamKind other) {
    return isDefault()
        && other.isDefault()
        && context.equals(other.context)
        && (sort == Sort.LEGACY || other.sort == Sort.LEGACY || thread == other.thread);
  }

  boolean isDefault() {
    return sort != Sort.NON_BLOCKING;
  }
}
