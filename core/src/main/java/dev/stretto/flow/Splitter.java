package dev.stretto.flow;

import java.util.Objects;

/** Finds where records end in a flow's bytes, so that no chunk cuts one. */
@FunctionalInterface
public interface Splitter {
  /** The bytes of a source. */
  @FunctionalInterface
  interface Bytes {
    /**
     * {@return a byte} Reads that are near to each other cost little; the source is read in blocks
     * of 64 KiB.
     *
     * @param position in the source, from the begin of the chunk to its limit
     */
    byte get(long position);
  }

  /**
   * {@return the last position after {@code begin}, and at most {@code limit}, at which a record
   * ends, so that the chunk ends there; {@code begin} if none does} The flow calls this on its own
   * threads, once for each chunk or more often, and not for what is left at the end of a source:
   * the last record need not be complete. Where one record is longer than a chunk can be, the flow
   * fails.
   *
   * @param bytes of the source
   * @param begin where the chunk begins, and a record with it
   * @param limit where the chunk would end without records
   */
  long end(Bytes bytes, long begin, long limit);

  /** {@return a splitter of lines, which end after a newline, {@code '\n'}} */
  static Splitter lines() {
    return endingWith((byte) '\n');
  }

  /**
   * {@return a splitter of records that end after a certain byte, which they contain only there}
   *
   * @param last the byte
   */
  static Splitter endingWith(byte last) {
    return (bytes, begin, limit) -> {
      Objects.requireNonNull(bytes, "bytes");
      long end = limit;
      while (end > begin && bytes.get(end - 1) != last) {
        end--;
      }
      return end;
    };
  }
}
