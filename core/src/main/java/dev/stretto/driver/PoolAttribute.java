package dev.stretto.driver;

/** What can be asked of a device's memory pool, and of some of it also set. */
public enum PoolAttribute {
  /**
   * Whether an allocation may reuse what another stream has freed in an order that events state: 1
   * or 0. {@code CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES}.
   */
  FOLLOW_EVENTS(1, false),
  /**
   * Whether an allocation may reuse what another stream has freed if that has happened by the time
   * of the call: 1 or 0. {@code CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC}.
   */
  OPPORTUNISTIC(2, false),
  /**
   * Whether an allocation may make its stream wait for another that is to free what it needs: 1 or
   * 0. {@code CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES}.
   */
  INTERNAL_DEPENDENCIES(3, false),
  /**
   * Bytes that the pool keeps, though they are free, when the host synchronizes. {@code
   * CU_MEMPOOL_ATTR_RELEASE_THRESHOLD}.
   */
  RELEASE_THRESHOLD(4, true),
  /** Bytes that the pool has of the device now. {@code CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT}. */
  RESERVED(5, true),
  /**
   * Most bytes that the pool had of the device since this was set to 0. {@code
   * CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH}.
   */
  PEAK_RESERVED(6, true),
  /** Bytes that are allocated now. {@code CU_MEMPOOL_ATTR_USED_MEM_CURRENT}. */
  USED(7, true),
  /**
   * Most bytes that were allocated since this was set to 0. {@code CU_MEMPOOL_ATTR_USED_MEM_HIGH}.
   */
  PEAK_USED(8, true);

  private final int code;
  private final boolean wide;

  PoolAttribute(int code, boolean wide) {
    this.code = code;
    this.wide = wide;
  }

  /** {@return the value of CUDA's {@code CUmemPool_attribute}} */
  public int code() {
    return code;
  }

  /** {@return whether CUDA's value has 64 bits rather than 32} */
  public boolean isWide() {
    return wide;
  }
}
