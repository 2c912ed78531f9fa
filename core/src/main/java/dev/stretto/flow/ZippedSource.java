package dev.stretto.flow;

import dev.stretto.Copy;
import dev.stretto.Stream;
import dev.stretto.driver.HostClock;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Several sources, row by row: row {@code i} of the whole are the rows {@code i} of all of them, as
 * of files that each hold a column. A chunk has the same rows of each, one source's after the
 * other's, so that each part is dense: {@link #part} finds it.
 *
 * <p>Made by {@link Source#zip}. The size of chunks is a multiple of the bytes of a row of all
 * sources together; so must be the {@linkplain FlowPlan#granularity granularity}, if it is set.
 */
public final class ZippedSource implements Source {
  private final List<Source> sources;
  private final long[] rowBytes;
  private final long rowOfAll;
  private final long rows;

  ZippedSource(List<Source> sources, long[] rowBytes) {
    this.sources = List.copyOf(sources);
    this.rowBytes = rowBytes.clone();
    if (sources.isEmpty() || rowBytes.length != sources.size()) {
      throw new IllegalArgumentException(
          "%d sources and the bytes of the rows of %d: there must be as many, and one or more"
              .formatted(sources.size(), rowBytes.length));
    }
    long of = 0;
    for (long bytes : rowBytes) {
      if (bytes < 1) {
        throw new IllegalArgumentException("a row of " + bytes + " bytes: must be 1 or more");
      }
      of = Math.addExact(of, bytes);
    }
    this.rowOfAll = of;
    this.rows = rows(0);
    for (int i = 0; i < rowBytes.length; i++) {
      if (rows(i) != rows) {
        throw new IllegalArgumentException(
            "source 0 has %d rows of %d bytes, and source %d has %d of %d: they must have as many"
                .formatted(rows, rowBytes[0], i, rows(i), rowBytes[i]));
      }
    }
  }

  private long rows(int number) {
    Source source = sources.get(number);
    long size = source.size();
    if (size < 0 || !source.isPositional()) {
      throw new IllegalArgumentException(
          "source %d, %s, cannot be read at any position: zip files and segments"
              .formatted(number, source));
    }
    if (size % rowBytes[number] != 0) {
      throw new IllegalArgumentException(
          "source %d has %d bytes, which are not whole rows of %d"
              .formatted(number, size, rowBytes[number]));
    }
    return size / rowBytes[number];
  }

  /** {@return how many rows there are} */
  public long rows() {
    return rows;
  }

  /** {@return the bytes of a row of all sources together} */
  public long rowBytes() {
    return rowOfAll;
  }

  /**
   * {@return how many rows a chunk has}
   *
   * @param chunk of a flow from this source
   */
  public long rows(Chunk chunk) {
    Objects.requireNonNull(chunk, "chunk");
    return chunk.byteSize() / rowOfAll;
  }

  /**
   * {@return a source's rows in a chunk} For the first of a flow's stages.
   *
   * @param chunk of a flow from this source
   * @param number of the source, 0 for the first
   * @throws IndexOutOfBoundsException if there is no such source
   */
  public GlobalBytes part(Chunk chunk, int number) {
    Objects.checkIndex(number, rowBytes.length);
    long count = rows(chunk);
    return chunk.in().slice(count * before(number), count * rowBytes[number]);
  }

  /** The bytes of a row's parts before one. */
  private long before(int number) {
    long before = 0;
    for (int i = 0; i < number; i++) {
      before += rowBytes[i];
    }
    return before;
  }

  @Override
  public long size() {
    return rows * rowOfAll;
  }

  @Override
  public boolean isPositional() {
    return true;
  }

  private long requireRows(long bytes) {
    if (bytes % rowOfAll != 0) {
      throw new FlowException(
          "%d bytes of zipped sources are not whole rows of %d: set granularity(%d)"
              .formatted(bytes, rowOfAll, rowOfAll));
    }
    return bytes / rowOfAll;
  }

  @Override
  public long read(long position, MemorySegment into) {
    Objects.requireNonNull(into, "into");
    long first = requireRows(position);
    long count = Math.min(requireRows(into.byteSize()), rows - first);
    for (int i = 0; i < rowBytes.length; i++) {
      long bytes = count * rowBytes[i];
      MemorySegment part = into.asSlice(count * before(i), bytes);
      long read = sources.get(i).read(first * rowBytes[i], part);
      if (read != bytes) {
        throw new FlowException(
            "source %d, %s, ended at byte %d"
                .formatted(i, sources.get(i), first * rowBytes[i] + read));
      }
    }
    return count * rowOfAll;
  }

  /** {@return this, if the threads of staged copies can read all of the sources; otherwise null} */
  @Nullable StagedSource staged() {
    List<StagedSource> parts = new ArrayList<>();
    for (Source source : sources) {
      StagedSource part = StagedSource.of(source);
      if (part == null) {
        return null;
      }
      parts.add(part);
    }
    return new StagedParts(this, parts);
  }

  /** {@return the copies of a chunk's parts} */
  List<Copy> copy(List<StagedSource> parts, Stream stream, long position, GlobalBytes to) {
    long first = requireRows(position);
    long count = requireRows(to.byteSize());
    List<Copy> copies = new ArrayList<>();
    for (int i = 0; i < rowBytes.length; i++) {
      GlobalBytes part = to.slice(count * before(i), count * rowBytes[i]);
      copies.addAll(parts.get(i).copy(stream, first * rowBytes[i], part));
    }
    return copies;
  }

  @Override
  public long modelledNanos(HostClock clock, long bytes) {
    Objects.requireNonNull(clock, "clock");
    long count = bytes / rowOfAll;
    long nanos = 0;
    for (int i = 0; i < rowBytes.length; i++) {
      nanos += sources.get(i).modelledNanos(clock, count * rowBytes[i]);
    }
    return nanos;
  }

  @Override
  public void stop() {
    sources.forEach(Source::stop);
  }

  @Override
  public void close() {
    Flow.closeAll(sources);
  }

  @Override
  public String toString() {
    return sources.size() + " sources, row by row";
  }
}
