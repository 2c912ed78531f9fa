package dev.stretto.order;

import dev.stretto.fault.RaceException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the source of a copy held when the copy was enqueued. If it holds something else when the
 * program learns that the copy is done, and no operation has written it, then the program has
 * written it too early.
 */
final class SourceSum {
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  private final Accesses memory;
  private final MemorySegment source;
  private final Footprint bytes;
  private final Work work;
  private final long sum;
  private long number;
  private boolean isVoid;

  /** Its neighbours among those of the same memory. */
  @Nullable SourceSum before;

  @Nullable SourceSum next;

  private SourceSum(Accesses memory, MemorySegment source, Footprint bytes, Work work) {
    this.memory = memory;
    this.source = source;
    this.bytes = bytes;
    this.work = work;
    this.sum = sum();
  }

  /**
   * {@return what a source holds now; null if it cannot be read, which the copy will say: its arena
   * is closed, or its file was truncated}
   */
  static @Nullable SourceSum of(Accesses memory, MemorySegment source, Footprint bytes, Work work) {
    try {
      return new SourceSum(memory, source, bytes, work);
    } catch (IllegalStateException | InternalError _) {
      return null;
    }
  }

  long number() {
    return number;
  }

  void number(long its) {
    number = its;
  }

  Accesses memory() {
    return memory;
  }

  /** Notes that an operation writes bytes: what they hold later says nothing. */
  void written(Footprint written) {
    isVoid |= written.meets(bytes);
  }

  /** {@return a race, if the source is not what it was} */
  Optional<RaceException> race() {
    if (isVoid || !hasChanged()) {
      return Optional.empty();
    }
    StackTraceElement line = work.line();
    return Optional.of(
        new RaceException(
            "race on %s: the program wrote %s, the source of %s%s, before that was done. Write it after the copy was awaited"
                .formatted(
                    memory,
                    bytes,
                    work.name(),
                    line == null
                        ? ""
                        : " (" + line.getFileName() + ":" + line.getLineNumber() + ")"),
            Optional.ofNullable(line),
            Optional.empty()));
  }

  private boolean hasChanged() {
    try {
      return source.isAccessibleBy(Thread.currentThread()) && sum() != sum;
    } catch (IllegalStateException | InternalError _) {
      return false; // closed or truncated meanwhile: nobody can write it any more
    }
  }

  private long sum() {
    long all = 0;
    for (long plane = 0; plane < bytes.planes(); plane++) {
      for (long row = 0; row < bytes.rows(); row++) {
        long from = bytes.address() + plane * bytes.plane() + row * bytes.pitch();
        all = all * FACTOR + sum(from - source.address(), bytes.width());
      }
    }
    throwFaultHere(source);
    return all;
  }

  /**
   * Makes a fault of the last access surface here: if a mapped file was truncated, the JDK throws
   * its {@link InternalError} when the thread next returns from native code, as from this call.
   */
  static void throwFaultHere(MemorySegment segment) {
    if (segment.isMapped() && Thread.holdsLock(segment)) {
      throw new AssertionError("nobody locks a segment");
    }
  }

  /** Four sums side by side, which a processor adds at the same time. */
  private long sum(long from, long count) {
    long a = 1;
    long b = 2;
    long c = 3;
    long d = 4;
    long at = from;
    long end = from + count;
    for (; at <= end - 32; at += 32) {
      a = (a ^ word(at)) * FACTOR;
      b = (b ^ word(at + 8)) * FACTOR;
      c = (c ^ word(at + 16)) * FACTOR;
      d = (d ^ word(at + 24)) * FACTOR;
    }
    for (; at < end; at++) {
      a = (a ^ source.get(ValueLayout.JAVA_BYTE, at)) * FACTOR;
    }
    return (a ^ Long.rotateLeft(b, 17)) * FACTOR + (c ^ Long.rotateLeft(d, 31));
  }

  private long word(long at) {
    return source.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
  }
}
