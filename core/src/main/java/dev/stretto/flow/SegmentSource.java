package dev.stretto.flow;

import dev.stretto.Copy;
import dev.stretto.Stream;
import dev.stretto.driver.HostClock;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Memory as a source; copied in place unless it is a mapped file. */
final class SegmentSource implements StagedSource {
  private final MemorySegment segment;
  private final HostSegment memory;

  SegmentSource(MemorySegment segment) {
    this.segment = segment;
    this.memory = new HostSegment("source", segment);
  }

  @Override
  public long size() {
    return segment.byteSize();
  }

  @Override
  public boolean isPositional() {
    return true;
  }

  @Override
  public long read(long position, MemorySegment into) {
    Objects.requireNonNull(into, "into");
    long bytes = Math.min(into.byteSize(), segment.byteSize() - position);
    memory.read(position, into, bytes);
    return bytes;
  }

  @Override
  public List<Copy> copy(Stream stream, long position, GlobalBytes to) {
    memory.requireOpen();
    return List.of(stream.copy(segment.asSlice(position, to.byteSize()), to));
  }

  @Override
  public Throwable cause(Throwable thrown) {
    return memory.cause(thrown);
  }

  @Override
  public Optional<MemorySegment> resident(long position, long bytes) {
    memory.requireOpen();
    return memory.isCopiedInPlace()
        ? Optional.of(segment.asSlice(position, bytes))
        : Optional.empty();
  }

  @Override
  public long modelledNanos(HostClock clock, long bytes) {
    Objects.requireNonNull(clock, "clock");
    return clock.copyNanos(bytes);
  }

  @Override
  public void close() {}
}
