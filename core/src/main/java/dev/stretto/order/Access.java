package dev.stretto.order;

import org.jspecify.annotations.Nullable;

/** An access to memory, by an operation of a stream or by the host. */
final class Access {
  private final Accesses memory;
  private final Actor actor;
  private final long number;
  private final Footprint bytes;
  private final Way way;
  private final Work work;
  private final Knowledge known;
  private boolean isVoid;

  /** Its operation's number among all of the stream; 0 if it is not enqueued yet. */
  private long sequence;

  /** Its number among all accesses to its memory. */
  private long order;

  /** The access of the same operation that was said before it. */
  private @Nullable Access before;

  /**
   * Creates an access.
   *
   * @param memory what it accesses
   * @param number the operation's number among those of the actor
   * @param known what it comes after
   */
  Access(
      Accesses memory,
      Actor actor,
      long number,
      Footprint bytes,
      Way way,
      Work work,
      Knowledge known) {
    this.memory = memory;
    this.actor = actor;
    this.number = number;
    this.bytes = bytes;
    this.way = way;
    this.work = work;
    this.known = known;
  }

  Accesses memory() {
    return memory;
  }

  Actor actor() {
    return actor;
  }

  /** Links the accesses of an operation. */
  void comesBehind(@Nullable Access other) {
    before = other;
  }

  /** {@return the access of the same operation that was said before it; null if it is the first} */
  @Nullable Access before() {
    return before;
  }

  Footprint bytes() {
    return bytes;
  }

  Way way() {
    return way;
  }

  /**
   * Whether a race with it is only possible: nobody knows what its operation does, or other code
   * may order it.
   */
  boolean isUnsure() {
    return way.isAssumed() || isOnAdopted();
  }

  /** Whether its stream belongs to other code, which may have made it wait. */
  boolean isOnAdopted() {
    return actor instanceof StreamClock stream && stream.isAdopted();
  }

  Work work() {
    return work;
  }

  long number() {
    return number;
  }

  /** {@return what it comes after} */
  Knowledge known() {
    return known;
  }

  /** Whether it never happens: its operation was refused. */
  boolean isVoid() {
    return isVoid;
  }

  void neverHappens() {
    isVoid = true;
  }

  void enqueued(long sequence) {
    this.sequence = sequence;
  }

  long sequence() {
    return sequence;
  }

  void order(long its) {
    order = its;
  }

  long order() {
    return order;
  }

  /** Whether the program has learned from its stream itself that it is over. */
  boolean isCertainlyOver() {
    return !(actor instanceof StreamClock stream) || stream.certain() >= number;
  }

  /** Whether it is over for whoever has this knowledge. */
  boolean isKnownTo(Knowledge known) {
    return known.of(actor.index()) >= number;
  }

  /** Whether it comes before an operation of an actor that has this knowledge. */
  boolean isBefore(Actor other, Knowledge known) {
    return actor == other || isKnownTo(known);
  }

  /** Whether nothing orders a later access, by an actor that has this knowledge, after this one. */
  boolean racesWith(Access later, Knowledge known) {
    return !isVoid && !isBefore(later.actor, known) && conflictsWith(later);
  }

  boolean isOfSameOperation(Access other) {
    return number == other.number && work == other.work;
  }

  /** Whether it is over, though the program need not know that; known only of automatic streams. */
  boolean isOver() {
    return actor instanceof StreamClock stream && stream.isOver(sequence);
  }

  /**
   * {@return one access that stands for this one and an older one of the same stream, and perhaps
   * for more bytes than theirs}
   */
  Access with(Access older) {
    Access both =
        new Access(
            memory, actor, number, bytes.hull(older.bytes), way.with(older.way), work, known);
    both.sequence = sequence;
    both.order = order;
    return both;
  }

  /** Whether an access that comes after this one says all that this one does. */
  boolean isSubsumedBy(Access later) {
    return later.way.saysAllOf(way) && later.bytes.covers(bytes);
  }

  /** Whether the two must not happen at the same time. */
  boolean conflictsWith(Access other) {
    return way.conflictsWith(other.way) && bytes.meets(other.bytes);
  }
}
