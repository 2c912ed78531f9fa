package dev.stretto.order;

/**
 * Memory that an operation will access.
 *
 * @param memory the accesses to it
 * @param bytes which bytes
 * @param way how
 */
public record Demand(Accesses memory, Footprint bytes, Way way) {
  /** {@return whether two operations with these must not run at the same time} */
  public boolean conflictsWith(Demand other) {
    return memory == other.memory && way.conflictsWith(other.way) && bytes.meets(other.bytes);
  }

  @Override
  public String toString() {
    return "%s %s of %s".formatted(way, bytes, memory);
  }
}
