package dev.stretto.flow;

import dev.stretto.driver.HostClock;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;

/** Memory as a sink; written in place unless it is a mapped file. */
final class SegmentSink implements Sink {
  private final MemorySegment segment;
  private final HostSegment memory;

  SegmentSink(MemorySegment segment) {
    if (segment.isReadOnly()) {
      throw new IllegalArgumentException(
          "a segment of " + segment.byteSize() + " bytes that is read-only cannot be a sink");
    }
    this.segment = segment;
    this.memory = new HostSegment("sink", segment);
  }

  @Override
  public boolean isPositional() {
    return true;
  }

  @Override
  public void write(long position, MemorySegment from) {
    Objects.requireNonNull(from, "from");
    requireRoom(position, from.byteSize());
    memory.write(position, from, from.byteSize());
  }

  @Override
  public Optional<MemorySegment> resident(long position, long bytes) {
    memory.requireOpen();
    if (!memory.isCopiedInPlace()) {
      return Optional.empty();
    }
    requireRoom(position, bytes);
    return Optional.of(segment.asSlice(position, bytes));
  }

  private void requireRoom(long position, long bytes) {
    if (position + bytes > segment.byteSize()) {
      throw new FlowException(
          "the sink is full: "
              + (position + bytes)
              + " bytes are to be written into a segment of "
              + segment.byteSize());
    }
  }

  @Override
  public long modelledNanos(HostClock clock, long bytes, int writers) {
    Objects.requireNonNull(clock, "clock");
    return clock.copyNanos(bytes);
  }

  @Override
  public void close() {}
}
