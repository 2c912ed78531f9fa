package dev.stretto.driver.cuda;

import dev.stretto.driver.PoolAttribute;

/** Allocates and frees the memory of one device. */
sealed interface DeviceMemory permits PooledMemory, PlainMemory {
  /**
   * Allocates.
   *
   * @param bytes at least 1
   * @return the address, valid on every stream
   */
  long allocate(long bytes);

  /** Frees memory of {@link #allocate}. */
  void free(long address);

  /** Frees memory of {@code cuMemAlloc}; without pools, as {@link #free} does. */
  void freeUnpooled(long address);

  /** {@return how many bytes {@link #allocate} can still allocate, as far as the driver knows} */
  long freeBytes();

  /** {@return whether memory can be allocated and freed in stream order} */
  boolean isPooled();

  /** Creates a pool with a largest size. */
  long createPool(long maxBytes);

  /** Creates one whose memory other processes can open. */
  long createSharedPool(long maxBytes);

  /**
   * Lets the other devices that may access the memory of the device's pools access that of another
   * process's pool, and destroys it if that fails.
   */
  void adoptPool(long pool);

  /** Destroys a pool of {@link #createPool}. */
  void destroyPool(long pool);

  /**
   * Allocates out of a pool, for every stream.
   *
   * @param bytes at least 1
   */
  long allocateFrom(long pool, long bytes);

  /**
   * Allocates out of a pool in the order of a stream.
   *
   * @param bytes at least 1
   */
  long allocateFrom(long pool, long bytes, long stream);

  /** Frees memory of either method in the order of a stream. */
  void free(long address, long stream);

  /** {@return an attribute of a pool} */
  long attribute(long pool, PoolAttribute attribute);

  /** Sets an attribute of a pool. */
  void attribute(long pool, PoolAttribute attribute, long value);

  /** Returns memory that a pool keeps beyond this number of bytes to the device. */
  void trim(long pool, long keepBytes);

  /**
   * Lets another device access all memory that is or will be allocated here, until this is closed.
   * It also needs access enabled between the contexts.
   *
   * @param device its {@code CUdevice}
   * @param opening identifies its opening: access is renewed for another opening, whose context may
   *     be a new one
   */
  void allow(int device, Object opening);

  /** Destroys the pool. All memory has been freed, or the device is lost. */
  void close();
}
