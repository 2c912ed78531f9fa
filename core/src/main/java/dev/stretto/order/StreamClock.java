package dev.stretto.order;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a stream has done and knows, now and at each of its operations: an event stands for one of
 * them, and may be waited for much later.
 */
public final class StreamClock extends Actor {
  /** The most changes that are kept; a wait for an older point counts as one for a newer point. */
  private static final int MOST_CHANGES = 1 << 13;

  /** Of so many copies a program may ask whether they have read their source; of others, first. */
  private static final int MOST_TELLING = 64;

  /**
   * From an operation on, until the next change, numbers and knowledge are these.
   *
   * @param sequence the operation's number among all of the stream
   * @param shift what to add to that number for the number of the access
   */
  private record Change(long sequence, long shift, Knowledge known) {
    long number() {
      return sequence + shift;
    }

    Moment moment(StreamClock stream) {
      return new Moment(stream, number(), known);
    }
  }

  private final Object device;
  private final boolean isAutomatic;
  private @Nullable OrderedStream stream;
  private @Nullable Shared shared;
  private String name = "";
  private final List<Change> changes = new ArrayList<>();
  private Knowledge known = Knowledge.NONE;
  private long number;
  private int open;

  /** Up to which number the program has learned from the stream itself that it is done. */
  private long certain;

  /** While operations are open: the last one that was enqueued before them, and its number. */
  private long sureSequence;

  private long sureNumber;
  private final ArrayDeque<Issue> telling = new ArrayDeque<>(0);
  private long refused;

  /** The number of a graph's launch that is being enqueued, part by part; otherwise 0. */
  private long graph;

  private boolean hasForgotten;
  private boolean waitsForUnknown;

  StreamClock(int index, long before, OrderedStream stream, boolean isAutomatic) {
    super(index);
    this.device = stream.device();
    this.stream = stream;
    this.isAutomatic = isAutomatic;
    this.number = before;
  }

  /** Keeps only the name of a stream that is closed. */
  void closed() {
    OrderedStream its = stream;
    if (its != null) {
      name = its.title();
      stream = null;
    }
  }

  /** {@return the stream; null if it is closed, and all that it has done is over} */
  @Nullable OrderedStream stream() {
    return stream;
  }

  /** Whether an operation of an automatic stream is over, though the program need not know that. */
  boolean isOver(long sequence) {
    OrderedStream its = stream;
    return isAutomatic && (its == null || (sequence > 0 && its.isOver(sequence)));
  }

  /** {@return whether its operations wait for what they would race with} */
  public boolean isAutomatic() {
    return isAutomatic;
  }

  /** Says that other code uses the stream as well. */
  StreamClock sharedAs(Shared how) {
    shared = how;
    return this;
  }

  /** Whether something of which nobody knows may have made the stream wait. */
  boolean isAdopted() {
    Shared how = shared;
    return waitsForUnknown || (how != null && how.isAdopted());
  }

  /** Says that the stream waits for something of which nobody knows when it happens. */
  void waitsForUnknown() {
    waitsForUnknown = true;
  }

  /** {@return what is known of the stream if other code uses it as well} */
  @Nullable Shared shared() {
    return shared;
  }

  Object device() {
    return device;
  }

  Knowledge known() {
    return known;
  }

  long number() {
    return number;
  }

  void learn(Knowledge more) {
    known = known.join(more);
  }

  /** Notes that the program has learned from the stream itself that a number is done. */
  void isCertain(long done) {
    certain = Math.max(certain, done);
  }

  long certain() {
    return certain;
  }

  long graph() {
    return graph;
  }

  void graphBegins(long number) {
    graph = number;
  }

  void graphEnds(long number) {
    if (graph == number) {
      graph = 0;
    }
  }

  /** Keeps a copy that the program may ask whether it has read its source. */
  void tells(Issue copy) {
    if (telling.size() == MOST_TELLING) {
      telling.removeFirst();
    }
    telling.addLast(copy);
  }

  /** {@return a copy of which the program asks that; null if it is not kept} */
  @Nullable Issue told(long sequence) {
    for (Issue copy : telling) {
      if (copy.sequence() == sequence) {
        telling.remove(copy);
        return copy;
      }
    }
    return null;
  }

  /** Notes that there was no thread for a callback that is being enqueued. */
  void refused(long callback) {
    refused = callback;
  }

  boolean hasRefused(long callback) {
    return refused == callback;
  }

  /**
   * {@return the number of an operation that is about to be enqueued}
   *
   * @param last the last one that has been, among all of the stream
   */
  long begin(long last) {
    if (open == 0) {
      sureSequence = last;
      sureNumber = number;
    }
    open++;
    return ++number;
  }

  /**
   * Notes that an operation was enqueued.
   *
   * @param sequence its number among all of the stream
   */
  void enqueued(long sequence, long its, Knowledge then) {
    open--;
    Change last = changes.isEmpty() ? null : changes.getLast();
    if (last != null
        && (sequence < last.sequence || (last.shift == its - sequence && last.known == then))) {
      return;
    }
    changes.add(new Change(sequence, its - sequence, then));
    if (changes.size() > MOST_CHANGES) {
      changes.subList(0, MOST_CHANGES / 2).clear();
      hasForgotten = true;
    }
  }

  /** Notes that an operation was not enqueued after all. */
  void failed() {
    open--;
  }

  /** {@return the point behind all that was enqueued or is about to be} */
  Moment now() {
    return new Moment(this, number, known);
  }

  /**
   * {@return the point behind an operation}
   *
   * @param sequence its number among all of the stream
   */
  Moment at(long sequence) {
    int at = floor(sequence);
    boolean isOpen = at == changes.size() - 1 && open > 0;
    if (isOpen && sequence > sureSequence) {
      return now(); // it may be one that another thread enqueues just now
    }
    if (at < 0) {
      return hasForgotten ? changes.getFirst().moment(this) : new Moment(this, 0, Knowledge.NONE);
    }
    Change change = changes.get(at);
    long last = isOpen ? sureNumber : number;
    long most = at + 1 < changes.size() ? changes.get(at + 1).number() - 1 : last;
    return new Moment(this, Math.min(sequence + change.shift, most), change.known);
  }

  /** {@return the number up to which operations are certainly not behind a point} */
  long surelyAt(long sequence) {
    return open > 0 && sequence > sureSequence ? sureNumber : at(sequence).number();
  }

  /** {@return how many changes are remembered} */
  int changes() {
    return changes.size();
  }

  /** {@return the last change up to an operation; -1 if there is none} */
  private int floor(long sequence) {
    int low = 0;
    int high = changes.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (changes.get(middle).sequence <= sequence) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  @Override
  public String toString() {
    OrderedStream its = stream;
    return its == null ? name : its.title();
  }
}
