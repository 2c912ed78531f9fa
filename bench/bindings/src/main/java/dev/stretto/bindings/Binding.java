package dev.stretto.bindings;

/**
 * The calls of the CUDA driver as one library has them, with a context, two arrays on the device
 * and a total there.
 */
interface Binding extends AutoCloseable {
  /** Makes the context current on the calling thread, as the driver wants it. */
  void attach();

  Plain plain();

  /**
   * {@return small operations}
   *
   * @param prepared whether everything that can be made before a call is made before it
   */
  Submission submission(boolean prepared);

  /** {@return a new lane, which the binding closes} */
  Lane lane(int bytes);

  void clear();

  void clearTotal();

  long total();

  @Override
  void close();
}
