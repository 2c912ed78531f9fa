package dev.stretto.order;

/** An access to memory, by an operation of a stream or by the host. */
final class Access {
  private final Actor actor;
  private final long number;
  private final Footprint bytes;
  private final boolean writes;
  private final Work work;
  private boolean isVoid;

  /**
   * Creates an access.
   *
   * @param number the operation's number among those of the actor
   */
  Access(Actor actor, long number, Footprint bytes, boolean writes, Work work) {
    this.actor = actor;
    this.number = number;
    this.bytes = bytes;
    this.writes = writes;
    this.work = work;
  }

  Actor actor() {
    return actor;
  }

  Footprint bytes() {
    return bytes;
  }

  boolean writes() {
    return writes;
  }

  Work work() {
    return work;
  }

  /** Whether it never happens: its operation was refused. */
  boolean isVoid() {
    return isVoid;
  }

  void neverHappens() {
    isVoid = true;
  }

  /** Whether it happens before whoever knows this much, on a stream or on the host. */
  boolean isBefore(Actor other, Knowledge known) {
    return actor == other || known.of(actor.index()) >= number;
  }

  boolean isOfSameOperation(Access other) {
    return number == other.number && work.equals(other.work);
  }

  /** Whether an access that comes after this one says all that this one does. */
  boolean isSubsumedBy(Access later) {
    return (later.writes || !writes) && later.bytes.covers(bytes);
  }

  /** Whether the two must not happen at the same time. */
  boolean conflictsWith(Access other) {
    return (writes || other.writes) && bytes.meets(other.bytes);
  }
}
