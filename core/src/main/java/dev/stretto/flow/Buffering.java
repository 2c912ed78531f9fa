package dev.stretto.flow;

/**
 * Whether a flow's chunks need buffers on the host.
 *
 * @param in whether they are read into one
 * @param out whether they are written out of one; not if the threads of staged copies write them
 * @param isStaged whether the threads of staged copies read them
 */
record Buffering(boolean in, boolean out, boolean isStaged) {
  /**
   * {@return what a flow needs}
   *
   * @param in whether its source has to be read
   * @param out whether its sink has to be written
   * @param canBeStaged whether the threads of staged copies can read it
   */
  static Buffering of(boolean in, boolean out, boolean canBeStaged) {
    boolean isStaged = in && canBeStaged;
    return new Buffering(in && !isStaged, out, isStaged);
  }

  boolean isNeeded() {
    return in || out;
  }

  /**
   * {@return the bytes of the buffer of a chunk} It holds the chunk before the device has it, and
   * what leaves after that.
   *
   * @param leaving how many bytes of it leave the device
   */
  long bytes(long chunkBytes, long leaving) {
    return Math.max(in ? chunkBytes : 0, out ? leaving : 0);
  }
}
