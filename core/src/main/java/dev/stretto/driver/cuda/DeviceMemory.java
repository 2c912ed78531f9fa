package dev.stretto.driver.cuda;

import dev.stretto.driver.PoolAttribute;

/** Where the memory of one device comes from. */
sealed interface DeviceMemory permits PooledMemory, PlainMemory {
  /**
   * Allocates.
   *
   * @param bytes at least 1
   * @return the address, valid on every stream
   */
  long allocate(long bytes);

  /** Frees what {@link #allocate} gave. */
  void free(long address);

  /** {@return bytes that {@link #allocate} can still give, as far as the driver knows} */
  long freeBytes();

  /** {@return whether memory can be allocated and freed in the order of a stream} */
  boolean isPooled();

  /**
   * Allocates in the order of a stream.
   *
   * @param bytes at least 1
   */
  long allocate(long bytes, long stream);

  /** Frees in the order of a stream what either of the two gave. */
  void free(long address, long stream);

  /** {@return an attribute of the pool} */
  long attribute(PoolAttribute attribute);

  /** Sets an attribute of the pool. */
  void attribute(PoolAttribute attribute, long value);

  /** Gives back what the pool keeps beyond this. */
  void trim(long keepBytes);

  /**
   * Lets another device address what is allocated here and will be, once access is enabled between
   * the contexts; until this is closed.
   *
   * @param device what CUDA calls it
   * @param opening which opening of it: access is renewed for another one, whose context may have
   *     been made anew
   */
  void allow(int device, Object opening);

  /** Lets go of everything; all memory is freed, or the device is lost. */
  void close();
}
