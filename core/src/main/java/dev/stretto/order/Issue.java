package dev.stretto.order;

import dev.stretto.fault.RaceException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An operation that is about to be enqueued: first all its accesses are said, then {@link #ready}
 * is called, then exactly one of the last two methods.
 */
public final class Issue {
  private final Order order;
  private final StreamClock stream;
  private final long number;
  private final Work work;
  private Knowledge known;
  private @Nullable Accesses read;
  private @Nullable SourceSum sum;

  /** Those of further sources, if there are several. */
  private @Nullable List<SourceSum> sums;

  private List<Garbage> garbage = List.of();
  private boolean callsBack;
  private boolean tells;
  private long sequence;

  /** The access that was said last; others are linked to it, since most operations have few. */
  private @Nullable Access last;

  private @Nullable List<Access> looks;

  Issue(Order order, StreamClock stream, long number, Knowledge known, Work work) {
    this.order = order;
    this.stream = stream;
    this.number = number;
    this.known = known;
    this.work = work;
  }

  StreamClock stream() {
    return stream;
  }

  /** {@return the access that was said last; it knows those before it} */
  @Nullable Access last() {
    return last;
  }

  /**
   * Says that the operation reads memory.
   *
   * @throws RaceException if nothing orders it after a write of the same bytes
   */
  public void reads(Accesses memory, Footprint bytes) {
    accesses(memory, bytes, Way.READS);
  }

  /**
   * Says that the operation writes memory.
   *
   * @throws RaceException if nothing orders it after an access to the same bytes
   */
  public void writes(Accesses memory, Footprint bytes) {
    accesses(memory, bytes, Way.WRITES);
  }

  /**
   * Says that the operation accesses memory.
   *
   * @throws RaceException if nothing orders it after another access to the same bytes, what both do
   *     is known, and the order is not automatic
   */
  public void accesses(Accesses memory, Footprint bytes, Way way) {
    Access access = new Access(memory, stream, number, bytes, way, work, known);
    if (!stream.isAutomatic()) {
      order.add(access, known);
    }
    access.comesBehind(last);
    last = access;
  }

  /**
   * Says that the operation reads memory that others may write meanwhile, for it to see.
   *
   * @throws RaceException if nothing orders it after a write of the same bytes
   */
  public void looksAt(Accesses memory, Footprint bytes) {
    reads(memory, bytes);
    looks = looks == null ? new ArrayList<>() : looks;
    looks.add(Objects.requireNonNull(last));
  }

  /**
   * Says that the operation reads host memory behind this call, so that the program may not write
   * it before the operation is done. Unless something before the operation may still write it, what
   * it holds now is compared with what it holds then.
   *
   * @param source the memory
   * @param bytes which bytes of it
   */
  public void readsLater(Accesses memory, MemorySegment source, Footprint bytes) {
    read = memory;
    if (stream.isAutomatic() || !isFree(memory, bytes, Way.READS)) {
      return;
    }
    SourceSum held = SourceSum.of(memory, source, bytes, work);
    if (sum == null) {
      sum = held;
    } else if (held != null) {
      sums = sums == null ? new ArrayList<>() : sums;
      sums.add(held);
    }
  }

  /** Says that all accesses are said. Where the order is automatic, waits are enqueued now. */
  public void ready() {
    if (stream.isAutomatic()) {
      ready(List.of(this));
    }
  }

  /** The same for operations that the program enqueues together, on one stream. */
  public static void ready(List<Issue> issues) {
    if (issues.isEmpty() || !issues.getFirst().stream.isAutomatic()) {
      return;
    }
    Issue first = issues.getFirst();
    for (Issue issue : issues) {
      for (Access use = issue.last; use != null; use = use.before()) {
        first.order.forgetOver(use.memory());
      }
    }
    Waits.enqueue(first.stream, first.order.add(issues));
    Knowledge now = first.order.known(first.stream);
    issues.forEach(issue -> issue.known = now);
  }

  /**
   * Says that the operation writes host memory behind this call. Spoils what it will write, unless
   * something may still read it: an operation before this one, or a callback, of which nobody knows
   * what it reads.
   */
  public void overwrites(Accesses memory, MemorySegment destination, Footprint bytes) {
    if (!stream.isAutomatic() && isFree(memory, bytes, Way.WRITES)) {
      Garbage spoiled = Garbage.in(destination, bytes);
      if (spoiled != null) {
        garbage = garbage.isEmpty() ? new ArrayList<>(1) : garbage;
        garbage.add(spoiled);
      }
    }
  }

  private boolean isFree(Accesses memory, Footprint bytes, Way way) {
    synchronized (order) {
      return order.isFree(new Access(memory, stream, number, bytes, way, work, known));
    }
  }

  /** Says that the operation calls back, and nobody learns when. */
  public void callsBack() {
    callsBack = true;
    synchronized (order) {
      stream.graphBegins(number);
    }
  }

  /** Says that the operation had to read its source during the call: so it is over. */
  public void hasRead() {
    synchronized (order) {
      if (sum != null) {
        order.watchesNoMore(stream, sum);
        sum = null;
      }
      if (sums != null) {
        sums.forEach(each -> order.watchesNoMore(stream, each));
        sums = null;
      }
      for (Access use = last; use != null; use = use.before()) {
        if (use.memory() == read && !use.way().writes()) {
          use.neverHappens();
        }
      }
    }
  }

  /** Says that the operation has read its source during the call, and the program may find out. */
  public void mayTellThatItHasRead() {
    tells = true;
  }

  long sequence() {
    return sequence;
  }

  /**
   * Says that it was enqueued.
   *
   * @param sequence its number on its stream
   */
  public void enqueued(long sequence) {
    this.sequence = sequence;
    synchronized (order) {
      stream.graphEnds(number);
      stream.enqueued(sequence, number, known);
      for (Access use = last; use != null; use = use.before()) {
        use.enqueued(sequence);
      }
      if (looks != null) {
        looks.forEach(Access::neverHappens);
      }
      for (Access use = last; use != null; use = use.before()) {
        if (!use.isVoid()) {
          use.memory().happens(use, known, order.knownToHost());
        }
      }
      if (callsBack) {
        order.callsBack(new Moment(stream, number, known));
      }
      if (sum != null) {
        order.watches(stream, number, sum);
      }
      if (sums != null) {
        sums.forEach(each -> order.watches(stream, number, each));
      }
      if (tells) {
        stream.tells(this);
      } else {
        unlink();
      }
      order.hasEnded();
    }
    OrderedStream its = stream.stream();
    if (stream.isAutomatic() && its != null) {
      its.mark(sequence);
    }
  }

  /** Accesses may be kept for long, and are not to keep other memory. */
  private void unlink() {
    for (Access use = last; use != null; ) {
      Access before = use.before();
      use.comesBehind(null);
      use = before;
    }
  }

  /**
   * Says how it ended, if there is one.
   *
   * @param sequence its number on its stream; -1 if it was not enqueued
   */
  public static void end(@Nullable Issue issue, long sequence) {
    if (issue == null) {
      return;
    }
    if (sequence < 0) {
      issue.failed();
    } else {
      issue.enqueued(sequence);
    }
  }

  /** Says that it was not enqueued. */
  public void failed() {
    garbage.forEach(Garbage::takeBack);
    synchronized (order) {
      stream.graphEnds(number);
      stream.failed();
      for (Access use = last; use != null; use = use.before()) {
        use.neverHappens();
      }
      unlink();
      order.hasEnded();
    }
  }
}
