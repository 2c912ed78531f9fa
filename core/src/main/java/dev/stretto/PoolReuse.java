package dev.stretto;

/**
 * How memory may be reused that another stream has freed. What a stream has freed itself it reuses
 * always. CUDA C++ Programming Guide, "Stream Ordered Memory Allocator", "Memory Reuse Policies".
 */
public enum PoolReuse {
  /**
   * If the allocating stream waits for an event behind the free, by whatever chain of events.
   * Allowed unless set otherwise.
   */
  FOLLOW_EVENTS,
  /** If the free has happened by the time of the allocation. Allowed unless set otherwise. */
  OPPORTUNISTIC,
  /**
   * If the allocating stream can be made to wait for the free, which nobody asked for: streams that
   * are independent in the program become dependent. Not allowed unless set otherwise, as it is by
   * CUDA: {@code device.allocateFloats} and its like could then wait for enqueued work of streams.
   */
  INTERNAL_DEPENDENCIES
}
