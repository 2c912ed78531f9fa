package dev.stretto.driver.cuda;

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

  /**
   * Lets another device address what is allocated here and will be, once access is enabled between
   * the contexts. Counted.
   *
   * @param device what CUDA calls it
   */
  void allow(int device);

  /** Ends one {@link #allow}. */
  void disallow(int device);

  /** Lets go of everything; all memory is freed, or the device is lost. */
  void close();
}
