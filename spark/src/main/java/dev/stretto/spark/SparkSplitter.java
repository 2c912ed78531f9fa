package dev.stretto.spark;

import dev.stretto.flow.Splitter;
import java.io.Serializable;

/** Finds where records of files end, as a function that Spark sends to executors. */
@FunctionalInterface
public interface SparkSplitter extends Splitter, Serializable {
  /** {@return a splitter of lines, which end after a newline, {@code '\n'}} */
  static SparkSplitter lines() {
    return endingWith((byte) '\n');
  }

  /**
   * {@return a splitter of records that end after a certain byte, which they contain only there}
   *
   * @param last the byte
   */
  static SparkSplitter endingWith(byte last) {
    return (bytes, begin, limit) -> Splitter.endingWith(last).end(bytes, begin, limit);
  }

  /**
   * {@return a splitter of records that all have the same size; it reads nothing}
   *
   * @param bytes of a record, 1 or more
   * @throws IllegalArgumentException if it is less than 1
   */
  static SparkSplitter ofSize(int bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("records of %d bytes: 1 or more".formatted(bytes));
    }
    return (_, begin, limit) -> limit - (limit - begin) % bytes;
  }
}
