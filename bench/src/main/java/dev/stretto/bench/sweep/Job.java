package dev.stretto.bench.sweep;

import dev.stretto.Awaitable;
import dev.stretto.Stream;

/** Operations of one size on pieces of memory. */
interface Job {
  /** Enqueues the operation on a piece. */
  Awaitable enqueue(Stream stream, int piece);

  /** Overwrites all that the operations write. */
  void poison();

  /** Requires that the operations have written all pieces since the memory was poisoned. */
  void compare();
}
