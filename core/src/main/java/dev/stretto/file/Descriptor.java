package dev.stretto.file;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.AtomicInteger;

/** A descriptor that is closed only when no call uses it: its number may then be another file's. */
final class Descriptor implements AutoCloseable {
  /** What a call does with a descriptor. */
  @FunctionalInterface
  interface Use {
    long by(int number) throws IOException;
  }

  private final FileCalls calls;
  private final int number;

  /** How many calls use it; and one more until it is to be closed. */
  private final AtomicInteger uses = new AtomicInteger(1);

  private final AtomicInteger closed = new AtomicInteger();

  Descriptor(FileCalls calls, int number) {
    this.calls = calls;
    this.number = number;
  }

  long use(Use call) throws IOException {
    int before = uses.getAndUpdate(count -> count == 0 ? 0 : count + 1);
    if (before == 0) {
      throw new ClosedChannelException();
    }
    try {
      return call.by(number);
    } finally {
      leave();
    }
  }

  @Override
  public void close() {
    if (closed.getAndSet(1) == 0) {
      leave();
    }
  }

  private void leave() {
    if (uses.decrementAndGet() == 0) {
      int _ = calls.close(number);
    }
  }
}
