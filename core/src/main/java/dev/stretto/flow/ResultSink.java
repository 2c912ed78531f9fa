package dev.stretto.flow;

import dev.stretto.driver.HostClock;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Hands the result of each chunk to the program. */
final class ResultSink implements Sink {
  private final long bytes;
  private final ChunkResult results;

  /**
   * @param bytes of each result
   */
  ResultSink(long bytes, ChunkResult results) {
    this.bytes = bytes;
    this.results = results;
  }

  @Override
  public boolean isPositional() {
    return true;
  }

  @Override
  public void write(long position, MemorySegment from) {
    Objects.requireNonNull(from, "from");
    results.accept(position / bytes, from.asReadOnly());
  }

  @Override
  public long modelledNanos(HostClock clock, long bytes, int writers) {
    return 0;
  }

  @Override
  public void close() {}
}
