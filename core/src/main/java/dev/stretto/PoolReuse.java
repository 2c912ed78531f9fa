package dev.stretto;

/**
 * The ways in which a stream may reuse memory that another stream has freed. A stream can always
 * reuse memory that it has freed itself. CUDA C++ Programming Guide, "Stream Ordered Memory
 * Allocator", "Memory Reuse Policies".
 */
public enum PoolReuse {
  /**
   * If the allocating stream waits, directly or through a chain of events, for an event recorded
   * after the free. Allowed by default.
   */
  FOLLOW_EVENTS,
  /** If the free has happened by the time of the allocation. Allowed by default. */
  OPPORTUNISTIC,
  /**
   * If the driver can make the allocating stream wait for the free, although the program did not
   * ask for that: streams that are independent in the program become dependent. Not allowed by
   * default, unlike in CUDA, because {@code device.allocateFloats} and the like could then wait for
   * enqueued work of streams.
   */
  INTERNAL_DEPENDENCIES
}
