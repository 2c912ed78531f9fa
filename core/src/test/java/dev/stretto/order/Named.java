package dev.stretto.order;

/**
 * A stream of which only the name matters.
 *
 * @param title its name
 */
record Named(String title) implements OrderedStream {
  @Override
  public void waitFor(OrderedStream other, long sequence) {
    throw new AssertionError(title + " is not told to wait: its order is not automatic");
  }

  @Override
  public void mark(long sequence) {
    throw new AssertionError(title + " is not told to mark: its order is not automatic");
  }

  @Override
  public boolean isOver(long sequence) {
    return false;
  }
}
