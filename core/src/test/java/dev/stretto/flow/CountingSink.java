package dev.stretto.flow;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what it is given. */
class CountingSink implements Sink {
  final AtomicLong bytes = new AtomicLong();
  final AtomicInteger closed = new AtomicInteger();

  @Override
  public boolean isPositional() {
    return true;
  }

  @Override
  public void write(long position, MemorySegment from) {
    bytes.addAndGet(from.byteSize());
  }

  @Override
  public void close() {
    closed.incrementAndGet();
  }
}
