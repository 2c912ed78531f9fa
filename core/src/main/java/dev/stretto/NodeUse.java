package dev.stretto;

import dev.stretto.order.Accesses;
import dev.stretto.order.Footprint;
import dev.stretto.order.Way;
import java.util.function.Supplier;

/**
 * Memory that an operation of a graph accesses.
 *
 * @param memory finds the accesses to it, on devices whose order is checked
 * @param bytes which bytes
 * @param way how
 * @param isSignal whether others may write them meanwhile, for that operation to see
 */
record NodeUse(Supplier<Accesses> memory, Footprint bytes, Way way, boolean isSignal) {
  NodeUse(Supplier<Accesses> memory, Footprint bytes, Way way) {
    this(memory, bytes, way, false);
  }

  /** Whether two operations must not use their bytes at the same time. */
  boolean conflictsWith(NodeUse other) {
    return way.conflictsWith(other.way)
        && !way.isAssumed()
        && !other.way.isAssumed()
        && bytes.meets(other.bytes)
        && memory.get() == other.memory.get();
  }
}
