package dev.stretto.bench.turns;

import dev.stretto.Stream;
import java.nio.file.Path;

/** Work of one size, for which there are several kernels. Closing it frees its memory. */
interface Job extends AutoCloseable {
  /**
   * How far a result is off.
   *
   * @param greatest the greatest deviation from the result in double precision
   * @param isSmall whether that is as much as rounding explains
   */
  record Deviation(double greatest, boolean isSmall) {}

  /** {@return the stream that everything is enqueued on} */
  Stream stream();

  /** {@return which kernel the library chooses, and why} Empty where there is no choice. */
  String choice();

  /**
   * {@return what enqueues a kernel once}
   *
   * @param kernel its name
   * @throws IllegalArgumentException if there is no such kernel
   */
  Runnable enqueuing(String kernel);

  /** Writes the numbers, as they lie in memory, to a file of each array. */
  void writeInputs(Path folder);

  /** Overwrites the result, so that only a kernel that stores all of it is found to be right. */
  void forget();

  /** {@return how far the last result is off, in some places} Waits for it. */
  Deviation deviation();

  @Override
  void close();
}
