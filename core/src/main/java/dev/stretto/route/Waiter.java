package dev.stretto.route;

/** An action to run once a mark (or, before it is recorded, an operation) of a stream is done. */
record Waiter(long key, Runnable action) implements Comparable<Waiter> {
  @Override
  public int compareTo(Waiter other) {
    return Long.compare(key, other.key);
  }
}
