package dev.stretto.diagnosis.tally;

import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The lines that enqueue the operations of one stream. To find a line means to walk the stack,
 * which takes longer than to enqueue the operation. A loop does the same operations from the same
 * lines again and again, so the line of an operation that is like an earlier one, after operations
 * that were like the earlier ones before it, is taken to be the same: after it was looked up some
 * times, with the same result, and only for a moment. The next look that finds another line makes
 * all of them be learned anew. So a line that is told is always one that has enqueued such an
 * operation, and what is counted for a line may be off by the operations of {@value
 * #MOST_BLIND_NANOS} nanoseconds.
 *
 * <p>Safe for any number of threads.
 */
public final class KnownPlaces {
  /** How often a line is looked up before it is trusted. */
  static final int LOOKS = 32;

  /** After this time without a look, the next operation's line is looked up, trusted or not. */
  public static final long TRUST_NANOS = 50_000;

  /** What that time grows to, by doubling after each look that finds what was known. */
  static final long MOST_TRUST_NANOS = 8 * TRUST_NANOS;

  /** How many times as long it may become because of the looks for other streams. */
  private static final int BLIND = 4;

  static final long MOST_BLIND_NANOS = BLIND * MOST_TRUST_NANOS;

  /** Stands for an operation's kind and bytes. */
  private static final long AWAITING = 0x5deece66dL;

  /** So that programs whose operations are all different need no more memory. */
  private static final int MOST = 512;

  /** A line, and how often it was found in a row. */
  private static final class Known {
    Found found;
    int looks;
    int generation;

    Known(Found found, int generation) {
      this.found = found;
      this.generation = generation;
      this.looks = 1;
    }
  }

  private final Map<Long, Known> byKey = new HashMap<>();
  private int generation;
  private long lastLook;
  private long trust = TRUST_NANOS;

  /** The last two operations. */
  private long before;

  private long earlier;

  /** What was found ahead of an operation. */
  private @Nullable Found askedFor;

  private long askedKey;

  private final LookBudget budget;

  /** Makes one that knows no line. */
  public KnownPlaces() {
    this(new LookBudget());
  }

  private KnownPlaces(LookBudget budget) {
    this.budget = budget;
  }

  /** {@return one of another stream, which knows no line} Together they look no more often. */
  public KnownPlaces ofAnotherStream() {
    return new KnownPlaces(budget);
  }

  /**
   * {@return the line that enqueues an operation} Whoever has to know it earlier asks by {@link
   * #ahead} before.
   *
   * @param operation tells operations apart: its kind, its bytes, its kernel
   */
  public synchronized Found of(long operation) {
    return of(operation, Places::found);
  }

  /** {@return the frames that await an operation of the stream} */
  public synchronized Found awaiting() {
    return of(AWAITING, Places::foundFrames);
  }

  private Found of(long operation, UnaryOperator<@Nullable Found> look) {
    long mine = operation * 31 + Thread.currentThread().threadId();
    long key = key(mine);
    earlier = before;
    before = mine;
    Found asked = key == askedKey ? askedFor : null;
    askedFor = null;
    return asked == null ? find(key, look) : asked;
  }

  /** {@return the line that is about to enqueue an operation} */
  public synchronized Found ahead(long operation) {
    askedKey = key(operation * 31 + Thread.currentThread().threadId());
    Found found = find(askedKey, Places::found);
    askedFor = found;
    return found;
  }

  private long key(long operation) {
    return (before * 31 + earlier) * 31 + operation;
  }

  private Found find(long key, UnaryOperator<@Nullable Found> look) {
    long now = System.nanoTime();
    Known known = byKey.get(key);
    if (known != null
        && known.generation == generation
        && known.looks >= LOOKS
        && now - lastLook < (budget.allows(now) ? trust : BLIND * trust)) {
      return known.found;
    }
    lastLook = now;
    Found found = look.apply(known == null ? null : known.found);
    budget.spent(now, System.nanoTime());
    return learned(key, known, found);
  }

  @SuppressWarnings("ReferenceEquality") // what is found again is what was known
  private Found learned(long key, @Nullable Known known, Found found) {
    if (known == null) {
      if (byKey.size() >= MOST) {
        byKey.clear();
      }
      byKey.put(key, new Known(found, generation));
      return found;
    }
    boolean isSame = found == known.found;
    if (isSame && known.generation == generation) {
      known.looks++;
      trust = known.looks > LOOKS ? Math.min(2 * trust, MOST_TRUST_NANOS) : trust;
    } else {
      trust = TRUST_NANOS;
      if (!isSame && known.looks >= LOOKS && known.generation == generation) {
        generation++; // the program has left the loop
      }
      known.found = found;
      known.generation = generation;
      known.looks = 1;
    }
    return found;
  }
}
