package dev.stretto.order;

/**
 * How an operation accesses memory.
 *
 * @param writes whether it writes; otherwise it reads
 * @param isAtomic whether it does so in steps that other such steps cannot divide
 * @param isAssumed whether that is only assumed, because nobody knows what the operation does
 */
public record Way(boolean writes, boolean isAtomic, boolean isAssumed) {
  /** Reads. */
  public static final Way READS = new Way(false, false, false);

  /** Writes. */
  public static final Way WRITES = new Way(true, false, false);

  /** Whether two accesses to the same bytes must not happen at the same time. */
  public boolean conflictsWith(Way other) {
    return (writes || other.writes) && !(isAtomic && other.isAtomic);
  }

  /** {@return a way that conflicts with whatever one of the two does} */
  Way with(Way other) {
    return new Way(
        writes || other.writes, isAtomic && other.isAtomic, isAssumed && other.isAssumed);
  }

  /** Whether whatever conflicts with another access conflicts with one of this kind. */
  boolean saysAllOf(Way other) {
    return (writes || !other.writes)
        && (!isAtomic || other.isAtomic)
        && (!isAssumed || other.isAssumed);
  }

  @Override
  public String toString() {
    String does = writes ? "writes" : "reads";
    return isAssumed ? "may access" : isAtomic && writes ? "changes" : does;
  }
}
