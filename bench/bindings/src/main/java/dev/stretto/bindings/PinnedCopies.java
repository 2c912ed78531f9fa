package dev.stretto.bindings;

/**
 * Large copies of pinned memory by the driver, one after the other: the limit of the other jobs.
 */
final class PinnedCopies {
  private static final int COPIES = 16;

  private final Lane first;
  private final Lane second;
  private final int bytes;

  PinnedCopies(Lane first, Lane second, int bytes) {
    this.first = first;
    this.second = second;
    this.bytes = bytes;
  }

  /** {@return how many bytes a call copies, in each direction that it copies in} */
  long bytes() {
    return (long) COPIES * bytes;
  }

  void in() {
    for (int i = 0; i < COPIES; i++) {
      first.in(bytes, 0);
    }
    first.await();
  }

  void out() {
    for (int i = 0; i < COPIES; i++) {
      second.out(bytes, 0);
    }
    second.await();
  }

  void both() {
    for (int i = 0; i < COPIES; i++) {
      first.in(bytes, 0);
      second.out(bytes, bytes);
    }
    first.await();
    second.await();
  }
}
