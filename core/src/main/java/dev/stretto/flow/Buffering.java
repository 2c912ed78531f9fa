package dev.stretto.flow;

/**
 * Whether a flow's chunks need buffers on the host.
 *
 * @param in whether they are read into one
 * @param out whether they are written out of one
 * @param isStaged whether the threads of staged copies read them
 */
record Buffering(boolean in, boolean out, boolean isStaged) {
  /**
   * {@return what a flow needs}
   *
   * @param in whether its source has to be read
   * @param out whether its sink has to be written
   * @param isOrdered whether a clock or a seed orders what threads of the host do
   */
  static Buffering of(Source source, boolean in, boolean out, boolean isOrdered) {
    boolean isStaged = in && source instanceof StagedSource && !isOrdered;
    return new Buffering(in && !isStaged, out, isStaged);
  }

  boolean isNeeded() {
    return in || out;
  }

  /** {@return the bytes of the buffer of a chunk} */
  long bytes(long chunkBytes) {
    return isNeeded() ? chunkBytes : 0;
  }
}
