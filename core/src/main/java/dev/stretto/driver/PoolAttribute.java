package dev.stretto.driver;

/** The attributes of a device's memory pool. Some of them can also be set. */
public enum PoolAttribute {
  /**
   * Whether an allocation may reuse memory that another stream has freed, if events order the free
   * before it: 1 or 0. {@code CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES}.
   */
  FOLLOW_EVENTS(1, false),
  /**
   * Whether an allocation may reuse memory that another stream has freed, if the free is done by
   * the time of the call: 1 or 0. {@code CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC}.
   */
  OPPORTUNISTIC(2, false),
  /**
   * Whether an allocation may make its stream wait for a free on another stream: 1 or 0. {@code
   * CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES}.
   */
  INTERNAL_DEPENDENCIES(3, false),
  /**
   * How many free bytes the pool keeps when the host synchronizes. {@code
   * CU_MEMPOOL_ATTR_RELEASE_THRESHOLD}.
   */
  RELEASE_THRESHOLD(4, true),
  /**
   * How many bytes of the device the pool holds now. {@code CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT}.
   */
  RESERVED(5, true),
  /**
   * The most bytes of the device that the pool has held since this was set to 0. {@code
   * CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH}.
   */
  PEAK_RESERVED(6, true),
  /** How many bytes are allocated now. {@code CU_MEMPOOL_ATTR_USED_MEM_CURRENT}. */
  USED(7, true),
  /**
   * The most bytes that have been allocated since this was set to 0. {@code
   * CU_MEMPOOL_ATTR_USED_MEM_HIGH}.
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
