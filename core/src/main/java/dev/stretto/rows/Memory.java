package dev.stretto.rows;

import dev.stretto.fault.ClosedException;
import dev.stretto.fault.RouteException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The checks of the memory of rows, of which there may be millions: by several threads then. */
final class Memory {
  /** Fewer rows are looked at by one thread. */
  private static final long MANY = 1 << 16;

  private static final Thread NOBODY = Thread.ofPlatform().unstarted(() -> {});

  private Memory() {}

  private static LongStream all(long rows) {
    LongStream all = LongStream.range(0, rows);
    return rows < MANY ? all : all.parallel();
  }

  static void each(long rows, LongConsumer check) {
    all(rows).forEach(check);
  }

  static boolean any(long rows, LongPredicate check) {
    return all(rows).anyMatch(check);
  }

  /**
   * Requires that there is a row.
   *
   * @throws NullPointerException if it is null
   */
  static void requireThere(@Nullable Object element, long index) {
    Objects.requireNonNull(element, () -> "row or part " + index);
  }

  static void requireSome(long rows) {
    if (rows < 1) {
      throw new IllegalArgumentException("0 rows: there has to be 1 or more");
    }
  }

  /**
   * Requires equal lengths.
   *
   * @param rows how many
   * @param length of the first one
   * @param lengths of all
   * @throws IllegalArgumentException if one has another length
   */
  static void requireEqual(long rows, long length, LongUnaryOperator lengths) {
    long other = all(rows).filter(row -> lengths.applyAsLong(row) != length).findFirst().orElse(-1);
    if (other >= 0) {
      throw new IllegalArgumentException(
          "row 0 has a length of %d, and row %d one of %d: all rows have to be equally long"
              .formatted(length, other, lengths.applyAsLong(other)));
    }
  }

  static void requireOpen(MemorySegment memory) {
    if (!memory.scope().isAlive()) {
      throw new ClosedException(
          "the arena of a row's host memory is closed: " + memory.byteSize() + " bytes");
    }
  }

  static void requireShared(MemorySegment memory) {
    if (!memory.isAccessibleBy(NOBODY)) {
      throw new RouteException(
          "rows in "
              + memory.byteSize()
              + " bytes of a confined arena cannot be copied, because only its own thread may"
              + " access them: allocate them in Arena.ofShared(), Arena.ofAuto() or"
              + " device.pinnedArena()");
    }
  }
}
