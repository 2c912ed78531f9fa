package dev.stretto.order;

/**
 * A point of a stream: everything up to a number of it, and what is ordered before that.
 *
 * @param stream the stream
 * @param number up to which of its operations
 * @param known what is ordered before those on other streams and on the host
 */
record Moment(StreamClock stream, long number, Knowledge known) {
  /** {@return what comes before an operation that waits for this} */
  Knowledge all() {
    return known.with(stream.index(), number);
  }
}
