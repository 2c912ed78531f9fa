package dev.stretto.driver.cuda;

/**
 * What the driver reports about a device's memory.
 *
 * @param freeBytes bytes that are free now, for any process
 * @param totalBytes all bytes, free or not
 */
record MemoryInfo(long freeBytes, long totalBytes) {
  /** Asks the driver. */
  static MemoryInfo of(Context context, Health health) {
    Scratch scratch = Scratch.borrow();
    boolean entered = false;
    try {
      entered = context.enter(scratch);
      int result = MemoryCalls.info(scratch.at(Scratch.OUT), scratch.at(Scratch.SECOND));
      if (result != 0) {
        throw health.failure(result, "cuMemGetInfo", "");
      }
      return new MemoryInfo(scratch.read(Scratch.OUT), scratch.read(Scratch.SECOND));
    } finally {
      context.leave(scratch, entered);
      scratch.giveBack();
    }
  }

  /** {@return the text of a message if this is too little} */
  String shortage(long askedBytes) {
    return askedBytes
        + " bytes were requested, "
        + freeBytes
        + " of "
        + totalBytes
        + " bytes are free";
  }
}
