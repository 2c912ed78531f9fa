package dev.stretto.order;

/** Who accesses memory: a stream, or the host. What it does has numbers that only grow. */
abstract sealed class Actor permits StreamClock, HostClock {
  private final int index;

  Actor(int index) {
    this.index = index;
  }

  /** {@return its place in every {@link Knowledge}} */
  final int index() {
    return index;
  }
}
