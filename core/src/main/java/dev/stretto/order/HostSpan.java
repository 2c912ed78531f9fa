package dev.stretto.order;

/**
 * Bytes that a thread itself has accessed one after the other. Only that thread makes them more,
 * which others see when it hands over.
 */
final class HostSpan {
  private final Accesses memory;
  private final HostClock clock;
  private final Thread thread = Thread.currentThread();
  private final long number;
  private final Way way;
  private final Work work;
  private final Knowledge known;
  private volatile long begin;
  private volatile long end;

  HostSpan(Accesses memory, HostClock clock, Footprint bytes, Way way, Work work) {
    this.memory = memory;
    this.clock = clock;
    this.number = clock.access();
    this.way = way;
    this.work = work;
    this.known = clock.known();
    this.begin = bytes.address();
    this.end = bytes.end();
  }

  /**
   * {@return whether an access of the calling thread is a part of it} It is made a part if it is
   * next to it.
   */
  boolean takes(long address, long bytes, Way its) {
    if (!thread.equals(Thread.currentThread()) || !way.equals(its) || !clock.isStill(number)) {
      return false;
    }
    long last = address + bytes;
    if (address > end || last < begin) {
      return false;
    }
    if (address < begin) {
      begin = address;
    }
    if (last > end) {
      end = last;
    }
    return true;
  }

  boolean isKnownTo(Knowledge others) {
    return others.of(clock.index()) >= number;
  }

  /** {@return it as an access like those of operations} */
  Access access() {
    long from = begin;
    return new Access(memory, clock, number, Footprint.of(from, end - from), way, work, known);
  }
}
