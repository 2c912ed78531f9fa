package dev.stretto.collective;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Host memory for a piece that goes to each rank, and one that comes from each. */
final class Pieces {
  /** A multiple of each element's size. */
  static final int BYTES = 1 << 20;

  private final Arena arena;
  private final @Nullable MemorySegment[] outgoing;
  private final @Nullable MemorySegment[] incoming;

  Pieces(Arena arena, int ranks) {
    this.arena = arena;
    this.outgoing = new MemorySegment[ranks];
    this.incoming = new MemorySegment[ranks];
  }

  MemorySegment to(int rank, long bytes) {
    return of(outgoing, rank, bytes);
  }

  MemorySegment from(int rank, long bytes) {
    return of(incoming, rank, bytes);
  }

  private MemorySegment of(@Nullable MemorySegment[] pieces, int rank, long bytes) {
    MemorySegment known = pieces[rank];
    if (known == null) {
      known = arena.allocate(BYTES, Long.BYTES);
      pieces[rank] = known;
    }
    return known.asSlice(0, bytes);
  }
}
