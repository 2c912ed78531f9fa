package dev.stretto.order;

/** A stream that is told to wait for others, where the order is automatic. */
public interface OrderedStream {
  /**
   * Makes all later operations wait for an operation of another stream.
   *
   * @param sequence its number on that stream
   */
  void waitFor(OrderedStream other, long sequence);

  /** Makes a point behind an operation for which others can wait without what comes later. */
  void mark(long sequence);

  /** {@return whether an operation is known to be over, though the program need not know that} */
  boolean isOver(long sequence);

  /** {@return what is the same for all streams of a device} */
  default Object device() {
    return this;
  }

  /** {@return the name of the stream in reports} */
  String title();
}
