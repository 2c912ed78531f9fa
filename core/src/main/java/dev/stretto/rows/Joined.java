package dev.stretto.rows;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The rows of several parts, one after the other. */
final class Joined extends HostRows {
  private final HostRows[] parts;

  /** The number of the first row of each part. */
  private final long[] firsts;

  private Joined(HostRows[] parts, long[] firsts, long rows) {
    super(rows, parts[0].rowBytes());
    this.parts = parts;
    this.firsts = firsts;
  }

  static HostRows over(List<HostRows> parts) {
    HostRows[] all = parts.toArray(HostRows[]::new);
    if (all.length == 0) {
      throw new IllegalArgumentException("0 parts: there has to be 1 or more");
    }
    long[] firsts = new long[all.length];
    long rows = 0;
    for (int i = 0; i < all.length; i++) {
      Memory.requireThere(all[i], i);
    }
    for (int i = 0; i < all.length; i++) {
      HostRows part = all[i];
      if (part.rowBytes() != all[0].rowBytes() || part.hostRowBytes() != all[0].hostRowBytes()) {
        throw new IllegalArgumentException(
            "part 0 has "
                + all[0]
                + ", and part "
                + i
                + " has "
                + part
                + ": all rows have to be equally long, and converted alike");
      }
      firsts[i] = rows;
      rows = Math.addExact(rows, part.rows());
    }
    return new Joined(all, firsts, rows);
  }

  private int partOf(long row) {
    int found = Arrays.binarySearch(firsts, row);
    return found >= 0 ? found : -found - 2;
  }

  /** Only if all parts are converted alike. */
  @Override
  public Optional<Conversion> conversion() {
    Optional<Conversion> first = parts[0].conversion();
    boolean isOfAll = Arrays.stream(parts).allMatch(part -> part.conversion().equals(first));
    return isOfAll ? first : Optional.empty();
  }

  @Override
  public HostRows unconverted() {
    HostRows[] floats = Arrays.stream(parts).map(HostRows::unconverted).toArray(HostRows[]::new);
    return Arrays.equals(floats, parts) ? this : new Joined(floats, firsts, rows());
  }

  @Override
  MemorySegment memory(long row) {
    int part = partOf(row);
    return parts[part].memory(row - firsts[part]);
  }

  @Override
  long hostRowBytes() {
    return parts[0].hostRowBytes();
  }

  @Override
  public boolean mayBeNative() {
    return Arrays.stream(parts).anyMatch(HostRows::mayBeNative);
  }

  @Override
  public boolean isReadOnly() {
    return Arrays.stream(parts).anyMatch(HostRows::isReadOnly);
  }

  @Override
  public void requireOpen() {
    for (HostRows part : parts) {
      part.requireOpen();
    }
  }

  @Override
  public void eachSpan(Spans spans) {
    Objects.requireNonNull(spans, "spans");
    for (HostRows part : parts) {
      part.eachSpan(spans);
    }
  }

  @Override
  void move(long at, long bytes, MemorySegment buffer, long offset, boolean intoBuffer) {
    int part = partOf(at / rowBytes());
    long from = at - firsts[part] * rowBytes();
    long place = offset;
    for (long left = bytes; left > 0; part++) {
      long length = Math.min(left, parts[part].byteSize() - from);
      parts[part].move(from, length, buffer, place, intoBuffer);
      place += length;
      left -= length;
      from = 0;
    }
  }

  @Override
  void moveWithin(
      long row, long column, long bytes, MemorySegment buffer, long offset, boolean intoBuffer) {
    int part = partOf(row);
    parts[part].moveWithin(row - firsts[part], column, bytes, buffer, offset, intoBuffer);
  }
}
